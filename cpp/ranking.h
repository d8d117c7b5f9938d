#pragma once

#include <cstdint>
#include <vector>

#include "board.h"

namespace taquin {

// Numbers the boards that reach a goal from 0 without gaps:
//   rank = blank's cell * (n-1)!/2 + half,
// where half is the lexicographic rank of the other tiles in reading order, halved:
// parity fixes the order of the last two. On a line the blank's cell says it all.
class Ranking {
 public:
  static constexpr std::size_t kMaxCells = 16;

  explicit Ranking(const Goal& goal);

  std::uint64_t size() const { return goal_.cells() * boards_per_blank_; }
  std::uint64_t boards_per_blank() const { return boards_per_blank_; }

  // The tiles must reach the goal: what is out of order is not noticed.
  std::uint64_t rank(const Tile* tiles) const;
  void unrank(std::uint64_t rank, Tile* tiles) const;

 private:
  bool inversions_odd(std::size_t blank) const;

  Goal goal_;
  std::uint64_t boards_per_blank_ = 1;
  std::vector<std::uint64_t> weights_;
};

}  // namespace taquin
