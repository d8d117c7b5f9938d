#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "move_pruning.h"
#include "prefetch.h"

namespace taquin {

// Best-first search, for answers that are found after few boards. Boards stay in memory, so that a
// bound goes on where the one before it ended, and those nearest to the goal come first. They are
// expanded in batches: all that is looked up for the boards of a batch is asked of memory
// together. It pays where that memory is slow, as that of dense tables is.
template <class Moves, std::size_t Patterns>
class BestFirst {
 public:
  static constexpr std::size_t kParts = Moves::kParts;
  static constexpr std::size_t kMostCells = 16;
  using Values = std::array<std::int32_t, kParts>;

  // Whoever needs more boards, of 64 bytes or so, is better off with iterative deepening, to which
  // caches matter less.
  static constexpr std::size_t kMostBoards = std::size_t{1} << 16U;

  // `moves` has the start in place, whose partitions have these values.
  BestFirst(const Moves& moves, const MovePruning& pruning, const Tiles& start,
            const Values& values, std::size_t most = kMostBoards)
      : moves_(moves), allowed_(pruning.allowed()), next_(pruning.next()), most_(most) {
    make_room(1);
    Board& board = at(0);
    board = {};
    moves.for_each_place([&](const auto& place) { board.slots[place.number] = place.slot; });
    std::copy(start.begin(), start.end(), board.tiles.begin());
    std::copy(values.begin(), values.end(), board.h.begin());
    board.blank = static_cast<std::uint8_t>(blank_cell(start));
    board.state = MovePruning::kStart;
    // From a table, since a direction that is not known beforehand would be two branches.
    const std::size_t cols = moves.patterns().goal().cols();
    shifts_ = {cols, 0 - cols, 1, std::size_t{0} - 1};
  }

  // Expands all boards whose f is within the bound, after the same for bounds that are less by two.
  // Without an answer it has found none, or is full, or the pulse told it to stop.
  std::optional<std::string> go_on(std::int64_t bound, Pulse& pulse) {
    bound_ = bound;
    open_ = std::exchange(beyond_, {});
    open_.resize(static_cast<std::size_t>(bound) + 1, kNone);
    beyond_.resize(static_cast<std::size_t>(bound) + 3, kNone);
    depth_ = open_.size() - 1;
    stopped_ = false;
    if (count_ == 0) begin(pulse);
    while (!goal_ && !stopped_ && !is_full() && take()) {
      enter();
      expand(pulse);
    }
    if (!goal_) return {};
    return path_to(*goal_);
  }

  bool is_full() const { return count_ + kBatch > most_; }

 private:
  // More would wait for memory together, but follow too many ways at once where one leads home.
  static constexpr std::size_t kBatch = 16;
  static constexpr std::size_t kFewest = 2;
  using Slot = typename Moves::Slot;
  using Place = typename Moves::Place;
  using Mover = typename Moves::Mover;
  using Target = typename Moves::Target;

  struct Board {
    std::array<Slot, Patterns> slots;
    std::array<std::uint8_t, kMostCells> tiles;  // of the blank's cell no one asks
    std::array<std::int16_t, kParts> h;
    std::uint32_t link;  // the parent's number, and in two bits the move from it
    MovePruning::State state;
    std::uint16_t depth;
    std::uint8_t blank;
  };

  // A child that is not made yet: of which partitions it is known whether the value grows, and of
  // which it does.
  struct Edge {
    std::uint32_t parent;
    std::uint8_t direction;
    std::uint8_t known;
    std::uint8_t grows;
    std::uint32_t next;  // the edge below it in the same pile
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Pile = std::uint32_t;  // the number of the topmost edge

  // The same, while its parent is expanded.
  struct Child {
    const Mover* mover;
    std::uint8_t parent;  // in the batch
    std::uint8_t direction;
    std::uint8_t source;
    std::uint8_t asked;  // partitions whose growing would lead beyond the bound
    std::uint8_t known;
    std::uint8_t grows;
  };

  // What a table is asked.
  struct Question {
    const Place* place;
    Slot before;
    Target target;
    std::uint8_t hole;
    std::uint8_t who;
    std::uint8_t part;
  };
  struct Questions {
    std::array<Question, kBatch * std::max<std::size_t>(kParts, kDirections)> all;
    std::size_t count = 0;

    std::span<const Question> asked() const { return {all.data(), count}; }
  };

