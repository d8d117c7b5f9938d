#include "regions.h"

#include <bit>
#include <utility>

namespace taquin {

RegionFinder::RegionFinder(std::size_t rows, std::size_t cols) : cols_(cols) {
  for (std::size_t cell = 0; cell < rows * cols; ++cell) {
    const Mask bit = Mask{1} << cell;
    all_ |= bit;
    if (cell % cols > 0) not_first_ |= bit;
    if (cell % cols + 1 < cols) not_last_ |= bit;
  }
}

FreeRegions RegionFinder::of(Mask mask) const {
  FreeRegions found;
  for (Mask free = all_ & ~mask; free != 0; ++found.count) {
    Mask region = free & (~free + 1);
    for (Mask before = 0; before != region;) {
      before = region;
      region |= around(region) & free;
    }
    free ^= region;
    found.cells[found.count] = region;
    if (std::popcount(region) > std::popcount(found.cells[0])) {
      std::swap(found.cells[0], found.cells[found.count]);
    }
  }
  return found;
}

Mask RegionFinder::around(Mask cells) const {
  return cells << cols_ | cells >> cols_ | (cells & not_last_) << 1U | (cells & not_first_) >> 1U;
}

RegionTable::RegionTable(std::size_t rows, std::size_t cols, std::size_t most)
    : lower_count_((rows * cols + 1) / 2), lower_cells_((Mask{1} << lower_count_) - 1) {
  const RegionFinder finder(rows, cols);
  std::vector<Mask> lows;
  std::vector<std::size_t> enough;  // how many of them have at most so many cells
  lower_.resize(lower_cells_ + 1);
  for (std::size_t count = 0; count <= most; ++count) {
    for (Mask low = 0; low < lower_.size(); ++low) {
      if (static_cast<std::size_t>(std::popcount(low)) != count) continue;
      lower_[low] = static_cast<std::uint16_t>(lows.size());
      lows.push_back(low);
    }
    enough.push_back(lows.size());
  }
  upper_.resize(std::size_t{1} << (rows * cols - lower_count_));
  for (std::size_t high = 0; high < upper_.size(); ++high) {
    const auto count = static_cast<std::size_t>(std::popcount(high));
    upper_[high] = static_cast<std::uint32_t>(regions_.size());
    for (std::size_t i = 0; count <= most && i < enough[most - count]; ++i) {
      const FreeRegions found = finder.of(Mask{high} << lower_count_ | lows[i]);
      std::uint64_t packed = std::uint64_t{kElsewhere} << shift(kMaxRegionCells);
      for (std::uint32_t region = 1; region < found.count; ++region) {
        for (Mask rest = found.cells[region]; rest != 0; rest &= rest - 1) {
          packed |= std::uint64_t{std::min(region, kElsewhere)}
                    << shift(static_cast<std::size_t>(std::countr_zero(rest)));
        }
      }
      regions_.push_back(packed);
    }
  }
}

}  // namespace taquin
