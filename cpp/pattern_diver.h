#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "deepening.h"
#include "fringe.h"
#include "heartbeat.h"
#include "move_pruning.h"
#include "pattern_moves.h"
#include "patterns.h"
#include "roots.h"
#include "wide_search.h"

namespace taquin {

// Depth-first search with the patterns of one or more partitions. The board is changed in
// place and changed back; a partition is only looked up if those before it let a move pass. Where a
// wide search can be had, it takes over.
template <std::size_t Parts, class Regions>
class PatternDiver {
 public:
  using Moves = PatternMoves<Parts, Regions>;

  // A wide search has so many boards in a register; with none there is none.
  PatternDiver(const Patterns& patterns, const MovePruning& pruning,
               std::size_t abreast = WideSearch::most_abreast())
      : moves_(patterns), pruning_(pruning), allowed_(pruning.allowed()), next_(pruning.next()) {
    if (abreast > 0 && WideSearch::suits(patterns)) {
      wide_.emplace(patterns, pruning, abreast);
      fringe_ = Fringe(WideSearch::kNoteBytes);
    }
  }

  // All that follows begins here; the distance to the goal, at least.
  std::int64_t begin(const Tiles& tiles) {
    start_ = tiles;
    trail_.clear();
    const Patterns& patterns = moves_.patterns();
    for (std::size_t p = 0; p < Parts; ++p) {
      start_values_[p] = static_cast<std::int32_t>(patterns.sum(patterns.parts()[p], tiles));
    }
    return *std::max_element(start_values_.begin(), start_values_.end());
  }

  // Looks below a root for the goal; true when it found it, false also when the pulse told it
  // to stop.
  bool dive(const Root& root, const Allowance& allowance, Pulse& pulse) {
    if (is_wide(allowance)) {
      const Root* const only = &root;
      return dive_together(std::span(&only, 1), allowance, pulse);
    }
    path_.resize(allowance.size() + 1);
    follow(root);
    return search(allowance, pulse);
  }

  // Whether the wide search does it: where a move costs one, so that allowances fall by one from
  // the bound to the end, and an answer can have as many moves as the bound.
  bool is_wide(const Allowance& allowance) const {
    const auto bound = static_cast<std::int64_t>(allowance[0]);
    return wide_ && answers_ == nullptr && bound <= WideSearch::kMostMoves &&
           static_cast<std::int64_t>(allowance.size()) == bound + 2 &&
           (bound - start_values_[0]) % 2 == 0;
  }

  // Below several roots at once, if it is wide. The first of them comes last onto the stack, from
  // where it is taken first.
  bool dive_together(std::span<const Root* const> roots, const Allowance& allowance, Pulse& pulse) {
    path_.resize(allowance.size() + 1);
    wide_->begin(allowance[0], roots.size());
    for (std::size_t i = roots.size(); i-- > 0;) {
      follow(*roots[i]);
      if (trail_.back().values[0] == 0) return found(trail_.size() - 1);
      add_in_place(allowance, i);
    }
    return search_wide(pulse);
  }
  // How many boards there were below each of them, among some that were expanded.
  const std::vector<std::uint64_t>& sampled() const { return wide_->sampled(); }

  // Looks on from boards of the fringe, in the same way.
  bool look_on(std::span<const Fringe::Piece> pieces, const Allowance& allowance, Pulse& pulse) {
    path_.resize(allowance.size() + 1);
    if (is_wide(allowance)) return look_on_wide(pieces, allowance, pulse);
    for (const Fringe::Piece& piece : pieces) {
      Fringe::Paths paths;
      spell(piece, piece.length, paths);
      const Fringe::Piece spelled{paths, piece.length, piece.length};
      for (std::size_t number = 0; number < spelled.count(); ++number) {
        follow(spelled, number);
        if (search(allowance, pulse)) return true;
        if (stopped_) return false;
      }
    }
    return false;
  }

  // All ways from a root to the goal within the allowance: how many, and the first of them.
  Answers all(const Root& root, const Allowance& allowance, std::size_t most, Pulse& pulse) {
    Answers answers;
    most_answers_ = most;
    answers_ = &answers;
    dive(root, allowance, pulse);
    answers_ = nullptr;
    return answers;
  }

  // The letters from the start to the goal, or to the board where the pulse told it to stop.
  std::string path() const {
    std::string letters;
    for (std::size_t i = 0; i < found_depth_; ++i)
      letters += kLetters[static_cast<std::size_t>(path_[i])];
    return letters;
  }

