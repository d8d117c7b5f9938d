#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace taquin {

// Cells, a bit for each.
using Mask = std::uint64_t;

inline constexpr std::size_t kMaxRegionCells = 36;

// The cells that a mask leaves free, in the regions where a blank can move freely. The first
// region is the largest, or of equal ones that of the lowest cell.
struct FreeRegions {
  std::array<Mask, kMaxRegionCells> cells;
  std::uint32_t count = 0;
};

// Finds the regions of masks on boards of a shape.
class RegionFinder {
 public:
  RegionFinder(std::size_t rows, std::size_t cols);
  FreeRegions of(Mask mask) const;

 private:
  Mask around(Mask cells) const;

  std::size_t cols_;
  Mask all_ = 0;
  Mask not_first_ = 0;  // all cells but those of the first column
  Mask not_last_ = 0;
};

// The region of each cell, for all masks of so many cells and fewer, as a search wants it:
// two bits for each cell. Fourth and further regions are not told apart, and cells from the
// 32nd on have no bits of their own; of both it only says `kElsewhere`.
class RegionTable {
 public:
  static constexpr unsigned kElsewhere = 3;

  RegionTable(std::size_t rows, std::size_t cols, std::size_t most);

  unsigned of(Mask mask, std::size_t cell) const {
    const std::uint32_t number = lower_[mask & lower_cells_] + upper_[mask >> lower_count_];
    return static_cast<unsigned>(regions_[number] >> shift(cell) & 3U);
  }

 private:
  // Masks are numbered by their upper half first, so a mask's number is the sum of two
  // lookups: where the upper half begins, and the lower one's number by the number of its
  // cells, as those with too many are left out.
  static unsigned shift(std::size_t cell) {
    return 2 * static_cast<unsigned>(std::min<std::size_t>(cell, 31));
  }
  std::size_t lower_count_;
  Mask lower_cells_;
  std::vector<std::uint16_t> lower_;
  std::vector<std::uint32_t> upper_;
  std::vector<std::uint64_t> regions_;
};

}  // namespace taquin
