#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"
#include "heartbeat.h"

namespace taquin {

// Where the tiles of a pattern can be, and the blank among them. The cells that the tiles
// take up are a mask; the order in which they lie in those cells is one of k! ranks. The
// other cells fall into regions in which the blank moves freely: mask and region together
// are a block, and all orders of a block share its moves.
class PatternSpace {
 public:
  using Mask = std::uint64_t;
  static constexpr std::size_t kMaxCells = 49;
  static constexpr std::size_t kMaxTiles = 8;

  // The space of `tiles` tiles; std::invalid_argument when there are too many of something.
  PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles);
  // The same; Stopped when the hook stops it.
  PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles, Heartbeat& heart);

  std::size_t cells() const { return rows_ * cols_; }
  std::size_t tiles() const { return tiles_; }
  std::uint32_t orders() const { return orders_; }
  std::uint32_t masks() const { return static_cast<std::uint32_t>(masks_.size()); }
  std::uint32_t blocks() const { return first_block_.back(); }

  Mask mask(std::uint32_t index) const { return masks_[index]; }
  std::uint32_t index(Mask mask) const;
  std::uint32_t first_block(std::uint32_t index) const { return first_block_[index]; }
  // The block with the blank in a cell that the mask leaves free.
  std::uint32_t block(std::uint32_t index, std::size_t blank) const {
    return first_block_[index] + region_[index * cells() + blank];
  }
  // The cells next to a cell.
  const std::vector<std::size_t>& neighbours(std::size_t cell) const { return near_[cell]; }

  // The rank is a sum over the tiles: how many of the ones before it lie in lower cells,
  // times the factorial of its number.
  static constexpr std::uint32_t kFactorial[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
  // The ranks after the tile in the place `from` of the order went to the place `to`.
  using Ranks = std::vector<std::uint16_t>;
  const Ranks& reorder(std::size_t from, std::size_t to) const {
    return reorders_[from * tiles_ + to];
  }

 private:
  void number_masks();
  void find_regions(Heartbeat& heart);
  std::uint8_t label_regions(Mask mask, std::uint8_t* region) const;
  void find_reorders();

  std::size_t rows_;
  std::size_t cols_;
  std::size_t tiles_;
  std::uint32_t orders_;
  std::vector<std::vector<std::size_t>> near_;
  std::vector<Mask> masks_;
  // A mask's number is the sum of two lookups, of its lower and its upper half; the upper
  // one needs to know how many cells the lower one has.
  std::size_t lower_cells_;
  std::vector<std::uint32_t> lower_;
  std::vector<std::uint32_t> upper_;
  std::vector<std::uint32_t> first_block_;
  std::vector<std::uint8_t> region_;
  std::vector<Ranks> reorders_;
};

}  // namespace taquin
