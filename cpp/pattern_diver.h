#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "deepening.h"
#include "fringe.h"
#include "heartbeat.h"
#include "move_pruning.h"
#include "patterns.h"
#include "prefetch.h"

namespace taquin {

// How the search looks into tables where the index is the place. It looks when it must:
// finding the places of all children first was slower, as the processor guesses well enough
// to fetch the tables' memory ahead.
struct PositionalLookup {
  static constexpr bool kAhead = false;

  PositionalLookup() = default;
  PositionalLookup(const Patterns&, const PatternTable& table) : data(table.data()) {}
  template <class Regions>
  std::uint64_t place(std::uint64_t slot) const {
    return Regions::place_of(slot);
  }

  const std::uint8_t* data = nullptr;
};

// The same for dense tables, which are so large that memory is asked for ahead.
struct DenseLookup {
  static constexpr bool kAhead = true;

  DenseLookup() = default;
  DenseLookup(const Patterns& patterns, const PatternTable& table)
      : data(table.data()), places(patterns.dense(table.space().tiles())) {}
  template <class Regions>
  [[gnu::always_inline]] std::uint64_t place(std::uint64_t slot) const {
    const std::uint64_t index = Regions::place_of(slot) / PatternTable::kBitsOfIndex;
    return PatternTable::kBitsOfIndex *
           std::uint64_t{places->of(static_cast<std::uint32_t>(index))};
  }

  const std::uint8_t* data = nullptr;
  const DensePlaces* places = nullptr;
};

// Which of an index's bits is that of the blank's region. What it takes to know that of a
// cell, where the blank is, is a Hole; cells are those of the table's board. Slots have masks
// from `kMaskAt` on, and below them indexes from `kIndexAt` on.
struct SmallRegions {
  static constexpr unsigned kMaskAt = 46;
  static constexpr unsigned kIndexAt = 2;

  static std::uint64_t place_of(std::uint64_t slot) {
    return slot & ((std::uint64_t{1} << 34U) - 1);
  }

  using Hole = unsigned;

  explicit SmallRegions(const Patterns& patterns) : packed(patterns.small_regions().data()) {}
  static Hole hole(const Goal&, std::size_t cell) { return 4 * static_cast<unsigned>(cell); }

  static unsigned of(Mask, std::int64_t) { return RegionTable::kElsewhere; }

  // Leaves `bits` so that the lowest one is right; false where it has none.
  [[gnu::always_inline]] bool choose(std::uint64_t slot, Hole hole, unsigned& bits) const {
    const auto region = static_cast<unsigned>(packed[slot >> kMaskAt & 0xffffU] >> hole & 15U);
    bits >>= region;
    return region < PatternTable::kBitsOfIndex;
  }

  const std::uint64_t* packed;
};

// The same for larger boards.
template <unsigned MaskAt, unsigned IndexAt>
struct KindsOfRegions {
  static constexpr unsigned kMaskAt = MaskAt;
  static constexpr unsigned kIndexAt = IndexAt;

  static std::uint64_t place_of(std::uint64_t slot) {
    return (slot & ((std::uint64_t{1} << kMaskAt) - 1)) << (2 - kIndexAt);
  }

  struct Hole {
    std::uint64_t around;
    unsigned kind;  // if the cell is a region on its own
  };

  explicit KindsOfRegions(const Patterns& patterns) : table(patterns.regions()) {}
  unsigned of(Mask mask, std::int64_t cell) const {
    return table.of(mask, static_cast<std::size_t>(cell));
  }
  static Hole hole(const Goal& board, std::size_t cell) {
    Mask around = 0;
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (board.moves(cell) >> direction & 1U) around |= Mask{1} << board.source(cell, direction);
    }
    return {around << kMaskAt, PatternSpace::kind(cell, board.cols())};
  }

  [[gnu::always_inline]] bool choose(std::uint64_t slot, const Hole& hole, unsigned& bits) const {
    const bool flagged = (bits & PatternTable::kByRegions) != 0;
    const unsigned alone = (~slot & hole.around) == 0 ? 1U : 0U;
    bits >>= (0U - alone) & hole.kind;  // without a branch, as it is hard to foretell
    return !flagged;
  }

  const RegionTable& table;
};

