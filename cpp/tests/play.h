#pragma once

#include <random>
#include <string_view>
#include <utility>

#include "board.h"

namespace taquin {

// The board after the moves; an empty one when a move can't be made.
inline Tiles play(const Goal& goal, Tiles tiles, std::string_view letters) {
  for (const char letter : letters) {
    const auto direction = static_cast<Direction>(std::string_view(kLetters).find(letter));
    const std::size_t blank = blank_cell(tiles);
    if (direction >= kDirections || !(goal.moves(blank) >> direction & 1U)) return {};
    std::swap(tiles[blank], tiles[goal.source(blank, direction)]);
  }
  return tiles;
}

// A board some random moves away from the goal.
inline Tiles wander(const Goal& goal, int moves, std::mt19937& random) {
  Tiles tiles = goal.tiles();
  std::size_t blank = goal.blank();
  while (moves > 0) {
    const auto direction = static_cast<Direction>(random() % kDirections);
    if (!(goal.moves(blank) >> direction & 1U)) continue;
    const std::size_t source = goal.source(blank, direction);
    std::swap(tiles[blank], tiles[source]);
    blank = source;
    --moves;
  }
  return tiles;
}

}  // namespace taquin
