#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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
  std::uint32_t place(std::uint32_t index) const { return index; }

  const std::uint8_t* data = nullptr;
};

// The same for dense tables, which are so large that memory is asked for ahead.
struct DenseLookup {
  static constexpr bool kAhead = true;

  DenseLookup() = default;
  DenseLookup(const Patterns& patterns, const PatternTable& table)
      : data(table.data()), places(patterns.dense(table.pattern().homes.size())) {}
  std::uint32_t place(std::uint32_t index) const { return places->of(index); }

  const std::uint8_t* data = nullptr;
  const DensePlaces* places = nullptr;
};

// Depth-first search with the patterns of one or more partitions. The board is changed in
// place and changed back; a partition is only looked up if those before it let a move pass.
template <std::size_t Parts, class Lookup>
class PatternDiver {
 public:
  PatternDiver(const Patterns& patterns, const MovePruning& pruning)
      : patterns_(patterns), pruning_(pruning), cols_(patterns.goal().cols()) {
    const Goal& goal = patterns.goal();
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      moves_[cell] = static_cast<std::uint8_t>(goal.moves(cell));
    }
    for (Direction direction = 0; direction < kDirections; ++direction) find_steps(direction);
    for (std::size_t p = 0; p < Parts; ++p) {
      const Patterns::Part& part = patterns.parts()[p];
      for (std::size_t i = 0; i < part.patterns; ++i) {
        tables_[p][i] = Lookup(patterns, *part.tables[i]);
      }
      pattern_of_[p] = part.pattern_of;
      slides_[p] = part.slide;
    }
  }

  std::int64_t distance(const Tiles& tiles) const { return patterns_.distance(tiles); }

  // Looks below a root for the goal; true when it found it, false also when the pulse told it
  // to stop.
  bool dive(const Root& root, const Allowance& allowance, Pulse& pulse) {
    path_.resize(allowance.size() + 1);
    std::size_t depth = 0;
    for (const char letter : root.path) path_[depth++] = static_cast<Byte>(direction_of(letter));
    return search(root.tiles, depth, root.state, allowance, pulse);
  }

  // Looks on from a board of the fringe.
  bool resume(const Tiles& start, const std::uint8_t* path, std::size_t length,
              const Allowance& allowance, Pulse& pulse) {
    path_.resize(allowance.size() + 1);
    Tiles tiles = start;
    std::size_t blank = blank_cell(tiles);
    MovePruning::State state = MovePruning::kStart;
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t source = patterns_.goal().source(blank, path[i]);
      std::swap(tiles[blank], tiles[source]);
      blank = source;
      path_[i] = static_cast<Byte>(path[i]);
      state = pruning_.after(state, path[i]);
      // The way to a root is the first that was found, which the automaton may not like.
      if (state == MovePruning::kForbidden) state = MovePruning::kStart;
    }
    return search(tiles, length, state, allowance, pulse);
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

  // The letters from the start to the goal.
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
  template <class T>
  using ByTile = std::array<T, kMaxCells>;

  // Where a pattern's tiles are, as its table's index, and above it twice the excess that the
  // table has there. One word, because two halves written are slow to be read as one.
  using Slot = std::uint64_t;
  static Slot slot_of(std::uint32_t index, std::int32_t excess) {
    return index | static_cast<Slot>(excess) << 32U;
  }
  static std::uint32_t index_of(Slot slot) { return static_cast<std::uint32_t>(slot); }
  static std::int32_t excess_of(Slot slot) { return static_cast<std::int32_t>(slot >> 32U); }

  // Where a move leads in a partition.
  struct Target {
    Slot* slot;
    const std::uint8_t* data;
    std::uint32_t index;
    std::uint32_t place;
  };
  using Targets = std::array<Target, Parts>;

  struct Change {
    Slot* slot;
    Slot before;
    Slot after;
    std::int32_t h;
  };

  void find_steps(Direction direction) {
    const Goal& goal = patterns_.goal();
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      for (Tile tile = 1; tile < goal.cells(); ++tile) {
        const std::size_t home = goal.cell_of(tile);
        const std::size_t here = direction < 2 ? goal.row(cell) : goal.col(cell);
        const std::size_t there = direction < 2 ? goal.row(home) : goal.col(home);
        const bool nearer = direction & 1U ? there > here : there < here;
        steps_[direction][cell][tile] = nearer ? -1 : 1;
      }
    }
  }

  // Puts a board in place; the value of each partition.
  std::array<std::int32_t, Parts> load(const Tiles& tiles) {
    std::array<std::int32_t, Parts> values;
    values.fill(static_cast<std::int32_t>(patterns_.manhattan(tiles)));
    for (std::size_t i = 0; i < tiles.size(); ++i) board_[i] = static_cast<Byte>(tiles[i]);
    for (std::size_t p = 0; p < Parts; ++p) {
      slots_[p].fill(0);
      for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
        if (tiles[cell] == 0) continue;
        slots_[p][pattern_of_[p][tiles[cell]]] += patterns_.parts()[p].digit[cell][tiles[cell]];
      }
      for (std::size_t i = 0; i < patterns_.parts()[p].patterns; ++i) {
        const std::uint32_t index = index_of(slots_[p][i]);
        slots_[p][i] = slot_of(
            index, 2 * static_cast<std::int32_t>(patterns_.parts()[p].tables[i]->excess(index)));
        values[p] += excess_of(slots_[p][i]);
      }
    }
    return values;
  }

  bool search(const Tiles& tiles, std::size_t depth, MovePruning::State state,
              const Allowance& allowance, Pulse& pulse) {
    allowance_ = allowance.data();
    pulse_ = &pulse;
    stopped_ = false;
    const std::array<std::int32_t, Parts> values = load(tiles);
    if (*std::max_element(values.begin(), values.end()) > allowance_[depth]) return false;
    const auto begin = [&](auto... h) { return below(blank_cell(tiles), depth, state, h...); };
    return std::apply(begin, values) && !stopped_;
  }

  // True ends the search: the goal is found, or there is a reason to stop. The values of the
  // partitions travel in registers.
  template <class... Values>
  bool below(std::size_t blank, std::size_t depth, MovePruning::State state, Values... values) {
    const std::array<std::int32_t, Parts> h{values...};
    if (h[0] == 0) return found(depth);
    const unsigned moves = moves_[blank] & pruning_.allowed(state);
    if (!pulse_->tick(kChildren[moves])) return stopped_ = true;
    std::array<Targets, kDirections> ahead;
    if constexpr (Lookup::kAhead) look_ahead(moves, blank, ahead);
    return slide<kSearchOrder[0]>(moves, blank, depth, state, h, ahead) ||
           slide<kSearchOrder[1]>(moves, blank, depth, state, h, ahead) ||
           slide<kSearchOrder[2]>(moves, blank, depth, state, h, ahead) ||
           slide<kSearchOrder[3]>(moves, blank, depth, state, h, ahead);
  }

  [[gnu::always_inline]] std::size_t source_of(std::size_t blank, Direction direction) const {
    const std::size_t step = direction < 2 ? cols_ : 1;
    return direction & 1U ? blank - step : blank + step;
  }

  [[gnu::always_inline]] void look_ahead(unsigned moves, std::size_t blank,
                                         std::array<Targets, kDirections>& ahead) {
    for (const Direction direction : kSearchOrder) {
      if ((moves >> direction & 1U) == 0) continue;
      const auto tile = static_cast<std::size_t>(board_[source_of(blank, direction)]);
      for (std::size_t p = 0; p < Parts; ++p) {
        const Target target = ahead[direction][p] = find(p, direction, tile);
        prefetch(target.data + (target.place >> 1U));
      }
    }
  }

  bool found(std::size_t depth) {
    found_depth_ = depth;
    if (answers_ == nullptr) return true;
    if (answers_->count++ < most_answers_) answers_->first.push_back(path());
    return false;
  }

  template <Direction direction>
  [[gnu::always_inline]] bool slide(unsigned moves, std::size_t blank, std::size_t depth,
                                    MovePruning::State state,
                                    const std::array<std::int32_t, Parts>& h,
                                    const std::array<Targets, kDirections>& ahead) {
    if ((moves >> direction & 1U) == 0) return false;
    const std::size_t source = source_of(blank, direction);
    const auto tile = static_cast<std::size_t>(board_[source]);
    const std::int32_t nearer = steps_[direction][source][tile];
    const std::int32_t allowed = allowance_[depth + 1];
    std::array<Change, Parts> changes;
    for (std::size_t p = 0; p < Parts; ++p) {
      changes[p] =
          look_up(Lookup::kAhead ? ahead[direction][p] : find(p, direction, tile), h[p] + nearer);
      if (changes[p].h > allowed) {
        if (changes[p].h <= fringe_.farthest()) keep(direction, tile, depth, h, nearer);
        return false;
      }
    }
    for (const Change& change : changes) *change.slot = change.after;
    board_[blank] = static_cast<Byte>(tile);
    path_[depth] = static_cast<Byte>(direction);
    const auto descend = [&](const auto&... change) {
      return below(source, depth + 1, pruning_.after(state, direction), change.h...);
    };
    const bool ended = std::apply(descend, changes);
    board_[source] = static_cast<Byte>(tile);
    for (const Change& change : changes) *change.slot = change.before;
    return ended;
  }

  [[gnu::always_inline]] Target find(std::size_t p, Direction direction, std::size_t tile) {
    const std::size_t pattern = pattern_of_[p][tile];
    Slot& slot = slots_[p][pattern];
    const std::uint32_t index = index_of(slot) + slides_[p][direction][tile];
    const Lookup& table = tables_[p][pattern];
    return {&slot, table.data, index, table.place(index)};
  }

  [[gnu::always_inline]] Change look_up(const Target& target, std::int32_t h) {
    const Slot before = *target.slot;
    const auto excess =
        2 * static_cast<std::int32_t>(PatternTable::excess(target.data, target.place));
    return {target.slot, before, slot_of(target.index, excess), h - excess_of(before) + excess};
  }

  // For the fringe, if the next bound is the one that lets this move pass.
  [[gnu::noinline]] void keep(Direction direction, std::size_t tile, std::size_t depth,
                              const std::array<std::int32_t, Parts>& h, std::int32_t nearer) {
    std::int32_t most = 0;
    for (std::size_t p = 0; p < Parts; ++p) {
      most = std::max(most, look_up(find(p, direction, tile), h[p] + nearer).h);
    }
    if (most != allowance_[depth + 1] + 2 || most > fringe_.farthest()) return;
    path_[depth] = static_cast<Byte>(direction);
    fringe_.add(reinterpret_cast<const std::uint8_t*>(path_.data()), most);
  }

  static constexpr unsigned kChildren[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

  const Patterns& patterns_;
  const MovePruning& pruning_;
  const std::size_t cols_;
  std::array<std::array<Lookup, Patterns::kMostPatterns>, Parts> tables_;
  std::array<ByTile<std::uint8_t>, Parts> pattern_of_;
  std::array<std::array<ByTile<std::uint32_t>, kDirections>, Parts> slides_;
  std::array<std::uint8_t, kMaxCells> moves_{};
  std::array<std::array<ByTile<std::int8_t>, kMaxCells>, kDirections> steps_{};
  std::array<Byte, kMaxCells> board_{};
  std::array<std::array<Slot, Patterns::kMostPatterns>, Parts> slots_{};
  const std::int32_t* allowance_ = nullptr;
  Pulse* pulse_ = nullptr;
  std::vector<Byte> path_;
  std::size_t found_depth_ = 0;
  bool stopped_ = false;
  Answers* answers_ = nullptr;
  std::size_t most_answers_ = 0;
  Fringe fringe_;
};

}  // namespace taquin
