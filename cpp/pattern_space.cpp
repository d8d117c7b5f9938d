#include "pattern_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <stdexcept>
#include <string>

namespace taquin {

namespace {

using Mask = PatternSpace::Mask;

constexpr std::size_t kMasksPerBeat = 4096;

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t ways = 1;
  for (std::uint64_t i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
  return ways;
}

using Order = std::array<std::uint8_t, PatternSpace::kMaxTiles>;

Order order_of(std::uint32_t rank, std::size_t tiles) {
  Order order{};
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const auto lower = rank / PatternSpace::kFactorial[tile] % (tile + 1);
    for (std::size_t place = tile; place > lower; --place) order[place] = order[place - 1];
    order[lower] = static_cast<std::uint8_t>(tile);
  }
  return order;
}

// The rank after the tiles in a place and the next were exchanged. It changes by one tile of
// lower number that now lies, or no longer lies, below the other.
std::uint32_t exchanged(std::uint32_t rank, const Order& order, std::size_t place) {
  const std::uint8_t a = order[place];
  const std::uint8_t b = order[place + 1];
  return a < b ? rank - PatternSpace::kFactorial[b] : rank + PatternSpace::kFactorial[a];
}

}  // namespace

PatternSpace::PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles)
    : PatternSpace(rows, cols, tiles, *std::make_unique<Heartbeat>()) {}

PatternSpace::PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles, Heartbeat& heart)
    : rows_(rows), cols_(cols), tiles_(tiles), lower_cells_((rows * cols + 1) / 2) {
  if (tiles < 1 || tiles > kMaxTiles || cells() > kMaxCells || tiles >= cells()) {
    throw std::invalid_argument("a pattern has 1 to " + std::to_string(kMaxTiles) +
                                " tiles, on a board of at most " + std::to_string(kMaxCells) +
                                " cells");
  }
  orders_ = kFactorial[tiles];
  const Goal shape(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols), 0);
  near_.resize(cells());
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (shape.moves(cell) >> direction & 1U) near_[cell].push_back(shape.source(cell, direction));
    }
  }
  number_masks();
  find_regions(heart);
  find_reorders();
}

// Masks are numbered in the order of their values.
void PatternSpace::number_masks() {
  const std::size_t upper_cells = cells() - lower_cells_;
  lower_.assign(std::size_t{1} << lower_cells_, 0);
  for (std::size_t half = 0; half < lower_.size(); ++half) {
    std::uint64_t count = 0;
    for (std::size_t cell = 0; cell < lower_cells_; ++cell) {
      if (half >> cell & 1U && ++count <= tiles_) {
        lower_[half] += static_cast<std::uint32_t>(choose(cell, count));
      }
    }
  }
  upper_.assign((tiles_ + 1) << upper_cells, 0);
  for (std::size_t below = 0; below <= tiles_; ++below) {
    for (std::size_t half = 0; half < std::size_t{1} << upper_cells; ++half) {
      std::uint64_t count = below;
      for (std::size_t cell = 0; cell < upper_cells; ++cell) {
        if (half >> cell & 1U && ++count <= tiles_) {
          upper_[(below << upper_cells) + half] +=
              static_cast<std::uint32_t>(choose(cell + lower_cells_, count));
        }
      }
    }
  }
  const std::uint64_t count = choose(cells(), tiles_);
  masks_.reserve(count);
  Mask mask = (Mask{1} << tiles_) - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    masks_.push_back(mask);
    const Mask lowest = mask & (~mask + 1);
    const Mask carried = mask + lowest;
    mask = ((carried ^ mask) >> 2U) / lowest | carried;
  }
}

std::uint32_t PatternSpace::index(Mask mask) const {
  const std::size_t upper_cells = cells() - lower_cells_;
  const Mask low = mask & ((Mask{1} << lower_cells_) - 1);
  const auto below = static_cast<std::size_t>(std::popcount(low));
  return lower_[low] + upper_[(below << upper_cells) + (mask >> lower_cells_)];
}

void PatternSpace::find_regions(Heartbeat& heart) {
  region_.resize(masks_.size() * cells());
  first_block_.assign(1, 0);
  for (std::size_t i = 0; i < masks_.size(); ++i) {
    if (i % kMasksPerBeat == 0) heart.beat();
    if (heart.halted()) throw Stopped("building a pattern table was stopped");
    const std::uint8_t count = label_regions(masks_[i], region_.data() + i * cells());
    first_block_.push_back(first_block_.back() + count);
  }
}

std::uint8_t PatternSpace::label_regions(Mask mask, std::uint8_t* region) const {
  std::array<std::size_t, kMaxCells> waiting{};
  Mask seen = mask;
  std::uint8_t count = 0;
  for (std::size_t start = 0; start < cells(); ++start) {
    if (seen >> start & 1U) continue;
    std::size_t size = 0;
    waiting[size++] = start;
    seen |= Mask{1} << start;
    while (size > 0) {
      const std::size_t cell = waiting[--size];
      region[cell] = count;
      for (const std::size_t next : near_[cell]) {
        if (seen >> next & 1U) continue;
        seen |= Mask{1} << next;
        waiting[size++] = next;
      }
    }
    ++count;
  }
  return count;
}

// A tile that slides up or down passes at most cols - 1 others, one after the other.
void PatternSpace::find_reorders() {
  reorders_.assign(tiles_ * tiles_, {});
  std::vector<Ranks> exchanges(tiles_ - 1, Ranks(orders_));
  for (std::uint32_t rank = 0; rank < orders_; ++rank) {
    const Order order = order_of(rank, tiles_);
    for (std::size_t place = 0; place + 1 < tiles_; ++place) {
      exchanges[place][rank] = static_cast<std::uint16_t>(exchanged(rank, order, place));
    }
  }
  for (std::size_t from = 0; from < tiles_; ++from) {
    Ranks up(orders_);
    for (std::uint32_t rank = 0; rank < orders_; ++rank)
      up[rank] = static_cast<std::uint16_t>(rank);
    Ranks down = up;
    reorders_[from * tiles_ + from] = up;
    for (std::size_t passed = 1; passed < cols_; ++passed) {
      if (from + passed < tiles_) {
        for (std::uint16_t& rank : up) rank = exchanges[from + passed - 1][rank];
        reorders_[from * tiles_ + from + passed] = up;
      }
      if (passed <= from) {
        for (std::uint16_t& rank : down) rank = exchanges[from - passed][rank];
        reorders_[from * tiles_ + from - passed] = down;
      }
    }
  }
}

}  // namespace taquin