// Depth-first search with the patterns of one or more partitions. The board is changed in
// place and changed back; a partition is only looked up if those before it let a move pass.
template <std::size_t Parts, class Lookup, class Regions>
class PatternDiver {
 public:
  // What the fringe notes of a board: how much less than the largest sum each partition has.
  static constexpr std::size_t kNotes = Parts;

  PatternDiver(const Patterns& patterns, const MovePruning& pruning)
      : patterns_(patterns),
        pruning_(pruning),
        cols_(patterns.goal().cols()),
        allowed_(pruning.allowed()),
        next_(pruning.next()),
        regions_(patterns),
        own_(std::make_unique<Own>()) {
    const Goal& goal = patterns.goal();
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      moves_[cell] = static_cast<std::uint8_t>(goal.moves(cell));
    }
    for (std::size_t p = 0; p < Parts; ++p) {
      const Patterns::Part& part = patterns.parts()[p];
      for (std::size_t i = 0; i < part.uses.size(); ++i) prepare(part.uses[i], own_->places[p][i]);
      for (std::size_t tile = 1; tile < goal.cells(); ++tile) {
        own_->movers[tile].place[p] = &own_->places[p][part.pattern_of[tile]];
        for (Direction direction = 0; direction < kDirections; ++direction) {
          own_->movers[tile].step[p][direction] = part.slide[direction][tile] << Regions::kIndexAt;
        }
      }
    }
  }

  // All that follows begins here; the distance to the goal, at least.
  std::int64_t begin(const Tiles& tiles) {
    start_ = tiles;
    trail_.clear();
    for (std::size_t p = 0; p < Parts; ++p) {
      start_values_[p] = static_cast<std::int32_t>(patterns_.sum(patterns_.parts()[p], tiles));
    }
    return *std::max_element(start_values_.begin(), start_values_.end());
  }

  // Looks below a root for the goal; true when it found it, false also when the pulse told it
  // to stop.
  bool dive(const Root& root, const Allowance& allowance, Pulse& pulse) {
    path_.resize(allowance.size() + Parts + 1);
    restart();
    trail_.clear();
    std::size_t blank = blank_cell(start_);
    std::size_t depth = 0;
    Values values = start_values_;
    for (const char letter : root.path) {
      const Direction direction = direction_of(letter);
      path_[depth++] = static_cast<Byte>(direction);
      blank = go(blank, direction, values);
    }
    return search(blank, depth, root.state, values, allowance, pulse);
  }

  // Looks on from a board of the fringe.
  bool resume(const Fringe::Path& path, const Allowance& allowance, Pulse& pulse) {
    path_.resize(allowance.size() + Parts + 1);
    if (trail_.empty()) restart();
    follow(path);
    set_bits(trail_.back().blank);
    Values values;
    for (std::size_t p = 0; p < Parts; ++p) {
      values[p] = static_cast<std::int32_t>(path.h) - path.moves[path.length + p];
    }
    const Step& here = trail_.back();
    return search(here.blank, path.length, here.state, values, allowance, pulse);
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

  Fringe& fringe() { return fringe_; }
  const MovePruning& pruning() const { return pruning_; }

 private:
  static constexpr std::size_t kMaxCells = Patterns::kMaxCells;
  // A type of its own: writing characters would make the compiler read everything anew.
  enum class Byte : std::uint8_t {};
  using Values = std::array<std::int32_t, Parts>;
  // For so many partitions there is code of its own to look them up first. With many it would
  // be more than the processor's caches hold.
  static constexpr std::size_t kVariants = Parts <= 2 ? Parts : 0;

  // Where a pattern's tiles are: the table's index, the mask of their cells, and at the top two
  // bits that count the value down, modulo four. The highest bit is then the one that the table has
  // after a move if the value grows. One word, because two halves written are slow to be read as
  // one.
  using Slot = std::uint64_t;
  static constexpr unsigned kMaskAt = Regions::kMaskAt;
  static constexpr unsigned kCountAt = 62;
  static std::uint64_t index_of(Slot slot) {
    return Regions::place_of(slot) / PatternTable::kBitsOfIndex;
  }

  // A pattern.
  struct Place {
    Slot slot;
    Lookup lookup;
    const PatternUse* use;
    std::array<typename Regions::Hole, kMaxCells> holes;
    // What a slide into a cell changes in the mask and, if the value falls, in the count.
    std::array<std::array<Slot, kDirections>, kMaxCells> turns;
  };
  // A tile: its patterns, and what its slides add to their indexes.
  struct Mover {
    std::array<Place*, Parts> place;
    std::array<std::array<Slot, kDirections>, Parts> step;
  };

  // A board on the way to the one in place.
  struct Step {
    std::size_t blank;
    MovePruning::State state;
  };

  // Where a move leads in a partition if the value falls, and where the table's bits are.
  struct Target {
    Slot moved;
    std::uint64_t at;
  };
  using Targets = std::array<Target, Parts>;

  struct Change {
    Place* place;
    Slot before;
    Slot after;
    std::int32_t h;
  };

  void prepare(const PatternUse& use, Place& place) const {
    const Goal& goal = patterns_.goal();
    const Pattern& pattern = use.table->pattern();
    const Goal board(static_cast<std::int64_t>(pattern.rows),
                     static_cast<std::int64_t>(pattern.cols), 0);
    place.lookup = Lookup(patterns_, *use.table);
    place.use = &use;
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      place.holes[cell] = Regions::hole(board, static_cast<std::size_t>(use.cells[cell]));
      for (Direction direction = 0; direction < kDirections; ++direction) {
        if ((goal.moves(cell) >> direction & 1U) == 0) continue;
        place.turns[cell][direction] = mask_bit(use, cell) -
                                       mask_bit(use, goal.source(cell, direction)) +
                                       (Slot{1} << kCountAt);
      }
    }
  }

  static Slot mask_bit(const PatternUse& use, std::size_t cell) {
    return Slot{1} << use.cells[cell] << kMaskAt;
  }

  // Puts the start in place.
  void restart() {
    const std::size_t blank = blank_cell(start_);
    trail_.assign(1, {blank, MovePruning::kStart});
    for (std::size_t i = 0; i < start_.size(); ++i) board_[i] = &own_->movers[start_[i]];
    for (std::size_t p = 0; p < Parts; ++p) {
      const Patterns::Part& part = patterns_.parts()[p];
      for (Place& place : own_->places[p]) place.slot = 0;
      for (std::size_t cell = 0; cell < start_.size(); ++cell) {
        const Tile tile = start_[cell];
        if (tile == 0) continue;
        Place& place = *own_->movers[tile].place[p];
        place.slot += (part.digit[cell][tile] << Regions::kIndexAt) + mask_bit(*place.use, cell);
        place.slot ^= Slot{patterns_.parity(tile, cell)} << kCountAt;
      }
    }
    set_bits(blank);
  }

  // Goes from the end of the path before to that of this one. What they share stays: of paths in
  // the order of a search that is most.
  void follow(const Fringe::Path& path) {
    std::size_t shared = 0;
    const std::size_t most = std::min(path.length, trail_.size() - 1);
    while (shared < most && path_[shared] == static_cast<Byte>(path.moves[shared])) ++shared;
    while (trail_.size() - 1 > shared) step_back();
    for (std::size_t i = shared; i < path.length; ++i) step(path.moves[i]);
  }

  // These two look into no table, so the highest bits of slots are wrong thereafter.
  void step(Direction direction) {
    const auto [blank, state] = trail_.back();
    const std::size_t source = source_of(blank, direction);
    const Mover& mover = *board_[source];
    for (std::size_t p = 0; p < Parts; ++p) {
      mover.place[p]->slot = find(p, blank, direction, mover).moved;
    }
    board_[blank] = &mover;
    path_[trail_.size() - 1] = static_cast<Byte>(direction);
    // The way to a root is the first that was found, which the automaton may not like.
    const MovePruning::State after = pruning_.after(state, direction);
    trail_.push_back({source, after == MovePruning::kForbidden ? MovePruning::kStart : after});
  }

  void step_back() {
    const std::size_t source = trail_.back().blank;
    trail_.pop_back();
    const std::size_t blank = trail_.back().blank;
    const auto direction = static_cast<Direction>(path_[trail_.size() - 1]);
    const Mover& mover = *board_[blank];
    for (std::size_t p = 0; p < Parts; ++p) {
      Place& place = *mover.place[p];
      place.slot -= place.turns[blank][direction] + mover.step[p][direction];
    }
    board_[source] = &mover;
  }

  void set_bits(std::size_t blank) {
    for (std::size_t p = 0; p < Parts; ++p) {
      for (std::size_t i = 0; i < patterns_.parts()[p].uses.size(); ++i) {
        Place& place = own_->places[p][i];
        const unsigned bit = bit_at(place, place.slot, blank);
        place.slot &= ~Slot{0} >> 1U;
        place.slot |= (place.slot >> kCountAt ^ bit) << 63U;
      }
    }
  }

  static Mask mask_of(Slot slot) { return (slot & ((Slot{1} << kCountAt) - 1)) >> kMaskAt; }

  // The table's bit, wherever it is.
  static unsigned bit_at(const Place& place, Slot slot, std::size_t blank) {
    const PatternTable& table = *place.use->table;
    return PatternTable::bit(table.data(),
                             table.place(index_of(slot), mask_of(slot),
                                         static_cast<std::size_t>(place.use->cells[blank])));
  }

  // Makes a move without looking at any bound; the blank's new cell.
  std::size_t go(std::size_t blank, Direction direction, Values& values) {
    const std::size_t source = source_of(blank, direction);
    const Mover& mover = *board_[source];
    for (std::size_t p = 0; p < Parts; ++p) {
      Place& place = *mover.place[p];
      const Target target = find(p, blank, direction, mover);
      const Change made = change(place, target, look_up(place, target, source), values[p]);
      values[p] = made.h;
      place.slot = made.after;
    }
    board_[blank] = &mover;
    return source;
  }

  bool search(std::size_t blank, std::size_t depth, MovePruning::State state, const Values& values,
              const Allowance& allowance, Pulse& pulse) {
    allowance_ = allowance.data();
    pulse_ = &pulse;
    stopped_ = false;
    if (*std::max_element(values.begin(), values.end()) > allowance_[depth]) {
      keep(depth, values);
      return false;
    }
    const auto descend = [&](auto... h) { return below(blank, depth, state, h...); };
    return std::apply(descend, values) && !stopped_;
  }

  // True ends the search: the goal is found, or there is a reason to stop. The values of the
  // partitions travel in registers.
  template <class... Each>
  bool below(std::size_t blank, std::size_t depth, MovePruning::State state, Each... values) {
    const Values h{values...};
    if (h[0] == 0) return found(depth);
    const unsigned moves = moves_[blank] & allowed_[state];
    if (!pulse_->tick(kChildren[moves])) return stop(depth);
    std::array<Targets, kDirections> ahead;
    if constexpr (Lookup::kAhead) look_ahead(moves, blank, ahead);
    return slides_from<0>(moves, blank, depth, state, h, ahead);
  }

  // A partition whose value is less than a child may have lets all children pass, as a move
  // changes it by one. So the first one looked up is the first where that is not so.
  template <std::size_t First>
  [[gnu::always_inline]] bool slides_from(unsigned moves, std::size_t blank, std::size_t depth,
                                          MovePruning::State state, const Values& h,
                                          const std::array<Targets, kDirections>& ahead) {
    if constexpr (First < Parts && First < kVariants) {
      if (h[First] < allowance_[depth + 1]) {
        return slides_from<First + 1>(moves, blank, depth, state, h, ahead);
      }
    }
    return slide<First, kSearchOrder[0]>(moves, blank, depth, state, h, ahead) ||
           slide<First, kSearchOrder[1]>(moves, blank, depth, state, h, ahead) ||
           slide<First, kSearchOrder[2]>(moves, blank, depth, state, h, ahead) ||
           slide<First, kSearchOrder[3]>(moves, blank, depth, state, h, ahead);
  }

  [[gnu::always_inline]] std::size_t source_of(std::size_t blank, Direction direction) const {
    const std::size_t step = direction < 2 ? cols_ : 1;
    return direction & 1U ? blank - step : blank + step;
  }

  [[gnu::always_inline]] void look_ahead(unsigned moves, std::size_t blank,
                                         std::array<Targets, kDirections>& ahead) {
    for (const Direction direction : kSearchOrder) {
      if ((moves >> direction & 1U) == 0) continue;
      const Mover& mover = *board_[source_of(blank, direction)];
      for (std::size_t p = 0; p < Parts; ++p) {
        const Target target = ahead[direction][p] = find(p, blank, direction, mover);
        prefetch(mover.place[p]->lookup.data + target.at / 8);
      }
    }
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
                                    MovePruning::State state, const Values& h,
                                    const std::array<Targets, kDirections>& ahead) {
    if ((moves >> direction & 1U) == 0) return false;
    const std::size_t source = source_of(blank, direction);
    const Mover& mover = *board_[source];
    const std::int32_t allowed = allowance_[depth + 1];
    std::array<Change, Parts> changes;
    for (std::size_t i = 0; i < Parts; ++i) {
      const std::size_t p = (First + i) % Parts;
      Place& place = *mover.place[p];
      const Target target = Lookup::kAhead ? ahead[direction][p] : find(p, blank, direction, mover);
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
    const Place& place = *mover.place[p];
    const Slot moved = place.slot + place.turns[blank][direction] + mover.step[p][direction];
    return {moved, place.lookup.template place<Regions>(moved)};
  }

  // Whether the value grows, 1 or 0, where the blank is in `hole` thereafter.
  [[gnu::always_inline]] unsigned look_up(const Place& place, const Target& target,
                                          std::size_t hole) const {
    unsigned bit = static_cast<unsigned>(place.lookup.data[target.at / 8]) >> (target.at & 4U);
    if (!regions_.choose(target.moved, place.holes[hole], bit)) [[unlikely]] {
      bit = elsewhere(place, target, hole);
    }
    return ~(static_cast<unsigned>(place.slot >> 63U) ^ bit) & 1U;
  }

  [[gnu::always_inline]] static Change change(Place& place, const Target& target, unsigned grows,
                                              std::int32_t h) {
    return {&place, place.slot, target.moved ^ Slot{grows} << 63U,
            h - 1 + 2 * static_cast<std::int32_t>(grows)};
  }

  [[gnu::noinline]] unsigned elsewhere(const Place& place, const Target& target,
                                       std::size_t hole) const {
    const unsigned region = regions_.of(mask_of(target.moved), place.use->cells[hole]);
    if (region >= RegionTable::kElsewhere) return bit_at(place, target.moved, hole);
    return PatternTable::bit(place.lookup.data, target.at + region);
  }

  // For the fringe, if the next bound is the one that lets this move pass.
  [[gnu::noinline]] void keep(std::size_t blank, Direction direction, std::size_t depth, Values h) {
    const std::size_t source = source_of(blank, direction);
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
    const auto [least, most] = std::minmax_element(h.begin(), h.end());
    if (*most != allowance_[depth] + 2 || *most > fringe_.farthest()) return;
    if (*most - *least > std::numeric_limits<std::uint8_t>::max()) return;
    for (std::size_t p = 0; p < Parts; ++p) path_[depth + p] = static_cast<Byte>(*most - h[p]);
    fringe_.add(reinterpret_cast<const std::uint8_t*>(path_.data()), *most);
  }

  static constexpr unsigned kChildren[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

  const Patterns& patterns_;
  const MovePruning& pruning_;
  const std::size_t cols_;
  const std::uint8_t* const allowed_;
  const std::array<MovePruning::State, kDirections>* const next_;
  const Regions regions_;
  // Behind a pointer, so that it stays where it is when the diver is moved.
  struct Own {
    std::array<Mover, kMaxCells> movers{};
    std::array<std::array<Place, Patterns::kMostPatterns>, Parts> places{};
  };
  std::unique_ptr<Own> own_;
  std::array<std::uint8_t, kMaxCells> moves_{};
  std::array<const Mover*, kMaxCells> board_{};
  Tiles start_;
  Values start_values_{};
  const std::int32_t* allowance_ = nullptr;
  Pulse* pulse_ = nullptr;
  std::vector<Byte> path_;
  std::vector<Step> trail_;  // from the start to the board of the last resuming; none after a dive
  std::size_t found_depth_ = 0;
  bool stopped_ = false;
  Answers* answers_ = nullptr;
  std::size_t most_answers_ = 0;
  Fringe fringe_;
};

}  // namespace taquin
