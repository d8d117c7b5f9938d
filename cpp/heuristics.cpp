#include "heuristics.h"

#include <algorithm>
#include <cstdlib>

#include "heartbeat.h"

namespace taquin {

namespace {

// How many of these numbers have to go so that the others are in order: all but a longest
// increasing sequence.
std::int64_t out_of_order(const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> ends;  // the least end of the sequences of each length
  for (const std::size_t number : numbers) {
    const auto end = std::lower_bound(ends.begin(), ends.end(), number);
    if (end == ends.end()) {
      ends.push_back(number);
    } else {
      *end = number;
    }
  }
  return static_cast<std::int64_t>(numbers.size() - ends.size());
}

}  // namespace

std::int64_t linear_conflict(const Goal& goal, const Tiles& tiles, Heartbeat* heart) {
  const auto look = [&] {
    if (heart != nullptr) heart->beat_or_stop();
  };
  look();
  const Manhattan manhattan(goal);
  look();
  std::int64_t value = manhattan.start(tiles).distance;
  std::vector<std::size_t> homes;
  const auto look_along = [&](std::size_t first, std::size_t step, std::size_t length,
                              std::size_t (Goal::*line)(std::size_t) const) {
    homes.clear();
    for (std::size_t cell = first; length > 0; cell += step, --length) {
      const std::size_t home = goal.cell_of(tiles[cell]);
      if (tiles[cell] != 0 && (goal.*line)(home) == (goal.*line)(cell)) homes.push_back(home);
    }
    value += 2 * out_of_order(homes);
    look();
  };
  for (std::size_t row = 0; row < goal.rows(); ++row) {
    look_along(row * goal.cols(), 1, goal.cols(), &Goal::row);
  }
  for (std::size_t col = 0; col < goal.cols(); ++col) {
    look_along(col, goal.cols(), goal.rows(), &Goal::col);
  }
  return value;
}

Manhattan::Manhattan(const Goal& goal) {
  for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
    const std::size_t goal_cell = goal.cell_of(static_cast<Tile>(cell));
    line_of_cell_[0].push_back(static_cast<std::int32_t>(goal.row(cell)));
    line_of_cell_[1].push_back(static_cast<std::int32_t>(goal.col(cell)));
    line_of_tile_[0].push_back(static_cast<std::int32_t>(goal.row(goal_cell)));
    line_of_tile_[1].push_back(static_cast<std::int32_t>(goal.col(goal_cell)));
  }
}

Manhattan::Value Manhattan::start(const Tiles& tiles) const {
  Value value{0};
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    if (tiles[cell] == 0) continue;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      value.distance += std::abs(line_of_cell_[axis][cell] - line_of_tile_[axis][tiles[cell]]);
    }
  }
  return value;
}

Walking::Walking(const WalkingDistance& distance)
    : distance_(distance), table_{&distance.row_table(), &distance.column_table()} {
  const Goal& goal = distance.goal();
  for (Direction direction = 0; direction < kDirections; ++direction) {
    for (std::size_t tile = 0; tile < goal.cells(); ++tile) {
      const std::size_t cell = goal.cell_of(static_cast<Tile>(tile));
      const std::size_t line = direction < 2 ? goal.row(cell) : goal.col(cell);
      slot_[direction].push_back(
          static_cast<std::uint16_t>(table_[direction >> 1U]->slot(direction, line)));
    }
  }
}

Walking::Value Walking::start(const Tiles& tiles) const {
  return {{distance_.row_entry(tiles), distance_.column_entry(tiles)}};
}

}  // namespace taquin
