#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "dense_places.h"
#include "heartbeat.h"
#include "pattern_kit.h"
#include "pattern_table.h"
#include "patterns.h"

using namespace taquin;

namespace {

// Puts the other tiles into cells in every way, in ascending order, and counts.
void count_up(const DensePlaces& places, std::size_t tiles, std::uint32_t taken,
              std::uint32_t index, std::uint32_t& next) {
  if (tiles == 0) {
    CHECK(places.of(index) == next++);
    return;
  }
  for (std::uint32_t cell = 0; cell < DensePlaces::kCells; ++cell) {
    if (taken >> cell & 1U) continue;
    count_up(places, tiles - 1, taken | 1U << cell, index << 4U | cell, next);
  }
}

void places_ascend_without_gaps() {
  const DensePlaces seven(7);
  std::uint32_t next = 0;
  count_up(seven, 7, 0, 0, next);
  CHECK(next == DensePlaces::count(7));
}

// Of eight tiles, those where the first two lie in given cells.
void places_of_eight_tiles_ascend() {
  const DensePlaces eight(8);
  const std::uint32_t each = 14 * 13 * 12 * 11 * 10 * 9;
  for (const std::uint32_t cells : {0x01U, 0x30U, 0xfeU}) {
    const std::uint32_t first = cells >> 4U;
    const std::uint32_t second = cells & 15U;
    std::uint32_t next = (first * 15 + second - (second > first ? 1 : 0)) * each;
    count_up(eight, 6, 1U << first | 1U << second, cells, next);
  }
  CHECK(eight.of(0xfedcba98) == DensePlaces::count(8) - 1);
}

void only_many_tiles_of_sixteen_cells_are_dense() {
  CHECK(Pattern(Goal(4, 4, 0), {1, 2, 3, 4, 5, 6, 7}).is_dense());
  CHECK(Pattern(Goal(2, 8, 0), {1, 2, 3, 4, 5, 6, 7, 8}).is_dense());
  CHECK(!Pattern(Goal(4, 4, 0), {1, 2, 3, 4, 5, 6}).is_dense());
  CHECK(!Pattern(Goal(3, 5, 0), {1, 2, 3, 4, 5, 6, 7}).is_dense());
  CHECK_THROWS(std::invalid_argument, DensePlaces(6));
  CHECK_THROWS(std::invalid_argument, DensePlaces(9));
}

std::vector<std::int64_t> all_cells() {
  std::vector<std::int64_t> cells;
  for (std::int64_t cell = 0; cell < 16; ++cell) cells.push_back(cell);
  return cells;
}

// Empty tables suffice to see which are taken together.
void layouts_do_not_mix() {
  const Goal goal(4, 4, 0);
  const Pattern seven(goal, {1, 2, 3, 4, 5, 6, 7});
  const Pattern one(goal, {15});
  const std::vector<std::uint8_t> nothing(bytes_of(seven));
  const PatternTable first(seven, nothing);
  const PatternTable second(Pattern(goal, {8, 9, 10, 11, 12, 13, 14}), nothing);
  const PatternTable last(one, std::span(nothing).first(bytes_of(one)));
  const Partition partition{{&first, {1, 2, 3, 4, 5, 6, 7}, all_cells()},
                            {&second, {8, 9, 10, 11, 12, 13, 14}, all_cells()},
                            {&last, {15}, all_cells()}};
  CHECK_THROWS(std::invalid_argument, Patterns(goal, {partition}));
}

}  // namespace

int main() {
  places_ascend_without_gaps();
  places_of_eight_tiles_ascend();
  only_many_tiles_of_sixteen_cells_are_dense();
  layouts_do_not_mix();
}
