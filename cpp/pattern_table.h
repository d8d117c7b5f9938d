#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "board.h"
#include "dense_places.h"
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
  // Whether its table has no gaps; see PatternTable.
  bool is_dense() const { return DensePlaces::suit(cells(), homes.size()); }
};

// How many moves the tiles of a pattern need at least, for all places where they can be: the
// moves of the other tiles don't count, so that the values of patterns without common tiles
// add up. A value is the Manhattan distance and twice a number of four bits. It stands at
// the index whose digits, to the base of the number of cells, are the tiles' cells. In a
// dense table, that of many tiles, it stands where DensePlaces puts this index.
class PatternTable {
 public:
  // Four bits hold less than the few largest values; they are cut, and stay lower bounds.
  static constexpr unsigned kMostExcess = 15;

  static std::uint64_t bytes(const Pattern& pattern);
  // How many places there are of tiles and blank regions: what building settles.
  static std::uint64_t places(const Pattern& pattern);
  // The bytes of memory that building takes, beside those of the table.
  static std::uint64_t working_bytes(const Pattern& pattern);
  // Searches breadth-first from the pattern's home; Stopped when the hook stops it.
  static void build(const Pattern& pattern, std::span<std::uint8_t> out, std::size_t threads,
                    Heartbeat& heart);

  // Both throw std::invalid_argument when the bytes are too many or too few.
  PatternTable(Pattern pattern, std::span<const std::uint8_t> data);

  const Pattern& pattern() const { return pattern_; }
  const std::uint8_t* data() const { return data_.data(); }
  // How a dense table is laid out; null for others.
  const DensePlaces* dense() const { return dense_ ? &*dense_ : nullptr; }
  // How many times two moves more than the Manhattan distance.
  static unsigned excess(const std::uint8_t* data, std::uint64_t place) {
    return data[place >> 1U] >> ((place & 1U) << 2U) & 15U;
  }
  // The same, by the positional index.
  unsigned excess(std::uint64_t index) const {
    return excess(data(), dense_ ? dense_->of(static_cast<std::uint32_t>(index)) : index);
  }
  // The value for tiles in these cells, given in the order of their homes.
  std::int64_t value(const std::vector<std::int64_t>& cells) const;

 private:
  Pattern pattern_;
  std::optional<DensePlaces> dense_;
  std::span<const std::uint8_t> data_;
};

}  // namespace taquin
