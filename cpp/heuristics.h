#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "board.h"
#include "walking.h"

namespace taquin {

// The distances of the tiles from home, and two moves for each that has to leave its line so that
// others get past it.
// A heartbeat is heard on large boards; Stopped when its hook stops it.
std::int64_t linear_conflict(const Goal& goal, const Tiles& tiles, Heartbeat* heart = nullptr);

// Heuristics as a search carries them: a small value that a move turns into the next.

class Manhattan {
 public:
  struct Value {
    std::int64_t distance;
  };

  explicit Manhattan(const Goal& goal);

  Value start(const Tiles& tiles) const;
  // After `tile` slid from `source` in `direction`.
  Value after(Value value, Direction direction, Tile tile, std::size_t source) const {
    const Direction axis = direction >> 1U;
    const auto here = line_of_cell_[axis][source];
    const auto goal = line_of_tile_[axis][tile];
    const bool nearer = direction & 1U ? goal > here : goal < here;
    return {value.distance + (nearer ? -1 : 1)};
  }
  static std::int64_t distance(Value value) { return value.distance; }

 private:
  std::array<std::vector<std::int32_t>, 2> line_of_cell_;
  std::array<std::vector<std::int32_t>, 2> line_of_tile_;
};

class Walking {
 public:
  struct Value {
    LineTable::Entry entry[2];
  };

  explicit Walking(const WalkingDistance& distance);

  Value start(const Tiles& tiles) const;
  Value after(Value value, Direction direction, Tile tile, std::size_t) const {
    LineTable::Entry& entry = value.entry[direction >> 1U];
    entry = table_[direction >> 1U]->after(entry, slot_[direction][tile]);
    return value;
  }
  static std::int64_t distance(Value value) {
    return LineTable::distance(value.entry[0]) + LineTable::distance(value.entry[1]);
  }

 private:
  const WalkingDistance& distance_;
  std::array<const LineTable*, 2> table_;
  std::array<std::vector<std::uint16_t>, kDirections> slot_;
};

}  // namespace taquin