  // The directions of a set of moves, four bits for each.
  struct Directions {
    std::uint16_t packed;
    std::uint8_t count;
  };
  static constexpr std::array<Directions, 16> kDirectionsOf = [] {
    std::array<Directions, 16> all{};
    for (unsigned moves = 0; moves < all.size(); ++moves) {
      for (const Direction direction : kSearchOrder) {
        if ((moves >> direction & 1U) == 0) continue;
        all[moves].packed |= static_cast<std::uint16_t>(direction << 4 * all[moves].count++);
      }
    }
    return all;
  }();

  std::size_t source_of(std::size_t blank, Direction direction) const {
    return blank + shifts_[direction];
  }

  void begin(Pulse& pulse) {
    batch_[0] = &at(0);
    in_batch_ = count_ = 1;
    expand(pulse);
  }

  // The edges to follow next, the deepest ones; false when there are none.
  bool take() {
    taken_ = 0;
    while (open_[depth_] == kNone && depth_ > 0) --depth_;
    const std::size_t left = static_cast<std::size_t>(bound_) - depth_;
    const std::size_t enough = std::clamp(left / 2, kFewest, kBatch);
    for (std::size_t depth = depth_;; --depth) {
      for (Pile& pile = open_[depth]; taken_ < enough && pile != kNone; ++taken_) {
        taken_edges_[taken_] = edges_[pile];
        pile = edges_[pile].next;
      }
      if (taken_ == enough || depth == 0) return taken_ > 0;
    }
  }

  // Makes the boards to which the edges lead.
  void enter() {
    make_room(count_ + taken_);
    Questions questions;
    for (std::size_t k = 0; k < taken_; ++k) {
      batch_[k] = &at(count_ + k);
      make(k, taken_edges_[k], questions);
    }
    for (const Question& question : questions.asked()) {
      Board& board = *batch_[question.who];
      const unsigned grows = answer(question);
      board.slots[question.place->number] ^= Slot{grows} << 63U;
      board.h[question.part] =
          static_cast<std::int16_t>(board.h[question.part] + 2 * static_cast<int>(grows));
    }
    in_batch_ = taken_;
    count_ += taken_;
  }

  // Of partitions that are not known it takes the value to fall, and asks.
  [[gnu::always_inline]] void make(std::size_t k, const Edge& edge, Questions& questions) {
    const Board& before = at(edge.parent);
    Board& after = *batch_[k];
    after = before;
    const std::size_t source = source_of(before.blank, edge.direction);
    const std::uint8_t tile = before.tiles[source];
    after.tiles[before.blank] = tile;
    after.blank = static_cast<std::uint8_t>(source);
    after.link = edge.parent << 2U | edge.direction;
    after.state = next_[before.state][edge.direction];
    after.depth = static_cast<std::uint16_t>(before.depth + 1);
    const Mover& mover = moves_.mover(tile);
    for (std::size_t p = 0; p < kParts; ++p) {
      const std::size_t number = mover.place[p]->number;
      const Slot slot = before.slots[number];
      const unsigned grows = edge.grows >> p & 1U;
      const Slot moved = moves_.moved(p, slot, before.blank, edge.direction, mover);
      after.slots[number] = moved ^ Slot{grows} << 63U;
      after.h[p] = static_cast<std::int16_t>(before.h[p] - 1 + 2 * static_cast<int>(grows));
      if ((edge.known >> p & 1U) == 0) {
        ask(p, slot, before.blank, edge.direction, mover, source, k, questions);
      }
    }
  }

  void expand(Pulse& pulse) {
    std::array<Child, kBatch * kDirections> children;
    std::size_t count = 0;
    for (std::size_t k = 0; k < in_batch_; ++k) {
      if (batch_[k]->h[0] == 0) {
        goal_ = batch_[k];
        return;
      }
      count = list_children(k, children, count, pulse);
      if (stopped_) return;
    }
    for (std::size_t p = 0; p < kParts; ++p) look_up(p, children, count);
    for (std::size_t i = 0; i < count; ++i) file(children[i]);
  }

