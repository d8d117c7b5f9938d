#include <algorithm>
#include <bit>
#include <random>
#include <stdexcept>
#include <vector>

#include "bit_fields.h"
#include "check.h"
#include "fall_layout.h"
#include "pattern_table.h"

using namespace taquin;

namespace {

Mask mirror_image(Mask mask, std::size_t cols) {
  Mask image = 0;
  for (std::size_t cell = 0; cell < FallLayout::kMostCells; ++cell) {
    if (mask >> cell & 1U) image |= Mask{1} << (cell / cols * cols + cols - 1 - cell % cols);
  }
  return image;
}

// Pairs of neighbours of which one is taken.
int slides(Mask mask, std::size_t rows, std::size_t cols) {
  int count = 0;
  const auto differ = [&](std::size_t one, std::size_t other) {
    return (mask >> one ^ mask >> other) & 1U;
  };
  for (std::size_t cell = 0; cell < rows * cols; ++cell) {
    if (cell % cols + 1 < cols && differ(cell, cell + 1)) ++count;
    if (cell / cols + 1 < rows && differ(cell, cell + cols)) ++count;
  }
  return count;
}

// Every mask has room for its slides that no other one has, nor another order.
void no_two_share_a_bit(std::size_t rows, std::size_t cols, std::size_t tiles, bool is_half) {
  const FallLayout layout(rows, cols, tiles, is_half);
  const std::uint64_t order_bytes = layout.bytes(1) - layout.bytes(0);
  std::vector<bool> taken(2 * 8 * order_bytes);
  std::size_t masks = 0;
  for (Mask mask = 0; mask < Mask{1} << rows * cols; ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) != tiles) continue;
    if (is_half && mirror_image(mask, cols) < mask) continue;
    CHECK(layout.masks()[masks++] == mask);
    const int count = std::popcount(layout.edges_of(mask));
    CHECK(count == slides(mask, rows, cols));
    for (std::uint64_t order = 0; order < 2; ++order) {
      const std::uint64_t place = layout.place(order, mask);
      CHECK(place / (8 * order_bytes) == order);
      for (std::uint64_t i = place; i < place + static_cast<std::uint64_t>(count); ++i) {
        CHECK(!taken[i]);
        taken[i] = true;
      }
    }
  }
  CHECK(masks == layout.masks().size());
  const auto used = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), true));
  CHECK(taken.size() - used <= 2 * 8 * (masks / FallLayout::kMasksOfGroup + 2));
}

void edges_lead_from_cell_to_cell() {
  const FallLayout layout(4, 4, 3, false);
  std::uint32_t all = 0;
  for (std::size_t one = 0; one < 16; ++one) {
    for (std::size_t other = 0; other < 16; ++other) {
      if (one == other) continue;
      const bool beside = one / 4 == other / 4   ? one + 1 == other || other + 1 == one
                          : one % 4 == other % 4 ? one + 4 == other || other + 4 == one
                                                 : false;
      CHECK(std::popcount(layout.edge(one, other)) == (beside ? 1 : 0));
      all |= layout.edge(one, other);
    }
  }
  CHECK(std::popcount(all) == static_cast<int>(FallLayout::kMostEdges));
}

void words_are_read_from_any_bit() {
  const std::vector<std::uint8_t> bytes{0x12, 0x34, 0x56, 0x78, 0x9a};
  CHECK(FallLayout::word(bytes.data(), 0) == 0x78563412);
  CHECK(FallLayout::word(bytes.data(), 4) == 0x7856341);
  CHECK(FallLayout::word(bytes.data(), 8) == 0x9a785634);
}

// Only the largest tables, and where the blank's home is no obstacle.
void what_has_half_a_table() {
  const auto is_half = [](int rows, int cols, int blank, const std::vector<std::int64_t>& cells) {
    return Pattern(Goal(rows, cols, blank), cells).fall_layout().is_half();
  };
  CHECK(is_half(4, 4, 0, {8, 9, 10, 11, 12, 13, 14, 15}));
  CHECK(is_half(4, 4, 8, {0, 1, 2, 3, 4, 5, 6, 7}));
  CHECK(is_half(3, 3, 4, {0, 1, 2, 3, 5, 6, 7, 8}));
  CHECK(!is_half(4, 4, 0, {8, 9, 10, 12, 13, 14, 15}));    // seven tiles
  CHECK(!is_half(4, 4, 0, {2, 3, 6, 7, 10, 11, 14, 15}));  // its mirror image is another one
  CHECK(!is_half(3, 4, 0, {1, 2, 4, 5, 6, 7, 9, 10}));     // the blank is shut into a corner
  CHECK(!is_half(3, 3, 0, {1, 2, 3, 4, 5, 6, 7, 8}));
  CHECK_THROWS(std::invalid_argument, FallLayout(3, 6, 4, false));
}

void bit_fields_agree() {
  if (!NativeBitFields::are_there()) return;
  std::mt19937 random(3);
  for (int i = 0; i < 10'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const auto mask = static_cast<std::uint32_t>(random() & random());
    CHECK(NativeBitFields::deposit(bits, mask) == PlainBitFields::deposit(bits, mask));
    CHECK(NativeBitFields::extract(bits, mask) == PlainBitFields::extract(bits, mask));
    const std::uint32_t packed = PlainBitFields::extract(bits, mask);
    CHECK(PlainBitFields::deposit(packed, mask) == (bits & mask));
  }
}

}  // namespace

int main() {
  no_two_share_a_bit(2, 2, 1, false);
  no_two_share_a_bit(2, 3, 5, false);
  no_two_share_a_bit(3, 3, 8, true);
  no_two_share_a_bit(3, 5, 6, false);
  no_two_share_a_bit(2, 8, 3, false);
  for (const std::size_t tiles : {1, 6, 7, 8}) no_two_share_a_bit(4, 4, tiles, false);
  no_two_share_a_bit(4, 4, 8, true);
  edges_lead_from_cell_to_cell();
  words_are_read_from_any_bit();
  what_has_half_a_table();
  bit_fields_agree();
}
