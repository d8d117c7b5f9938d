#include "dense_places.h"

#include <stdexcept>
#include <string>

namespace taquin {

namespace {

// How many ways there are to put tiles into different cells.
std::uint64_t arrangements(std::size_t cells, std::size_t tiles) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < tiles; ++i) count *= cells - i;
  return count;
}

// Numbers those ways, by the packed cells, in ascending order.
std::vector<std::uint16_t> number(std::size_t cells, std::size_t tiles) {
  std::vector<std::uint16_t> numbers(std::size_t{1} << (4 * tiles));
  std::uint16_t next = 0;
  for (std::size_t packed = 0; packed < numbers.size(); ++packed) {
    std::uint32_t seen = 0;
    bool apart = true;
    for (std::size_t i = 0; i < tiles; ++i) {
      const std::size_t cell = packed >> (4 * i) & 15U;
      apart = apart && cell < cells && (seen >> cell & 1U) == 0;
      seen |= 1U << cell;
    }
    if (apart) numbers[packed] = next++;
  }
  return numbers;
}

}  // namespace

std::uint64_t DensePlaces::count(std::size_t tiles) {
  return arrangements(kCells, tiles);
}

DensePlaces::DensePlaces(std::size_t tiles) {
  if (!suit(kCells, tiles) || tiles > 2 * kLast) {
    throw std::invalid_argument("tables without gaps are for 7 and 8 tiles, not " +
                                std::to_string(tiles));
  }
  const std::size_t leading = tiles - kLast;
  padding_ = 0xffffU << (4 * leading) & 0xffffU;
  last_count_ = static_cast<std::uint32_t>(arrangements(kCells - leading, kLast));
  for (std::uint64_t cells = 0; cells < beyond_.size(); ++cells) {
    const std::uint64_t ones = kOnes & 0xffffffffU;
    beyond_[cells] = ((cells & 15U) + 1) * ones | ((cells >> 4U) + 1) * ones << 32U;
  }
  leading_ = number(kCells, leading);
  last_ = number(kCells - leading, kLast);
}

}  // namespace taquin
