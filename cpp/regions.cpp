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

bool RegionFinder::is_main(Mask mask, std::size_t cell) const {
  const Mask free = all_ & ~mask;
  Mask region = Mask{1} << cell;
  // A large one is so after some steps, which are not worth a look.
  for (int step = 0; step < 4; ++step) region |= around(region) & free;
  for (Mask before = 0; before != region;) {
    if (2 * std::popcount(region) > std::popcount(free)) return true;
    before = region;
    region |= around(region) & free;
  }
  return false;
}

Mask RegionFinder::around(Mask cells) const {
  return cells << cols_ | cells >> cols_ | (cells & not_last_) << 1U | (cells & not_first_) >> 1U;
}

}  // namespace taquin
