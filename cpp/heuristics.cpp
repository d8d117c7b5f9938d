#include "heuristics.h"

#include <cstdlib>

namespace taquin {

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
