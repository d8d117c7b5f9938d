#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
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
  static constexpr std::size_t kMostPartitions = 64;
  static constexpr std::size_t kMostPatterns = 12;
  static constexpr std::size_t kMaxCells = PatternSpace::kMaxCells;

  // Throws std::invalid_argument when tables, tiles and cells don't fit the goal.
  Patterns(const Goal& goal, const std::vector<Partition>& partitions);
  // Some of the partitions, by their numbers; std::invalid_argument if there is no such one.
  Patterns only(const std::vector<std::int64_t>& numbers) const;

  struct Part {
    std::vector<PatternUse> uses;
    std::array<std::uint8_t, kMaxCells> pattern_of{};
    // What a tile in a cell adds to the index of its pattern.
    std::array<std::array<std::uint64_t, kMaxCells>, kMaxCells> digit{};  // [cell][tile]
    // What a slide adds to it, wherever it happens.
    std::array<std::array<std::uint64_t, kMaxCells>, kDirections> slide{};  // [direction][tile]
  };

  const Goal& goal() const { return goal_; }
  const std::vector<Part>& parts() const { return parts_; }
  // Whether the tables have falls, as those of all small boards do.
  bool has_falls() const { return parts_[0].uses[0].table->falls() != nullptr; }
  // Whether one of them has half of all arrangements.
  bool has_halves() const;
  // How many patterns all partitions have.
  std::size_t count() const;
  // How a table of falls is laid out. One for all tables that are laid out alike, so that the
  // processor's caches hold more of it.
  const FallLayout& fall_layout(const PatternTable& table) const;
  // Whether a tile in a cell is an odd number of moves from home.
  unsigned parity(Tile tile, std::size_t cell) const {
    const std::size_t home = goal_.cell_of(tile);
    return (goal_.row(cell) + goal_.col(cell) + goal_.row(home) + goal_.col(home)) & 1U;
  }
  std::int64_t distance(const Tiles& tiles) const;
  // The sum of a partition.
  std::int64_t sum(const Part& part, const Tiles& tiles) const;

 private:
  explicit Patterns(const Goal& goal) : goal_(goal) {}
  void add(const Partition& partition);
  void add(const PatternUse& use, Part& part, std::vector<bool>& taken);
  void find_slides(std::size_t tile, Part& part) const;

  Goal goal_;
  std::vector<Part> parts_;
};

// The same distances with all values spelled out, for whoever asks for all boards of a small
// shape.
class SpelledPatterns {
 public:
  static constexpr std::size_t kMostCells = 12;

  explicit SpelledPatterns(const Patterns& patterns);
  std::int64_t distance(const Tiles& tiles) const;

 private:
  using Values = std::vector<std::uint8_t>;
  std::int64_t sum(std::size_t number, const Tiles& tiles, std::size_t blank) const;

  const Patterns& patterns_;
  std::map<const PatternTable*, Values> spelled_;
  std::vector<std::vector<const Values*>> values_;  // of each partition's patterns
};

}  // namespace taquin
