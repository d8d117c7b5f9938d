#include "ranking.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace taquin {

namespace {

// Lists of small numbers, four bits each: number i in place i, and a one in every
// place but the lowest.
constexpr std::uint64_t kIdentity = 0xFEDCBA9876543210U;
constexpr std::uint64_t kOnesAbove = 0x1111111111111110U;

}  // namespace

Ranking::Ranking(const Goal& goal) : goal_(goal) {
  if (goal.cells() > kMaxCells) {
    throw std::invalid_argument("boards of more than " + std::to_string(kMaxCells) +
                                " cells are not ranked");
  }
  if (goal.is_line()) return;
  const std::size_t tiles = goal.cells() - 1;
  weights_.assign(tiles - 2, 1);
  for (std::size_t i = weights_.size(), factor = 3; i-- > 0; ++factor) {
    weights_[i] = boards_per_blank_;
    boards_per_blank_ *= factor;
  }
}

std::uint64_t Ranking::rank(const Tile* tiles) const {
  const std::size_t blank =
      static_cast<std::size_t>(std::find(tiles, tiles + goal_.cells(), Tile{0}) - tiles);
  std::uint64_t rank = blank * boards_per_blank_;
  std::uint64_t digits = kIdentity;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const unsigned place = 4U * (tiles[i + (i >= blank ? 1 : 0)] - 1U);
    rank += weights_[i] * (digits >> place & 15U);
    digits -= kOnesAbove << place;
  }
  return rank;
}

void Ranking::unrank(std::uint64_t rank, Tile* tiles) const {
  const std::size_t blank = rank / boards_per_blank_;
  std::uint64_t rest = rank % boards_per_blank_;
  std::uint64_t unused = kIdentity;
  std::size_t cell = 0;
  const auto place = [&](std::uint64_t digit) {
    const std::uint64_t below = (std::uint64_t{1} << 4U * digit) - 1U;
    cell += cell == blank ? 1 : 0;
    tiles[cell++] = static_cast<Tile>((unused >> 4U * digit & 15U) + 1U);
    unused = (unused & below) | (unused >> 4U & ~below);
  };
  bool swapped = inversions_odd(blank);
  for (const std::uint64_t weight : weights_) {
    const std::uint64_t digit = rest / weight;
    rest %= weight;
    swapped ^= digit & 1U;
    place(digit);
  }
  if (!goal_.is_line()) place(swapped ? 1 : 0);
  while (cell + (cell <= blank ? 1 : 0) < goal_.cells()) place(0);
  tiles[blank] = 0;
}

// Whether the other tiles have an odd number of inversions when the blank is there:
// a vertical move carries a tile past cols - 1 others, a horizontal one past none.
bool Ranking::inversions_odd(std::size_t blank) const {
  return (goal_.cols() - 1) * (goal_.row(blank) + goal_.row(goal_.blank())) % 2 == 1;
}

}  // namespace taquin
