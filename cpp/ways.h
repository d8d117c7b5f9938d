#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "board.h"

namespace taquin {

// Ways from the start to boards just beyond a bound, by their h: a byte for each move, one way
// after the other.
using FringePaths = std::map<std::int64_t, std::vector<std::uint8_t>>;

inline constexpr std::size_t kMovesOfByte = 4;

// Four moves in a byte.
inline std::vector<std::uint8_t> packed_ways(const std::vector<std::uint8_t>& ways) {
  std::vector<std::uint8_t> packed((ways.size() + kMovesOfByte - 1) / kMovesOfByte);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    packed[i / kMovesOfByte] |= static_cast<std::uint8_t>(ways[i] << 2 * (i % kMovesOfByte));
  }
  return packed;
}

// So many ways of so many moves each. Throws std::invalid_argument if there are fewer, or if one of
// them leads off the board.
inline std::vector<std::uint8_t> unpacked_ways(const Goal& goal, std::size_t blank,
                                               const std::vector<std::uint8_t>& packed,
                                               std::size_t count, std::size_t moves) {
  if (packed.size() != (count * moves + kMovesOfByte - 1) / kMovesOfByte) {
    throw std::invalid_argument("there are not " + std::to_string(count) + " ways of " +
                                std::to_string(moves) + " moves");
  }
  std::vector<std::uint8_t> ways(count * moves);
  for (std::size_t i = 0, at = blank; i < ways.size(); ++i) {
    if (i % moves == 0) at = blank;
    const std::uint8_t direction = packed[i / kMovesOfByte] >> 2 * (i % kMovesOfByte) & 3U;
    if ((goal.moves(at) >> direction & 1U) == 0) {
      throw std::invalid_argument("a way leads off the board");
    }
    at = goal.source(at, direction);
    ways[i] = direction;
  }
  return ways;
}

}  // namespace taquin