  // Writes four even where they are fewer, as a loop whose end need not be foretold is quicker.
  template <class Children>
  [[gnu::always_inline]] std::size_t list_children(std::size_t k, Children& children,
                                                   std::size_t count, Pulse& pulse) {
    const Board& board = *batch_[k];
    const Directions directions = kDirectionsOf[moves_.of(board.blank) & allowed_[board.state]];
    stopped_ = stopped_ || !pulse.tick(directions.count);
    const std::int64_t allowed = bound_ - board.depth - 1;
    unsigned asked = 0;
    for (std::size_t p = 0; p < kParts; ++p) {
      asked |= static_cast<unsigned>(board.h[p] > allowed) << p;
    }
    for (unsigned i = 0; i < kDirections; ++i) {
      const Direction direction = directions.packed >> 4 * i & 3U;
      const std::size_t source = source_of(board.blank, direction) % board.tiles.size();
      children[count + i] = {&moves_.mover(board.tiles[source]),
                             static_cast<std::uint8_t>(k),
                             static_cast<std::uint8_t>(direction),
                             static_cast<std::uint8_t>(source),
                             static_cast<std::uint8_t>(asked),
                             0,
                             0};
    }
    return count + directions.count;
  }

  // Asks a partition about the children that those before it let pass.
  template <class Children>
  [[gnu::always_inline]] void look_up(std::size_t p, Children& children, std::size_t count) {
    Questions questions;
    for (std::size_t i = 0; i < count; ++i) {
      Child& child = children[i];
      if (child.grows != 0 || (child.asked >> p & 1U) == 0) continue;
      child.known = static_cast<std::uint8_t>(child.known | 1U << p);
      const Board& board = *batch_[child.parent];
      const Slot slot = board.slots[child.mover->place[p]->number];
      ask(p, slot, board.blank, child.direction, *child.mover, child.source, i, questions);
    }
    for (const Question& question : questions.asked()) {
      children[question.who].grows = static_cast<std::uint8_t>(answer(question) << p);
    }
  }

  [[gnu::always_inline]] void ask(std::size_t p, Slot before, std::size_t blank,
                                  Direction direction, const Mover& mover, std::size_t hole,
                                  std::size_t who, Questions& questions) const {
    const Target target = moves_.find(p, before, blank, direction, mover);
    const Place& place = *mover.place[p];
    prefetch(place.lookup.data + target.at / 8);
    questions.all[questions.count++] = {&place,
                                        before,
                                        target,
                                        static_cast<std::uint8_t>(hole),
                                        static_cast<std::uint8_t>(who),
                                        static_cast<std::uint8_t>(p)};
  }

  [[gnu::always_inline]] unsigned answer(const Question& question) const {
    return moves_.look_up(*question.place, question.before, question.target, question.hole);
  }

  void file(const Child& child) {
    const std::size_t depth = std::size_t{batch_[child.parent]->depth} + 1;
    const auto parent = static_cast<std::uint32_t>(count_ - in_batch_ + child.parent);
    if (child.grows == 0) depth_ = std::max(depth_, depth);
    Pile& pile = child.grows == 0 ? open_[depth] : beyond_[depth];
    edges_.push_back({parent, child.direction, child.known, child.grows, pile});
    pile = static_cast<Pile>(edges_.size() - 1);
  }

  std::string path_to(const Board& end) const {
    std::string letters;
    for (const Board* board = &end; board->depth > 0; board = &at(board->link >> 2U)) {
      letters += kLetters[board->link & 3U];
    }
    std::reverse(letters.begin(), letters.end());
    return letters;
  }

  // Boards stay where they are, so they lie in chunks.
  static constexpr std::size_t kChunk = 512;
  Board& at(std::size_t number) const { return chunks_[number / kChunk][number % kChunk]; }
  void make_room(std::size_t count) {
    while (chunks_.size() * kChunk < count) {
      chunks_.push_back(std::make_unique_for_overwrite<Board[]>(kChunk));
    }
  }

  const Moves& moves_;
  const std::uint8_t* const allowed_;
  const std::array<MovePruning::State, kDirections>* const next_;
  const std::size_t most_;
  std::array<std::size_t, kDirections> shifts_;
  std::vector<std::unique_ptr<Board[]>> chunks_;
  std::size_t count_ = 0;
  std::vector<Edge> edges_;
  std::vector<Pile> open_;    // by the depth of the child: what is within the bound
  std::vector<Pile> beyond_;  // and within the next one
  std::size_t depth_ = 0;     // of the deepest open edge, at least
  std::array<Edge, kBatch> taken_edges_;
  std::size_t taken_ = 0;
  std::array<Board*, kBatch> batch_;
  std::size_t in_batch_ = 0;
  std::int64_t bound_ = 0;
  bool stopped_ = false;
  const Board* goal_ = nullptr;
};

}  // namespace taquin
