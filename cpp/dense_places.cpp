#include "dense_places.h"

#include <bit>
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

// Numbers those ways in ascending order, by their cells as the digits of a number to that base.
std::vector<std::uint16_t> number(std::size_t cells, std::size_t tiles) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < tiles; ++i) count *= cells;
  std::vector<std::uint16_t> numbers(count);
  std::uint16_t next = 0;
  for (std::size_t digits = 0; digits < count; ++digits) {
    std::uint32_t seen = 0;
    std::size_t rest = digits;
    for (std::size_t i = 0; i < tiles; ++i, rest /= cells) seen |= 1U << rest % cells;
    if (static_cast<std::size_t>(std::popcount(seen)) == tiles) numbers[digits] = next++;
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
  free_count_ = kCells - leading;
  last_count_ = static_cast<std::uint32_t>(arrangements(free_count_, kLast));
  for (std::uint64_t cells = 0; cells < beyond_.size(); ++cells) {
    const std::uint64_t ones = kOnes & 0xffffffffU;
    beyond_[cells] = ((cells & 15U) + 1) * ones | ((cells >> 4U) + 1) * ones << 32U;
  }
  leading_ = number(kCells, leading);
  last_ = number(free_count_, kLast);
}

}  // namespace taquin
