#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "regions.h"

namespace taquin {

// The symmetry of a board that exchanges left and right.
inline std::size_t mirrored(std::size_t cell, std::size_t cols) {
  return cell + cols - 1 - 2 * (cell % cols);
}

// Where a table of a small board has the falls of an arrangement: for each slide that its tiles
// allow, a bit that is set if the value falls by it. Slides lead over the edges between a cell that
// is taken and one that is free, so all orders of the tiles in the same cells have as many. The
// bits of an arrangement, in the order of its edges, follow each other; so do those of all masks in
// the same order of tiles. A slide that passes no other tile stays among them, which is near.
//
// A pattern that is its own mirror image has the same values in two arrangements that are each
// other's mirror image. Its table can have one of the two: of their masks the smaller one.
class FallLayout {
 public:
  static constexpr std::size_t kMostCells = 16;
  static constexpr std::size_t kMostEdges = 24;  // of a board of so many cells

  FallLayout(std::size_t rows, std::size_t cols, std::size_t tiles, bool is_half);

  bool is_half() const { return is_half_; }
  std::size_t tiles() const { return tiles_; }
  // The bytes of all orders, and some more, as falls are read in words.
  std::uint64_t bytes(std::uint64_t orders) const {
    return orders * order_bits_ / 8 + sizeof(Word);
  }
  // The masks that the table has. So many of them, one after the other, have bytes of their own.
  const std::vector<Mask>& masks() const { return masks_; }
  static constexpr std::size_t kMasksOfGroup = 64;

  // The edges at a cell, as bits; those of several cells that lead out of them are the exclusive
  // or.
  std::uint32_t edges_at(std::size_t cell) const { return edges_at_[cell]; }
  std::uint32_t edges_of(Mask mask) const;
  // The edge between neighbours.
  std::uint32_t edge(std::size_t one, std::size_t other) const {
    return edges_at_[one] & edges_at_[other];
  }

  [[gnu::always_inline]] std::uint64_t place(std::uint64_t order, Mask mask) const {
    const std::size_t number = upper_[mask >> 8U & 255U] + std::size_t{lower_[mask & 255U]};
    return order * order_bits_ + offsets_[number];
  }

  // What is at a place, and what follows it. Compilers make one load of the four bytes.
  using Word = std::uint32_t;
  [[gnu::always_inline]] static Word word(const std::uint8_t* data, std::uint64_t place) {
    const std::uint8_t* const at = data + place / 8;
    const Word word = Word{at[0]} | Word{at[1]} << 8U | Word{at[2]} << 16U | Word{at[3]} << 24U;
    return word >> place % 8;
  }
  static_assert(kMostEdges + 7 <= 8 * sizeof(Word));

 private:
  const std::size_t tiles_;
  const bool is_half_;
  void number_masks(std::size_t cells);

  std::array<std::uint32_t, kMostCells> edges_at_{};
  std::uint64_t order_bits_ = 0;
  // A mask's number is the sum of two lookups: where its upper byte begins, and the number of the
  // lower one among those with as many cells.
  std::array<std::uint16_t, 256> upper_{};
  std::array<std::uint8_t, 256> lower_{};
  // By these numbers, where an order's bits for a mask begin.
  std::vector<std::uint32_t> offsets_;
  std::vector<Mask> masks_;
};

}  // namespace taquin
