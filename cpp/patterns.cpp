#include "patterns.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace taquin {

Patterns::Patterns(const Goal& goal, const std::vector<Partition>& partitions) : goal_(goal) {
  if (goal.cells() > kMaxCells) {
    throw std::invalid_argument("patterns are for boards of at most " + std::to_string(kMaxCells) +
                                " cells");
  }
  if (partitions.empty() || partitions.size() > kMostPartitions) {
    throw std::invalid_argument("1 to " + std::to_string(kMostPartitions) +
                                " partitions are needed, not " + std::to_string(partitions.size()));
  }
  find_manhattan();
  for (const Partition& partition : partitions) add(partition);
  for (const Part& part : parts_) {
    for (std::size_t i = 0; i < part.patterns; ++i) {
      if ((part.tables[i]->dense() != nullptr) != is_dense()) {
        throw std::invalid_argument("dense tables go with dense ones only");
      }
    }
  }
}

void Patterns::add(const Partition& partition) {
  if (partition.size() > kMostPatterns) {
    throw std::invalid_argument("a partition has at most " + std::to_string(kMostPatterns) +
                                " patterns, not " + std::to_string(partition.size()));
  }
  Part part;
  std::vector<bool> taken(goal_.cells());
  for (const PatternUse& use : partition) add(use, part, taken);
  if (std::count(taken.begin(), taken.end(), true) + 1 != static_cast<long>(goal_.cells())) {
    throw std::invalid_argument("a partition must contain every tile");
  }
  parts_.push_back(part);
}

void Patterns::add(const PatternUse& use, Part& part, std::vector<bool>& taken) const {
  const Pattern& pattern = use.table->pattern();
  if (pattern.cells() != goal_.cells() || use.cells.size() != goal_.cells() ||
      use.tiles.size() != pattern.homes.size()) {
    throw std::invalid_argument("a pattern table is for another board");
  }
  std::vector<std::size_t> cells;
  for (const std::int64_t cell : use.cells) {
    if (cell < 0 || static_cast<std::size_t>(cell) >= goal_.cells() ||
        std::find(cells.begin(), cells.end(), cell) != cells.end()) {
      throw std::invalid_argument("the cells of a pattern table must be those of the board");
    }
    cells.push_back(static_cast<std::size_t>(cell));
  }
  std::uint64_t stride = 1;
  for (std::size_t i = use.tiles.size(); i-- > 0; stride *= goal_.cells()) {
    const std::int64_t number = use.tiles[i];
    if (number < 1 || static_cast<std::size_t>(number) >= goal_.cells() ||
        taken[static_cast<std::size_t>(number)]) {
      throw std::invalid_argument("tile " + std::to_string(number) +
                                  " is no tile, or in two patterns of a partition");
    }
    const auto tile = static_cast<std::size_t>(number);
    if (cells[goal_.cell_of(static_cast<Tile>(tile))] != pattern.homes[i]) {
      throw std::invalid_argument("tile " + std::to_string(number) +
                                  " is not at home where the table has it");
    }
    taken[tile] = true;
    part.pattern_of[tile] = static_cast<std::uint8_t>(part.patterns);
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      part.digit[cell][tile] = static_cast<std::uint32_t>(stride * cells[cell]);
    }
    find_slides(tile, part);
  }
  part.tables[part.patterns++] = use.table;
}

const DensePlaces* Patterns::dense(std::size_t tiles) const {
  for (const Part& part : parts_) {
    for (std::size_t i = 0; i < part.patterns; ++i) {
      if (part.tables[i]->pattern().homes.size() == tiles) return part.tables[i]->dense();
    }
  }
  return nullptr;
}

// Turns and reflections keep neighbours together, so a slide changes the index by the same
// amount everywhere.
void Patterns::find_slides(std::size_t tile, Part& part) const {
  std::array<bool, kDirections> known{};
  for (std::size_t blank = 0; blank < goal_.cells(); ++blank) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if ((goal_.moves(blank) >> direction & 1U) == 0) continue;
      std::uint32_t& slide = part.slide[direction][tile];
      const std::uint32_t change =
          part.digit[blank][tile] - part.digit[goal_.source(blank, direction)][tile];
      if (known[direction] && slide != change) {
        throw std::invalid_argument("the cells of a pattern table must lie as on the board");
      }
      known[direction] = true;
      slide = change;
    }
  }
}

std::int64_t Patterns::manhattan(const Tiles& tiles) const {
  std::int64_t sum = 0;
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) sum += manhattan_[cell][tiles[cell]];
  return sum;
}

void Patterns::find_manhattan() {
  const auto gap = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
  for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
    for (Tile tile = 1; tile < goal_.cells(); ++tile) {
      const std::size_t home = goal_.cell_of(tile);
      manhattan_[cell][tile] = static_cast<std::uint8_t>(gap(goal_.row(cell), goal_.row(home)) +
                                                         gap(goal_.col(cell), goal_.col(home)));
    }
  }
}

std::int64_t Patterns::distance(const Tiles& tiles) const {
  std::int64_t most = 0;
  for (const Part& part : parts_) {
    std::array<std::uint32_t, kMostPatterns> index{};
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
      if (tiles[cell] != 0) index[part.pattern_of[tiles[cell]]] += part.digit[cell][tiles[cell]];
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < part.patterns; ++i) {
      sum += part.tables[i]->excess(index[i]);
    }
    most = std::max(most, sum);
  }
  return manhattan(tiles) + 2 * most;
}

}  // namespace taquin
