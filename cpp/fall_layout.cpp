#include "fall_layout.h"

#include <bit>
#include <stdexcept>
#include <string>

namespace taquin {

namespace {

Mask mirror_image(Mask mask, std::size_t cols) {
  Mask image = 0;
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    image |= Mask{1} << mirrored(static_cast<std::size_t>(std::countr_zero(rest)), cols);
  }
  return image;
}

}  // namespace

FallLayout::FallLayout(std::size_t rows, std::size_t cols, std::size_t tiles, bool is_half)
    : tiles_(tiles), is_half_(is_half) {
  const std::size_t cells = rows * cols;
  if (cells > kMostCells) {
    throw std::invalid_argument("tables of falls are for boards of at most " +
                                std::to_string(kMostCells) + " cells");
  }
  std::uint32_t edge = 1;
  const auto connect = [&](std::size_t one, std::size_t other) {
    edges_at_[one] |= edge;
    edges_at_[other] |= edge;
    edge <<= 1U;
  };
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (cell % cols + 1 < cols) connect(cell, cell + 1);
    if (cell + cols < cells) connect(cell, cell + cols);
  }
  number_masks(cells);
  const auto to_whole_byte = [&] { order_bits_ = (order_bits_ + 7) / 8 * 8; };
  for (Mask mask = 0; mask < Mask{1} << cells; ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) != tiles) continue;
    const bool is_left_out = is_half && mirror_image(mask, cols) < mask;
    if (!is_left_out && masks_.size() % kMasksOfGroup == 0) to_whole_byte();
    offsets_.push_back(static_cast<std::uint32_t>(order_bits_));
    if (is_left_out) continue;
    masks_.push_back(mask);
    order_bits_ += static_cast<std::uint64_t>(std::popcount(edges_of(mask)));
  }
  to_whole_byte();
}

void FallLayout::number_masks(std::size_t cells) {
  std::array<std::uint8_t, 9> with{};  // so many cells: how many lower bytes there are
  const std::uint32_t bytes = 256;
  for (std::uint32_t byte = 0; byte < bytes && byte < 1U << cells; ++byte) {
    lower_[byte] = with[static_cast<std::size_t>(std::popcount(byte))]++;
  }
  std::uint32_t next = 0;
  for (std::uint32_t byte = 0; byte < bytes && byte << 8U < 1U << cells; ++byte) {
    const auto count = static_cast<std::size_t>(std::popcount(byte));
    upper_[byte] = static_cast<std::uint16_t>(next);
    if (count <= tiles_ && tiles_ - count < with.size()) next += with[tiles_ - count];
  }
}

std::uint32_t FallLayout::edges_of(Mask mask) const {
  std::uint32_t edges = 0;
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    edges ^= edges_at_[static_cast<std::size_t>(std::countr_zero(rest))];
  }
  return edges;
}

}  // namespace taquin
