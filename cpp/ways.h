#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

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

// So many moves again. Throws std::invalid_argument if these are not as many.
inline std::vector<std::uint8_t> unpacked_ways(const std::vector<std::uint8_t>& packed,
                                               std::size_t moves) {
  if (packed.size() != (moves + kMovesOfByte - 1) / kMovesOfByte) {
    throw std::invalid_argument("there are not " + std::to_string(moves) + " moves");
  }
  std::vector<std::uint8_t> ways(moves);
  for (std::size_t i = 0; i < moves; ++i) {
    ways[i] = packed[i / kMovesOfByte] >> 2 * (i % kMovesOfByte) & 3U;
  }
  return ways;
}

}  // namespace taquin
