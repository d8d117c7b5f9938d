#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "board.h"
#include "patterns.h"

namespace taquin {

// Which of an index's bits is that of the blank's region. What it takes to know that of a
// cell, where the blank is, is a Hole; cells are those of the table's board. Slots have masks
// from `kMaskAt` on, and below them indexes.
template <unsigned MaskAt>
struct KindsOfRegions {
  static constexpr unsigned kMaskAt = MaskAt;

  static std::uint64_t index_of(std::uint64_t slot) {
    return slot & ((std::uint64_t{1} << kMaskAt) - 1);
  }

  struct Hole {
    std::uint64_t around;
    unsigned kind;  // if the cell is a region on its own
  };

  explicit KindsOfRegions(const Pattern& pattern) : finder(pattern.rows, pattern.cols) {}
  static Hole hole(const Goal& board, std::size_t cell) {
    Mask around = 0;
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (board.moves(cell) >> direction & 1U) around |= Mask{1} << board.source(cell, direction);
    }
    return {around << kMaskAt, PatternSpace::kind_of_single(cell, board.rows(), board.cols())};
  }

  [[gnu::always_inline]] bool choose(std::uint64_t slot, const Hole& hole, unsigned& bits) const {
    const bool differ = (bits & PatternTable::kDiffer) != 0;
    const unsigned alone = is_alone(slot, hole) ? 1U : 0U;
    bits >>= (0U - alone) & hole.kind;  // without a branch, as it is hard to foretell
    return !differ;
  }
  static bool is_alone(std::uint64_t slot, const Hole& hole) { return (~slot & hole.around) == 0; }

  const RegionFinder finder;
};

// What moves change in the patterns of one or more partitions, prepared for searches that look
// into the tables move by move.
template <std::size_t Parts, class Regions>
class PatternMoves {
 public:
  static constexpr std::size_t kParts = Parts;
  static constexpr std::size_t kMaxCells = Patterns::kMaxCells;

  // Where a pattern's tiles are: the table's index, the mask of their cells, and at the top two
  // bits that count the value down, modulo four. The highest bit is then the one that the table has
  // after a move if the value grows. One word, because two halves written are slow to be read as
  // one.
  using Slot = std::uint64_t;
  static constexpr unsigned kMaskAt = Regions::kMaskAt;
  static constexpr unsigned kCountAt = 62;

  // A pattern.
  struct Place {
    Slot slot;  // of the board in place
    const std::uint8_t* data;
    Gaps gaps;
    const PatternUse* use;
    std::array<typename Regions::Hole, kMaxCells> holes;
    // What a slide into a cell changes in the mask and, if the value falls, in the count.
    std::array<std::array<Slot, kDirections>, kMaxCells> turns;
    std::size_t number;  // among all patterns
  };
  // A tile: its patterns, and what its slides add to their indexes.
  struct Mover {
    std::array<Place*, Parts> place;
    std::array<std::array<Slot, kDirections>, Parts> step;
  };

  // Where a move leads in a partition if the value falls, and where the table's bits are.
  struct Target {
    Slot moved;
    std::uint64_t at;
  };

