#include "patterns.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

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
  for (const Partition& partition : partitions) add(partition);
  const Pattern& first = parts_[0].uses[0].table->pattern();
  for (const Part& part : parts_) {
    for (const PatternUse& use : part.uses) {
      if (use.table->pattern().rows != first.rows) {
        throw std::invalid_argument("the boards of all tables must lie alike");
      }
    }
  }
}

const FallLayout& Patterns::fall_layout(const PatternTable& table) const {
  const FallLayout& own = *table.falls();
  for (const Part& part : parts_) {
    for (const PatternUse& use : part.uses) {
      const FallLayout& layout = *use.table->falls();
      if (layout.tiles() == own.tiles() && layout.is_half() == own.is_half()) return layout;
    }
  }
  return own;
}

bool Patterns::has_halves() const {
  for (const Part& part : parts_) {
    for (const PatternUse& use : part.uses) {
      if (use.table->falls() != nullptr && use.table->falls()->is_half()) return true;
    }
  }
  return false;
}

std::size_t Patterns::count() const {
  std::size_t count = 0;
  for (const Part& part : parts_) count += part.uses.size();
  return count;
}

Patterns Patterns::only(const std::vector<std::int64_t>& numbers) const {
  if (numbers.empty()) throw std::invalid_argument("a partition at least is needed");
  Patterns chosen(goal_);
  for (const std::int64_t number : numbers) {
    if (number < 0 || static_cast<std::size_t>(number) >= parts_.size()) {
      throw std::invalid_argument("there is no partition " + std::to_string(number));
    }
    chosen.parts_.push_back(parts_[static_cast<std::size_t>(number)]);
  }
  return chosen;
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
  parts_.push_back(std::move(part));
}

void Patterns::add(const PatternUse& use, Part& part, std::vector<bool>& taken) {
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
    part.pattern_of[tile] = static_cast<std::uint8_t>(part.uses.size());
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      part.digit[cell][tile] = stride * cells[cell];
    }
    find_slides(tile, part);
  }
  // A search without falls has a word for index, mask and value.
  const unsigned bits = goal_.cells() <= 30 ? 30 : 26;
  if (!pattern.has_falls() && stride > std::uint64_t{1} << bits) {
    throw std::invalid_argument("a pattern has too many tiles to search with");
  }
  part.uses.push_back(use);
}

// Turns and reflections keep neighbours together, so a slide changes the index by the same
// amount everywhere.
void Patterns::find_slides(std::size_t tile, Part& part) const {
  std::array<bool, kDirections> known{};
  for (std::size_t blank = 0; blank < goal_.cells(); ++blank) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if ((goal_.moves(blank) >> direction & 1U) == 0) continue;
      std::uint64_t& slide = part.slide[direction][tile];
      const std::uint64_t change =
          part.digit[blank][tile] - part.digit[goal_.source(blank, direction)][tile];
      if (known[direction] && slide != change) {
        throw std::invalid_argument("the cells of a pattern table must lie as on the board");
      }
      known[direction] = true;
      slide = change;
    }
  }
}

std::int64_t Patterns::distance(const Tiles& tiles) const {
  std::int64_t most = 0;
  for (const Part& part : parts_) most = std::max(most, sum(part, tiles));
  return most;
}

std::int64_t Patterns::sum(const Part& part, const Tiles& tiles) const {
  std::vector<std::int64_t> cell_of(tiles.size());
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    cell_of[tiles[cell]] = static_cast<std::int64_t>(cell);
  }
  std::int64_t sum = 0;
  for (const PatternUse& use : part.uses) {
    const auto image = [&](std::int64_t tile) {
      return use.cells[static_cast<std::size_t>(cell_of[static_cast<std::size_t>(tile)])];
    };
    std::vector<std::int64_t> cells;
    for (const std::int64_t tile : use.tiles) cells.push_back(image(tile));
    sum += use.table->value(cells, image(0));
  }
  return sum;
}

SpelledPatterns::SpelledPatterns(const Patterns& patterns) : patterns_(patterns) {
  if (patterns.goal().cells() > kMostCells) {
    throw std::invalid_argument("values are spelled out for boards of at most " +
                                std::to_string(kMostCells) + " cells");
  }
  for (const Patterns::Part& part : patterns.parts()) {
    std::vector<const Values*>& values = values_.emplace_back();
    for (const PatternUse& use : part.uses) {
      const auto [found, fresh] = spelled_.try_emplace(use.table);
      if (fresh) found->second = use.table->values();
      values.push_back(&found->second);
    }
  }
}

std::int64_t SpelledPatterns::distance(const Tiles& tiles) const {
  const std::size_t blank = blank_cell(tiles);
  std::int64_t most = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) most = std::max(most, sum(i, tiles, blank));
  return most;
}

std::int64_t SpelledPatterns::sum(std::size_t number, const Tiles& tiles, std::size_t blank) const {
  const Patterns::Part& part = patterns_.parts()[number];
  std::array<std::uint64_t, Patterns::kMostPatterns> index{};
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    if (cell != blank) index[part.pattern_of[tiles[cell]]] += part.digit[cell][tiles[cell]];
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < part.uses.size(); ++i) {
    const auto hole = static_cast<std::size_t>(part.uses[i].cells[blank]);
    sum += (*values_[number][i])[index[i] * tiles.size() + hole];
  }
  return sum;
}

}  // namespace taquin
