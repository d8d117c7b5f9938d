#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "regions.h"

namespace taquin {

// The index of tiles has their cells as digits, to the base of the number of cells. There are none
// with the first two tiles in one cell: tables leave these gaps out, a twenty-fifth of 25 cells.
class Gaps {
 public:
  Gaps() = default;
  Gaps(std::size_t cells, std::size_t tiles) {
    if (tiles < 2) return;
    size_ = 1;
    for (std::size_t i = 2; i < tiles; ++i) size_ *= cells;
    // Counted from the middle of a gap, where no index is: so rounding does no harm.
    const auto period = static_cast<double>(size_ * (cells + 1));
    per_index_ = 1 / period;
    first_ = 1 - static_cast<double>(size_) / (2 * period);
  }

  std::uint64_t size() const { return size_; }
  // How many of them are before an index, if rounded down: a linear function.
  double per_index() const { return per_index_; }
  double first() const { return first_; }

  // The number of an index when they are left out.
  std::uint64_t number(std::uint64_t index) const {
    const double before = static_cast<double>(index) * per_index_ + first_;
    return index - size_ * static_cast<std::uint64_t>(before);
  }

 private:
  std::uint64_t size_ = 0;
  double per_index_ = 0;
  double first_ = 0;
};

// Where the tiles of a pattern can be, and the blank among them. The cells that the tiles
// take up are a mask; the order in which they lie in those cells is one of k! ranks. The
// other cells fall into regions in which the blank moves freely: mask and region together
// are a block, and all orders of a block share its moves. A mask's first region is its
// largest; few masks have more than three.
class PatternSpace {
 public:
  using Mask = taquin::Mask;
  static constexpr std::size_t kMaxCells = kMaxRegionCells;
  static constexpr std::size_t kMaxTiles = 8;

  // The space of `tiles` tiles; std::invalid_argument when there are too many of something.
  PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles);
  // The same; Stopped when the hook stops it.
  PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles, Heartbeat& heart);

  std::size_t cells() const { return rows_ * cols_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t tiles() const { return tiles_; }
  std::uint32_t orders() const { return orders_; }
  std::uint32_t masks() const { return static_cast<std::uint32_t>(masks_.size()); }
  std::uint32_t blocks() const { return regions_.back().first_block; }
  std::uint64_t places() const { return std::uint64_t{blocks()} * orders_; }
  const Gaps& gaps() const { return gaps_; }

  Mask mask(std::uint32_t index) const { return masks_[index]; }
  std::uint32_t index(Mask mask) const {
    return lower_[mask & lower_cells_] + upper_[mask >> lower_count_];
  }
  std::uint32_t first_block(std::uint32_t index) const { return regions_[index].first_block; }
  // The region of a cell that the mask leaves free.
  std::uint8_t region(std::uint32_t index, std::size_t cell) const {
    return regions_[index].of_cell[cell];
  }
  std::uint32_t block(std::uint32_t index, std::size_t blank) const {
    return first_block(index) + region(index, blank);
  }
  // The colour of a cell.
  static bool is_odd(std::size_t cell, std::size_t cols) {
    return (cell / cols + cell % cols) % 2 != 0;
  }
  // What a search sees of a region: a corner of the board, another single cell, the main region,
  // which has more than half of all free cells, or one that is none of these.
  static constexpr unsigned kOther = 0, kCorner = 1, kSingle = 2, kMain = 3;
  static unsigned kind_of_single(std::size_t cell, std::size_t rows, std::size_t cols) {
    const std::size_t row = cell / cols, col = cell % cols;
    return (row == 0 || row + 1 == rows) && (col == 0 || col + 1 == cols) ? kCorner : kSingle;
  }
  unsigned kind_of(std::uint32_t index, std::uint32_t region) const {
    return regions_[index].kinds >> 2 * region & 3U;
  }
  // Where kinds may not be enough, all regions but the main one have blocks elsewhere. The main one
  // is the first.
  std::uint32_t first_far_region(std::uint32_t index) const {
    return kind_of(index, 0) == kMain ? 1 : 0;
  }
  std::uint32_t far_block(std::uint32_t index, std::uint32_t region) const {
    return regions_[index].first_far_block + region - first_far_region(index);
  }
  bool has_far(std::uint32_t index) const {
    return regions_[index].first_far_block < regions_[index + 1].first_far_block;
  }
  std::uint32_t far_blocks() const { return regions_.back().first_far_block; }

  // The cells next to a cell.
  const std::vector<std::size_t>& neighbours(std::size_t cell) const { return near_[cell]; }

  // The rank is a sum over the tiles: how many of the ones before it lie in lower cells,
  // times the factorial of its number.
  static constexpr std::uint32_t kFactorial[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
  // How a tile's way from a lower cell to a higher one changes the rank for each tile that
  // lies in between; on the way back it is the negative.
  static std::int32_t passing(std::size_t tile, std::size_t passed) {
    return passed < tile ? static_cast<std::int32_t>(kFactorial[tile])
                         : -static_cast<std::int32_t>(kFactorial[passed]);
  }

 private:
  void number_masks();
  void find_regions(Heartbeat& heart);
  void add_regions(const FreeRegions& regions);

  // Of a mask. Together, as whoever looks one of them up wants the others, too.
  struct Regions {
    std::uint32_t first_block = 0;
    std::uint32_t first_far_block = 0;
    std::uint32_t kinds = 0;  // two bits for each
    std::array<std::uint8_t, kMaxCells> of_cell{};
  };

  std::size_t rows_;
  std::size_t cols_;
  std::size_t tiles_;
  std::uint32_t orders_;
  Gaps gaps_;
  std::vector<std::vector<std::size_t>> near_;
  std::vector<Mask> masks_;
  // Masks are numbered by their upper half first, so a mask's number is the sum of two
  // lookups: where the upper half begins, and the lower one's number among those with as
  // many cells.
  std::size_t lower_count_;
  Mask lower_cells_;
  std::vector<std::uint16_t> lower_;
  std::vector<std::uint32_t> upper_;
  std::vector<Regions> regions_;  // and one behind them
};

}  // namespace taquin