  explicit PatternMoves(const Patterns& patterns)
      : patterns_(patterns),
        cols_(patterns.goal().cols()),
        regions_(patterns.parts()[0].uses[0].table->pattern()),
        own_(std::make_unique<Own>()) {
    const Goal& goal = patterns.goal();
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      moves_[cell] = static_cast<std::uint8_t>(goal.moves(cell));
    }
    std::size_t number = 0;
    for (std::size_t p = 0; p < Parts; ++p) {
      const Patterns::Part& part = patterns.parts()[p];
      for (std::size_t i = 0; i < part.uses.size(); ++i) {
        prepare(part.uses[i], own_->places[p][i]);
        own_->places[p][i].number = number++;
      }
      for (std::size_t tile = 1; tile < goal.cells(); ++tile) {
        own_->movers[tile].place[p] = &own_->places[p][part.pattern_of[tile]];
        for (Direction direction = 0; direction < kDirections; ++direction) {
          own_->movers[tile].step[p][direction] = part.slide[direction][tile];
        }
      }
    }
  }

  const Patterns& patterns() const { return patterns_; }
  const Mover& mover(std::size_t tile) const { return own_->movers[tile]; }
  std::size_t tile_of(const Mover& mover) const {
    return static_cast<std::size_t>(&mover - own_->movers.data());
  }
  const Place& place(std::size_t part, std::size_t pattern) const {
    return own_->places[part][pattern];
  }
  static std::uint64_t index_of(Slot slot) { return Regions::index_of(slot); }
  // The directions, as bits, in which tiles can slide into a cell.
  unsigned of(std::size_t cell) const { return moves_[cell]; }

  [[gnu::always_inline]] std::size_t source_of(std::size_t blank, Direction direction) const {
    const std::size_t step = direction < 2 ? cols_ : 1;
    return direction & 1U ? blank - step : blank + step;
  }

  // Calls visit(place) for all patterns.
  template <class Visit>
  void for_each_place(const Visit& visit) const {
    for (std::size_t p = 0; p < Parts; ++p) {
      for (std::size_t i = 0; i < patterns_.parts()[p].uses.size(); ++i) visit(own_->places[p][i]);
    }
  }

  // Puts a board in place.
  void put(const Tiles& tiles) {
    for_each_place([](Place& place) { place.slot = 0; });
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
      const Tile tile = tiles[cell];
      if (tile == 0) continue;
      for (std::size_t p = 0; p < Parts; ++p) {
        Place& place = *mover(tile).place[p];
        place.slot += patterns_.parts()[p].digit[cell][tile] + mask_bit(*place.use, cell);
        place.slot ^= Slot{patterns_.parity(tile, cell)} << kCountAt;
      }
    }
    set_bits(blank_cell(tiles));
  }

  // The highest bits of all slots, by what the tables have.
  void set_bits(std::size_t blank) {
    for_each_place([&](Place& place) {
      const unsigned bit = bit_at(place, place.slot, blank);
      place.slot &= ~Slot{0} >> 1U;
      place.slot |= (place.slot >> kCountAt ^ bit) << 63U;
    });
  }

  // The slot after a move, if the value falls.
  [[gnu::always_inline]] static Slot moved(std::size_t p, Slot before, std::size_t blank,
                                           Direction direction, const Mover& mover) {
    return before + mover.place[p]->turns[blank][direction] + mover.step[p][direction];
  }

  [[gnu::always_inline]] Target find(std::size_t p, Slot before, std::size_t blank,
                                     Direction direction, const Mover& mover) const {
    const Slot after = moved(p, before, blank, direction, mover);
    return {after, PatternTable::kBitsOfIndex * mover.place[p]->gaps.number(index_of(after))};
  }

  // Whether the value grows, 1 or 0, where the blank is in `hole` thereafter.
  [[gnu::always_inline]] unsigned look_up(const Place& place, Slot before, const Target& target,
                                          std::size_t hole) const {
    unsigned bit = static_cast<unsigned>(place.data[target.at / 8]) >> (target.at & 4U);
    if (!regions_.choose(target.moved, place.holes[hole], bit)) [[unlikely]] {
      bit = bit_of_differing(place, target, hole);
    }
    return ~(static_cast<unsigned>(before >> 63U) ^ bit) & 1U;
  }

 private:
  void prepare(const PatternUse& use, Place& place) const {
    const Goal& goal = patterns_.goal();
    const Pattern& pattern = use.table->pattern();
    const Goal board(static_cast<std::int64_t>(pattern.rows),
                     static_cast<std::int64_t>(pattern.cols), 0);
    place.data = use.table->data();
    place.gaps = use.table->space().gaps();
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
  static Mask mask_of(Slot slot) { return (slot & ((Slot{1} << kCountAt) - 1)) >> kMaskAt; }

  // The table's bit, wherever it is.
  static unsigned bit_at(const Place& place, Slot slot, std::size_t blank) {
    return place.use->table->bit(index_of(slot), mask_of(slot), cell_in(place, blank));
  }
  static std::size_t cell_in(const Place& place, std::size_t cell) {
    return static_cast<std::size_t>(place.use->cells[cell]);
  }

  // The table's bit where larger regions differ.
  [[gnu::noinline]] unsigned bit_of_differing(const Place& place, Target target,
                                              std::size_t hole) const {
    const unsigned bits = static_cast<unsigned>(place.data[target.at / 8]) >> (target.at & 4U);
    const bool alone = Regions::is_alone(target.moved, place.holes[hole]);
    if (!alone && regions_.finder.is_main(mask_of(target.moved), cell_in(place, hole))) {
      return bits;
    }
    if ((bits & PatternTable::kElsewhere) == PatternTable::kElsewhere) {
      return bit_at(place, target.moved, hole);
    }
    return alone ? bits >> place.holes[hole].kind : ~bits;
  }

  const Patterns& patterns_;
  const std::size_t cols_;
  const Regions regions_;
  std::array<std::uint8_t, kMaxCells> moves_{};
  // Behind a pointer, so that it stays where it is when this is moved.
  struct Own {
    std::array<Mover, kMaxCells> movers{};
    std::array<std::array<Place, Patterns::kMostPatterns>, Parts> places{};
  };
  std::unique_ptr<Own> own_;
};

}  // namespace taquin