  // What a dive from a root has left when the pulse told it to stop.
  std::vector<std::string> rest(const SearchTree& tree, const Root& root) const {
    if (!was_wide_) return tree.rest(root, path());
    std::vector<std::string> paths;
    for (const std::vector<std::uint8_t>& moves : wide_->left()) {
      std::string& letters = paths.emplace_back();
      for (const std::uint8_t direction : moves) letters += kLetters[direction];
    }
    return paths;
  }

  Fringe& fringe() { return fringe_; }
  // Adds the first moves of all paths of a piece of it to others.
  static void spell(const Fringe::Piece& piece, std::size_t moves, Fringe::Paths& paths) {
    for (std::size_t i = 0; i < piece.count(); ++i) {
      if (piece.is_noted) {
        WideSearch::spell(piece.path(i), moves, paths);
      } else {
        paths.insert(paths.end(), piece.path(i), piece.path(i) + moves);
      }
    }
  }
  const MovePruning& pruning() const { return pruning_; }

 private:
  using Slot = typename Moves::Slot;
  using Place = typename Moves::Place;
  using Mover = typename Moves::Mover;
  using Target = typename Moves::Target;
  // A type of its own: writing characters would make the compiler read everything anew.
  enum class Byte : std::uint8_t {};
  using Values = std::array<std::int32_t, Parts>;
  // For so many partitions there is code of its own to look them up first. With many it would
  // be more than the processor's caches hold.
  static constexpr std::size_t kVariants = Parts <= 2 ? Parts : 0;

  // A board on the way to the one in place.
  struct Step {
    std::size_t blank;
    MovePruning::State state;
    Values values;
    std::array<Slot, Parts> before;  // of the patterns that the move to it has changed

    std::int32_t most() const { return *std::max_element(values.begin(), values.end()); }
  };

  struct Change {
    Place* place;
    Slot before;
    Slot after;
    std::int32_t h;
  };

  // Puts the start in place.
  void restart() {
    trail_.assign(1, {blank_cell(start_), MovePruning::kStart, start_values_, {}});
    for (std::size_t i = 0; i < start_.size(); ++i) board_[i] = &moves_.mover(start_[i]);
    moves_.put(start_);
  }

  // Puts the board at the end of a path in place. What the path shares with the one before it
  // stays: of paths in the order of a search that is most.
  template <class MoveAt>
  void follow(std::size_t length, const MoveAt& move_at) {
    if (trail_.empty()) restart();
    std::size_t shared = 0;
    const std::size_t most = std::min(length, trail_.size() - 1);
    while (shared < most && path_[shared] == static_cast<Byte>(move_at(shared))) ++shared;
    while (trail_.size() - 1 > shared) step_back();
    for (std::size_t i = shared; i < length; ++i) step(move_at(i));
  }

  void follow(const Root& root) {
    follow(root.path.size(), [&](std::size_t i) { return direction_of(root.path[i]); });
  }

  void follow(const Fringe::Piece& piece, std::size_t number) {
    follow(piece.length, [path = piece.path(number)](std::size_t i) { return path[i]; });
  }

  void step(Direction direction) {
    Step next = trail_.back();
    const std::size_t blank = next.blank;
    if (direction >= kDirections ||
        (moves_.of(blank) & allowed_[next.state] & 1U << direction) == 0) {
      throw std::invalid_argument("a path that this search does not know");
    }
    next.blank = moves_.source_of(blank, direction);
    next.state = next_[next.state][direction];
    const Mover& mover = *board_[next.blank];
    for (std::size_t p = 0; p < Parts; ++p) {
      Place& place = *mover.place[p];
      const Target target = find(p, blank, direction, mover);
      const Change made = change(place, target, look_up(place, target, next.blank), next.values[p]);
      next.values[p] = made.h;
      next.before[p] = made.before;
      place.slot = made.after;
    }
    board_[blank] = &mover;
    path_[trail_.size() - 1] = static_cast<Byte>(direction);
    trail_.push_back(next);
  }

  void step_back() {
    const Step last = trail_.back();
    trail_.pop_back();
    const Mover& mover = *board_[trail_.back().blank];
    for (std::size_t p = 0; p < Parts; ++p) mover.place[p]->slot = last.before[p];
    board_[last.blank] = &mover;
  }

