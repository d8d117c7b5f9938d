#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"
#include "pattern_table.h"

namespace taquin {

// Which tiles of a goal a pattern table speaks of, and how the board lies in the table: one
// table serves all patterns that a turn or a reflection of the board maps onto its own.
struct PatternUse {
  const PatternTable* table;
  std::vector<std::int64_t> tiles;  // in the order of the table's homes
  std::vector<std::int64_t> cells;  // the table's cell for each cell of the board
};

// Patterns without common tiles, whose values add up.
using Partition = std::vector<PatternUse>;

// The largest of several partitions' sums, prepared for a search that changes it move by move.
class Patterns {
 public:
  static constexpr std::size_t kMostPartitions = 4;
  static constexpr std::size_t kMostPatterns = 12;
  static constexpr std::size_t kMaxCells = 64;

  // Throws std::invalid_argument when tables, tiles and cells don't fit the goal.
  Patterns(const Goal& goal, const std::vector<Partition>& partitions);

  struct Part {
    std::array<const PatternTable*, kMostPatterns> tables{};
    std::array<std::uint8_t, kMaxCells> pattern_of{};
    // What a tile in a cell adds to the index of its pattern.
    std::array<std::array<std::uint32_t, kMaxCells>, kMaxCells> digit{};  // [cell][tile]
    // What a slide adds to it, wherever it happens.
    std::array<std::array<std::uint32_t, kMaxCells>, kDirections> slide{};  // [direction][tile]
    std::size_t patterns = 0;
  };

  const Goal& goal() const { return goal_; }
  const std::vector<Part>& parts() const { return parts_; }
  // Whether the tables are dense: either all are, or none.
  bool is_dense() const { return parts_[0].tables[0]->dense() != nullptr; }
  // One for all tables of so many tiles, so that the processor's caches hold more of it.
  const DensePlaces* dense(std::size_t tiles) const;
  std::int64_t manhattan(const Tiles& tiles) const;
  std::int64_t distance(const Tiles& tiles) const;

 private:
  void add(const Partition& partition);
  void add(const PatternUse& use, Part& part, std::vector<bool>& taken) const;
  void find_slides(std::size_t tile, Part& part) const;
  void find_manhattan();

  Goal goal_;
  std::array<std::array<std::uint8_t, kMaxCells>, kMaxCells> manhattan_{};  // [cell][tile]
  std::vector<Part> parts_;
};

}  // namespace taquin
