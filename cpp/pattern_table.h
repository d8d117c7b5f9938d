#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "board.h"
#include "heartbeat.h"

namespace taquin {

// The tiles of a pattern, by the cells where they are at home. The blank's home matters
// where the pattern shuts it in.
struct Pattern {
  std::size_t rows;
  std::size_t cols;
  std::size_t blank;
  std::vector<std::size_t> homes;

  // Throws std::invalid_argument that names what is wrong.
  Pattern(const Goal& goal, const std::vector<std::int64_t>& cells);

  std::size_t cells() const { return rows * cols; }
  std::int64_t manhattan(std::size_t tile, std::size_t cell) const;
};

// How many moves the tiles of a pattern need at least, for all places where they can be: the
// moves of the other tiles don't count, so that the values of patterns without common tiles
// add up. A value is the Manhattan distance and twice a number of four bits. It stands at
// the index whose digits, to the base of the number of cells, are the tiles' cells.
class PatternTable {
 public:
  // Four bits hold less than the few largest values; they are cut, and stay lower bounds.
  static constexpr unsigned kMostExcess = 15;

  static std::uint64_t bytes(const Pattern& pattern);
  // How many places there are of tiles and blank regions: what building settles.
  static std::uint64_t places(const Pattern& pattern);
  // Searches breadth-first from the pattern's home; Stopped when the hook stops it.
  static void build(const Pattern& pattern, std::span<std::uint8_t> out, std::size_t threads,
                    Heartbeat& heart);

  // Both throw std::invalid_argument when the bytes are too many or too few.
  PatternTable(Pattern pattern, std::span<const std::uint8_t> data);

  const Pattern& pattern() const { return pattern_; }
  const std::uint8_t* data() const { return data_.data(); }
  // How many times two moves more than the Manhattan distance.
  static unsigned excess(const std::uint8_t* data, std::uint64_t index) {
    return data[index >> 1U] >> ((index & 1U) << 2U) & 15U;
  }
  // The value for tiles in these cells, given in the order of their homes.
  std::int64_t value(const std::vector<std::int64_t>& cells) const;

 private:
  Pattern pattern_;
  std::span<const std::uint8_t> data_;
};

}  // namespace taquin
