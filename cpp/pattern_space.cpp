#include "pattern_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <stdexcept>
#include <string>

namespace taquin {

namespace {

constexpr std::size_t kMasksPerBeat = 4096;

}  // namespace

PatternSpace::PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles)
    : PatternSpace(rows, cols, tiles, *std::make_unique<Heartbeat>()) {}

PatternSpace::PatternSpace(std::size_t rows, std::size_t cols, std::size_t tiles, Heartbeat& heart)
    : rows_(rows), cols_(cols), tiles_(tiles), lower_count_((rows * cols + 1) / 2) {
  if (tiles < 1 || tiles > kMaxTiles || cells() > kMaxCells || tiles >= cells()) {
    throw std::invalid_argument("a pattern has 1 to " + std::to_string(kMaxTiles) +
                                " tiles, on a board of at most " + std::to_string(kMaxCells) +
                                " cells");
  }
  orders_ = kFactorial[tiles];
  gaps_ = Gaps(cells(), tiles);
  lower_cells_ = (Mask{1} << lower_count_) - 1;
  const Goal shape(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols), 0);
  near_.resize(cells());
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (shape.moves(cell) >> direction & 1U) near_[cell].push_back(shape.source(cell, direction));
    }
  }
  number_masks();
  find_regions(heart);
}

void PatternSpace::number_masks() {
  std::array<std::vector<Mask>, kMaxTiles + 1> lower_masks;  // by the number of their cells
  lower_.resize(lower_cells_ + 1);
  for (Mask half = 0; half <= lower_cells_; ++half) {
    const auto count = static_cast<std::size_t>(std::popcount(half));
    if (count > tiles_) continue;
    lower_[half] = static_cast<std::uint16_t>(lower_masks[count].size());
    lower_masks[count].push_back(half);
  }
  upper_.resize(std::size_t{1} << (cells() - lower_count_));
  for (std::size_t half = 0; half < upper_.size(); ++half) {
    const auto count = static_cast<std::size_t>(std::popcount(half));
    if (count > tiles_) continue;
    upper_[half] = masks();
    for (const Mask low : lower_masks[tiles_ - count]) {
      masks_.push_back(Mask{half} << lower_count_ | low);
    }
  }
}

void PatternSpace::find_regions(Heartbeat& heart) {
  regions_.reserve(masks_.size() + 1);
  regions_.emplace_back();
  const RegionFinder finder(rows_, cols_);
  for (std::size_t i = 0; i < masks_.size(); ++i) {
    if (i % kMasksPerBeat == 0) heart.beat();
    if (heart.halted()) throw Stopped("building a pattern table was stopped");
    add_regions(finder.of(masks_[i]));
  }
}

void PatternSpace::add_regions(const FreeRegions& found) {
  Regions& regions = regions_.back();
  std::array<std::uint32_t, kMain + 1> count{};
  for (std::uint32_t i = 0; i < found.count; ++i) {
    const auto size = static_cast<std::size_t>(std::popcount(found.cells[i]));
    const auto first = static_cast<std::size_t>(std::countr_zero(found.cells[i]));
    unsigned kind = 2 * size > cells() - tiles_ ? kMain : kOther;
    if (size == 1) kind = kind_of_single(first, rows_, cols_);
    regions.kinds |= kind << 2 * i;
    ++count[kind];
    for (Mask rest = found.cells[i]; rest != 0; rest &= rest - 1) {
      regions.of_cell[static_cast<std::size_t>(std::countr_zero(rest))] =
          static_cast<std::uint8_t>(i);
    }
  }
  const bool has_all = std::count(count.begin(), count.end(), 0U) == 0;
  const bool has_far = has_all || count[kOther] > 1 || count[kCorner] > 1 || count[kSingle] > 1;
  Regions next;
  next.first_block = regions.first_block + found.count;
  next.first_far_block = regions.first_far_block + (has_far ? found.count - count[kMain] : 0);
  regions_.push_back(next);
}

}  // namespace taquin