  // From the board in place.
  bool search(const Allowance& allowance, Pulse& pulse) {
    allowance_ = allowance.data();
    pulse_ = &pulse;
    stopped_ = was_wide_ = false;
    const Step& from = trail_.back();
    const std::size_t depth = trail_.size() - 1;
    if (from.most() > allowance_[depth]) {
      keep(depth, from.values);
      return false;
    }
    const auto descend = [&](auto... h) { return below(from.blank, depth, from.state, h...); };
    return std::apply(descend, from.values) && !stopped_;
  }

  // The first board comes last onto the stack, from where it is taken first.
  bool look_on_wide(std::span<const Fringe::Piece> pieces, const Allowance& allowance,
                    Pulse& pulse) {
    bool found = false;
    Fringe::some_at_a_time(pieces, [&](std::span<const Fringe::Kept> boards) {
      wide_->begin(allowance[0]);
      for (std::size_t i = boards.size(); i-- > 0;) add_kept(boards[i], allowance);
      found = search_wide(pulse);
      return !found && !stopped_;
    });
    return found;
  }

  void add_kept(const Fringe::Kept& board, const Allowance& allowance) {
    if (board.piece->is_noted) return wide_->add(board.path());
    follow(*board.piece, board.number);
    add_in_place(allowance);
  }

  // The board in place to those of the wide search, or to the fringe.
  void add_in_place(const Allowance& allowance, std::size_t number = 0) {
    const std::int32_t most = trail_.back().most(), allowed = allowance[trail_.size() - 1];
    if (most <= allowed) wide_->add(board_in_place(number));
    if (most == allowed + 2) wide_->keep(board_in_place(number), fringe_);
  }

  bool search_wide(Pulse& pulse) {
    was_wide_ = true;
    const WideSearch::Outcome outcome = wide_->run(pulse, fringe_);
    stopped_ = outcome == WideSearch::Outcome::stopped;
    if (outcome != WideSearch::Outcome::found) return false;
    trail_.clear();
    found_depth_ = 0;
    for (const std::uint8_t direction : wide_->path()) {
      path_[found_depth_++] = static_cast<Byte>(direction);
    }
    return true;
  }

  WideSearch::Board board_in_place(std::size_t number) const {
    WideSearch::Board board;
    board.number = static_cast<std::uint16_t>(number);
    const Step& here = trail_.back();
    const Patterns& patterns = moves_.patterns();
    board.blank = here.blank;
    board.state = here.state;
    board.path = {reinterpret_cast<const std::uint8_t*>(path_.data()), trail_.size() - 1};
    for (std::size_t cell = 0; cell < patterns.goal().cells(); ++cell) {
      if (cell == here.blank) continue;
      board.tiles[cell] = static_cast<std::uint8_t>(moves_.tile_of(*board_[cell]));
    }
    for (std::size_t p = 0; p < std::min(Parts, WideSearch::kParts); ++p) {
      board.values[p] = here.values[p];
      for (std::size_t i = 0; i < patterns.parts()[p].uses.size(); ++i) {
        const Slot slot = moves_.place(p, i).slot;
        const std::size_t pattern = p * WideSearch::kMostPatterns + i;
        board.index[pattern] = static_cast<std::uint32_t>(Moves::index_of(slot));
        board.count[pattern] = static_cast<std::uint32_t>(slot >> Moves::kCountAt);
      }
    }
    return board;
  }

  // True ends the search: the goal is found, or there is a reason to stop. The values of the
  // partitions travel in registers.
  template <class... Each>
  bool below(std::size_t blank, std::size_t depth, MovePruning::State state, Each... values) {
    const Values h{values...};
    if (h[0] == 0) return found(depth);
    const unsigned moves = moves_.of(blank) & allowed_[state];
    if (!pulse_->tick(kChildren[moves])) return stop(depth);
    return slides_from<0>(moves, blank, depth, state, h);
  }

  // A partition whose value is less than a child may have lets all children pass, as a move
  // changes it by one. So the first one looked up is the first where that is not so.
  template <std::size_t First>
  [[gnu::always_inline]] bool slides_from(unsigned moves, std::size_t blank, std::size_t depth,
                                          MovePruning::State state, const Values& h) {
    if constexpr (First < Parts && First < kVariants) {
      if (h[First] < allowance_[depth + 1]) {
        return slides_from<First + 1>(moves, blank, depth, state, h);
      }
    }
    return slide<First, kSearchOrder[0]>(moves, blank, depth, state, h) ||
           slide<First, kSearchOrder[1]>(moves, blank, depth, state, h) ||
           slide<First, kSearchOrder[2]>(moves, blank, depth, state, h) ||
           slide<First, kSearchOrder[3]>(moves, blank, depth, state, h);
  }

