#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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
  // Whether more than half of the free cells are in the region of one of them.
  bool is_main(Mask mask, std::size_t cell) const;

 private:
  Mask around(Mask cells) const;

  std::size_t cols_;
  Mask all_ = 0;
  Mask not_first_ = 0;  // all cells but those of the first column
  Mask not_last_ = 0;
};

}  // namespace taquin
