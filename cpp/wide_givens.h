#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "move_pruning.h"
#include "patterns.h"
#include "wide_board.h"

namespace taquin::wide {

template <class Value, std::size_t Count>
using Row = std::array<Value, Count>;

// What depends on the blank's cell, for each move.
struct alignas(32) Cell {
  Row<std::uint32_t, kLanes> source{};   // the tile's cell; in the third byte, its direction
  Row<std::uint32_t, kLanes> toggled{};  // which cells of a mask change
  Row<std::uint32_t, kLanes> around{};   // what is around the blank thereafter
  Row<std::uint32_t, kLanes> alone{};    // the bits that a table has if it is then shut in
};

// What does not change while boards are expanded: what goal, tables and automaton say of each cell,
// tile and pattern. In rows of 32 bytes, as registers take them.
class Givens {
 public:
  Givens(const Patterns& patterns, const MovePruning& pruning);

  // Of the table that the places of words are counted from.
  static std::uintptr_t first_address(const Patterns& patterns);
  static std::uintptr_t address(const PatternUse& use) {
    return reinterpret_cast<std::uintptr_t>(use.table->data());
  }

  std::size_t slot_of(std::size_t part, std::size_t tile) const {
    return slot_in(part, patterns.parts()[part].pattern_of[tile]);
  }
  const PatternUse& use_of(std::size_t slot) const {
    return patterns.parts()[slot / WideSearch::kMostPatterns]
        .uses[slot % WideSearch::kMostPatterns];
  }
  // The moves of a board that are not pruned, as lanes of a partition.
  std::uint8_t moves_of(Brief brief) const {
    return lanes_of_[moves_[blank_of(brief)] & allowed[state_of(brief)]];
  }

  const Patterns& patterns;
  const std::uint8_t* const allowed;  // by states of the automaton, as is what follows
  const std::array<MovePruning::State, kDirections>* const next;

  using Word = std::uint32_t __attribute__((may_alias));
  const Word* words = nullptr;  // of all tables

  static constexpr std::uint32_t kOther = std::uint32_t{1} << 31U;  // no slot of a tile's

  std::array<Cell, kRoom> cells{};
  alignas(64) Row<std::uint8_t, WideSearch::kParts * kRoom> slot_and_digit{};  // of tiles
  alignas(32) Row<std::int8_t, kSlots * kDirections> slides{};                 // in a table's cells
  alignas(32) Row<std::uint32_t, kMostTiles> strides{};                        // of digits
  alignas(32) Row<std::uint32_t, kSlots> offsets{};  // of tables, in words
  alignas(32) Row<std::uint32_t, kSlots> gap_size{};
  alignas(32) Row<float, kSlots> gaps_per_index{}, first_gaps{};
  alignas(32) std::array<Row<std::uint8_t, kRoom>, kRoom> spot{};            // a cell, filled
  alignas(32) std::array<Row<std::uint32_t, kSlots>, kRoom> lane_of_slot{};  // first one, by tile
  alignas(32) std::array<Row<std::uint32_t, kSlots>, 0x12> flips{};          // by what grows
  std::array<Brief, 0x12> deeper{};                                          // the same
  std::uint32_t board = 0, not_first = 0, not_last = 0;  // all cells, and without those of a column
  std::uint32_t cols = 0;

 private:
  static std::size_t slot_in(std::size_t part, std::size_t pattern) {
    return part * WideSearch::kMostPatterns + pattern;
  }

  void prepare_moves();
  void prepare_growing();
  void prepare_board();
  void prepare_cell(std::size_t at);
  void prepare_tables();
  void prepare_tile(std::size_t tile);

  Row<std::uint8_t, kRoom> moves_{};
  Row<std::uint8_t, 16> lanes_of_{};  // of moves
};

}  // namespace taquin::wide