  [[gnu::noinline]] bool stop(std::size_t depth) {
    found_depth_ = depth;
    return stopped_ = true;
  }

  bool found(std::size_t depth) {
    found_depth_ = depth;
    if (answers_ == nullptr) return true;
    if (answers_->count++ < most_answers_) answers_->first.push_back(path());
    return false;
  }

  template <std::size_t First, Direction direction>
  [[gnu::always_inline]] bool slide(unsigned moves, std::size_t blank, std::size_t depth,
                                    MovePruning::State state, const Values& h) {
    if ((moves >> direction & 1U) == 0) return false;
    const std::size_t source = moves_.source_of(blank, direction);
    const Mover& mover = *board_[source];
    const std::int32_t allowed = allowance_[depth + 1];
    std::array<Change, Parts> changes;
    for (std::size_t i = 0; i < Parts; ++i) {
      const std::size_t p = (First + i) % Parts;
      Place& place = *mover.place[p];
      const Target target = find(p, blank, direction, mover);
      const unsigned grows = look_up(place, target, source);
      // One condition, as each alone is harder to foretell.
      const unsigned fails = p < First                         ? 0U
                             : p == First && First < kVariants ? grows
                                                               : grows & unsigned{h[p] >= allowed};
      if (fails != 0) {
        if (allowed + 2 <= fringe_.farthest()) keep(blank, direction, depth, h);
        return false;
      }
      changes[p] = p == First && First < kVariants
                       ? Change{&place, place.slot, target.moved, h[p] - 1}
                       : change(place, target, grows, h[p]);
    }
    for (const Change& change : changes) change.place->slot = change.after;
    board_[blank] = &mover;
    path_[depth] = static_cast<Byte>(direction);
    const auto descend = [&](const auto&... change) {
      return below(source, depth + 1, next_[state][direction], change.h...);
    };
    const bool ended = std::apply(descend, changes);
    board_[source] = &mover;
    for (const Change& change : changes) change.place->slot = change.before;
    return ended;
  }

  [[gnu::always_inline]] Target find(std::size_t p, std::size_t blank, Direction direction,
                                     const Mover& mover) const {
    return moves_.find(p, mover.place[p]->slot, blank, direction, mover);
  }

  [[gnu::always_inline]] unsigned look_up(const Place& place, const Target& target,
                                          std::size_t hole) const {
    return moves_.look_up(place, place.slot, target, hole);
  }

  [[gnu::always_inline]] static Change change(Place& place, const Target& target, unsigned grows,
                                              std::int32_t h) {
    return {&place, place.slot, target.moved ^ Slot{grows} << 63U,
            h - 1 + 2 * static_cast<std::int32_t>(grows)};
  }

  // For the fringe, if the next bound is the one that lets this move pass.
  [[gnu::noinline]] void keep(std::size_t blank, Direction direction, std::size_t depth, Values h) {
    const std::size_t source = moves_.source_of(blank, direction);
    const Mover& mover = *board_[source];
    Values after;
    for (std::size_t p = 0; p < Parts; ++p) {
      Place& place = *mover.place[p];
      const Target target = find(p, blank, direction, mover);
      after[p] = change(place, target, look_up(place, target, source), h[p]).h;
    }
    path_[depth] = static_cast<Byte>(direction);
    keep(depth + 1, after);
  }

  void keep(std::size_t depth, const Values& h) {
    if (wide_) return;  // a fringe of notes, which are for the bounds of the wide search
    const std::int32_t most = *std::max_element(h.begin(), h.end());
    if (most != allowance_[depth] + 2 || most > fringe_.farthest()) return;
    fringe_.add(reinterpret_cast<const std::uint8_t*>(path_.data()), most);
  }

  static constexpr unsigned kChildren[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

  Moves moves_;
  const MovePruning& pruning_;
  const std::uint8_t* const allowed_;
  const std::array<MovePruning::State, kDirections>* const next_;
  std::array<const Mover*, Moves::kMaxCells> board_{};
  Tiles start_;
  Values start_values_{};
  const std::int32_t* allowance_ = nullptr;
  Pulse* pulse_ = nullptr;
  std::vector<Byte> path_;
  std::vector<Step> trail_;  // from the start to the board in place
  std::size_t found_depth_ = 0;
  bool stopped_ = false;
  Answers* answers_ = nullptr;
  std::size_t most_answers_ = 0;
  Fringe fringe_;
  std::optional<WideSearch> wide_;
  bool was_wide_ = false;  // the last search
};

}  // namespace taquin
