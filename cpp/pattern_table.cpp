#include "pattern_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <stdexcept>
#include <string>

namespace taquin {

namespace {

std::uint64_t indexes(const PatternSpace& space) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < space.tiles(); ++i) count *= space.cells();
  return count;
}

std::shared_ptr<const PatternSpace> space_of(const Pattern& pattern) {
  return std::make_shared<PatternSpace>(pattern.rows, pattern.cols, pattern.homes.size());
}

}  // namespace

Pattern::Pattern(const Goal& goal, const std::vector<std::int64_t>& places)
    : rows(goal.rows()), cols(goal.cols()), blank(goal.blank()) {
  for (const std::int64_t cell : places) {
    if (cell < 0 || static_cast<std::size_t>(cell) >= cells()) {
      throw std::invalid_argument("a pattern's cells are 0 to " + std::to_string(cells() - 1) +
                                  ", not " + std::to_string(cell));
    }
    const auto home = static_cast<std::size_t>(cell);
    if (home == blank || (!homes.empty() && home <= homes.back())) {
      throw std::invalid_argument("a pattern's cells ascend and leave out the blank's; cell " +
                                  std::to_string(cell) + " does not");
    }
    homes.push_back(home);
  }
  if (homes.empty() || homes.size() > PatternSpace::kMaxTiles ||
      cells() > PatternSpace::kMaxCells) {
    throw std::invalid_argument("a pattern has 1 to " + std::to_string(PatternSpace::kMaxTiles) +
                                " tiles, on a board of at most " +
                                std::to_string(PatternSpace::kMaxCells) + " cells");
  }
}

// Half of the largest tables is enough if the pattern is its own mirror image.
FallLayout Pattern::fall_layout() const {
  constexpr std::size_t kWorthHalving = 8;  // tiles
  const auto image = [&](std::size_t cell) { return mirrored(cell, cols); };
  std::vector<std::size_t> images;
  Mask mask = 0;
  for (const std::size_t home : homes) {
    images.push_back(image(home));
    mask |= Mask{1} << home;
  }
  std::sort(images.begin(), images.end());
  bool is_half = homes.size() >= kWorthHalving && images == homes;
  if (is_half) {
    const FreeRegions regions = RegionFinder(rows, cols).of(mask);
    const Mask blanks = Mask{1} << blank | Mask{1} << image(blank);
    is_half = std::any_of(regions.cells.begin(), regions.cells.begin() + regions.count,
                          [&](Mask region) { return (region & blanks) == blanks; });
  }
  return {rows, cols, homes.size(), is_half};
}

void PatternTable::check_size(const Pattern& pattern, const PatternSpace& space, std::size_t size) {
  const std::uint64_t right = PatternTable::bytes(pattern, space);
  if (size != right) {
    throw std::invalid_argument("the table of the pattern has " + std::to_string(right) +
                                " bytes, not " + std::to_string(size));
  }
}

std::uint64_t PatternTable::far_place(const PatternSpace& space, std::uint32_t block) {
  const auto rounded = [](std::uint64_t bits) { return (bits + 7) / 8 * 8; };
  const std::uint64_t near = indexes(space) - space.cells() * space.gaps().size();
  return rounded(kBitsOfIndex * near) + block * rounded(space.orders());
}

std::uint64_t PatternTable::bytes(const Pattern& pattern, const PatternSpace& space) {
  if (pattern.has_falls()) return pattern.fall_layout().bytes(space.orders());
  return far_place(space, space.far_blocks()) / 8;
}

PatternTable::PatternTable(const Pattern& pattern, std::span<const std::uint8_t> data)
    : PatternTable(pattern, space_of(pattern), data) {}

PatternTable::PatternTable(Pattern pattern, std::shared_ptr<const PatternSpace> space,
                           std::span<const std::uint8_t> data)
    : pattern_(std::move(pattern)), space_(std::move(space)), data_(data) {
  if (space_->rows() != pattern_.rows || space_->cols() != pattern_.cols ||
      space_->tiles() != pattern_.homes.size()) {
    throw std::invalid_argument("the space of another pattern");
  }
  check_size(pattern_, *space_, data.size());
  if (pattern_.has_falls()) falls_.emplace(pattern_.fall_layout());
}

// Where the tiles are, in the order of their homes, and the blank.
struct PatternTable::Spot {
  std::array<std::uint8_t, PatternSpace::kMaxTiles> cells;
  std::size_t blank;
  PatternSpace::Mask mask;
  std::uint64_t index;
};

PatternTable::Spot PatternTable::spot(const std::vector<std::int64_t>& cells,
                                      std::int64_t blank) const {
  if (cells.size() != pattern_.homes.size()) {
    throw std::invalid_argument("the pattern has " + std::to_string(pattern_.homes.size()) +
                                " tiles, not " + std::to_string(cells.size()));
  }
  Spot spot{{}, static_cast<std::size_t>(blank), 0, 0};
  const auto take = [&](std::int64_t number) {
    if (number < 0 || static_cast<std::size_t>(number) >= pattern_.cells()) {
      throw std::invalid_argument("there is no cell " + std::to_string(number));
    }
    const PatternSpace::Mask bit = PatternSpace::Mask{1} << number;
    if (spot.mask & bit) throw std::invalid_argument("two in cell " + std::to_string(number));
    return bit;
  };
  for (std::size_t tile = 0; tile < cells.size(); ++tile) {
    spot.mask |= take(cells[tile]);
    spot.cells[tile] = static_cast<std::uint8_t>(cells[tile]);
    spot.index = spot.index * pattern_.cells() + spot.cells[tile];
  }
  take(blank);
  return spot;
}

std::int64_t PatternTable::value(const std::vector<std::int64_t>& cells, std::int64_t blank) const {
  Spot at = spot(cells, blank);
  std::int64_t steps = 0;
  for (; !is_home(at); ++steps) {
    const Falls falls = falls_of(at);
    const auto is_nearer = [&](const Spot& after) {
      if (!is_fall(falls, at, after)) return false;
      at = after;
      return true;
    };
    if (steps > kMostSteps || !any_move(Spot(at), is_nearer)) {
      throw std::invalid_argument("these places can't be reached");
    }
  }
  return steps;
}

PatternTable::Falls PatternTable::falls_of(const Spot& spot) const {
  if (!falls_) return {bit(spot) ^ (is_odd(spot) ? 0U : 1U), 0, false};
  if (falls_->is_half()) {
    const Spot image = mirror_image(spot);
    if (image.mask < spot.mask) return {word(image), falls_->edges_of(image.mask), true};
  }
  return {word(spot), falls_->edges_of(spot.mask), false};
}

FallLayout::Word PatternTable::word(const Spot& spot) const {
  return FallLayout::word(data(), falls_->place(rank(spot.index, spot.mask), spot.mask));
}

// Whether a move leads to a value that is less by one, given the falls of the place before.
bool PatternTable::is_fall(const Falls& falls, const Spot& before, const Spot& after) const {
  if (!falls_) return bit(after) == falls.word;
  std::size_t source = after.blank;
  auto target = static_cast<std::size_t>(std::countr_zero(after.mask & ~before.mask));
  if (falls.is_mirrored) {
    source = mirrored(source, pattern_.cols);
    target = mirrored(target, pattern_.cols);
  }
  const auto number = std::popcount(falls.edges & (falls_->edge(source, target) - 1));
  return (falls.word >> number & 1U) != 0;
}

PatternTable::Spot PatternTable::home() const {
  const std::vector<std::int64_t> cells(pattern_.homes.begin(), pattern_.homes.end());
  return spot(cells, static_cast<std::int64_t>(pattern_.blank));
}

bool PatternTable::is_odd(const Spot& spot) const {
  bool odd = false;
  for (std::size_t tile = 0; tile < pattern_.homes.size(); ++tile) {
    odd ^= PatternSpace::is_odd(spot.cells[tile], pattern_.cols);
    odd ^= PatternSpace::is_odd(pattern_.homes[tile], pattern_.cols);
  }
  return odd;
}

PatternTable::Spot PatternTable::mirror_image(const Spot& spot) const {
  const std::vector<std::size_t>& homes = pattern_.homes;
  const auto image = [&](std::size_t cell) { return mirrored(cell, pattern_.cols); };
  Spot other{{}, image(spot.blank), 0, 0};
  for (std::size_t tile = 0; tile < homes.size(); ++tile) {
    const auto twin = std::find(homes.begin(), homes.end(), image(homes[tile])) - homes.begin();
    const std::size_t cell = image(spot.cells[static_cast<std::size_t>(twin)]);
    other.cells[tile] = static_cast<std::uint8_t>(cell);
    other.mask |= PatternSpace::Mask{1} << cell;
    other.index = other.index * pattern_.cells() + cell;
  }
  return other;
}

bool PatternTable::is_home(const Spot& spot) const {
  if (!std::equal(pattern_.homes.begin(), pattern_.homes.end(), spot.cells.begin())) return false;
  const std::uint32_t index = space_->index(spot.mask);
  return space_->block(index, spot.blank) == space_->block(index, pattern_.blank);
}

// Calls visit(spot) for all that a move of a tile leads to, until it returns true.
template <class Visit>
bool PatternTable::any_move(const Spot& spot, const Visit& visit) const {
  const std::uint32_t number = space_->index(spot.mask);
  const std::uint8_t region = space_->region(number, spot.blank);
  std::uint64_t stride = 1;
  for (std::size_t tile = space_->tiles(); tile-- > 0; stride *= space_->cells()) {
    const std::size_t cell = spot.cells[tile];
    for (const std::size_t target : space_->neighbours(cell)) {
      if (spot.mask >> target & 1U || space_->region(number, target) != region) continue;
      Spot after = spot;
      after.cells[tile] = static_cast<std::uint8_t>(target);
      after.blank = cell;
      after.mask ^= PatternSpace::Mask{1} << cell | PatternSpace::Mask{1} << target;
      after.index += stride * target - stride * cell;
      if (visit(after)) return true;
    }
  }
  return false;
}

std::vector<std::uint8_t> PatternTable::values() const {
  std::vector<std::uint8_t> values(indexes(*space_) * space_->cells(), kUnreached);
  const auto settle = [&](const Spot& spot, std::uint8_t value) {
    const std::uint32_t number = space_->index(spot.mask);
    const std::uint8_t region = space_->region(number, spot.blank);
    for (std::size_t cell = 0; cell < space_->cells(); ++cell) {
      if (spot.mask >> cell & 1U || space_->region(number, cell) != region) continue;
      values[spot.index * space_->cells() + cell] = value;
    }
  };
  std::vector<Spot> open{home()};
  settle(open.back(), 0);
  while (!open.empty()) {
    const Spot at = open.back();
    open.pop_back();
    const std::uint8_t value = values[at.index * space_->cells() + at.blank];
    const Falls falls = falls_of(at);
    any_move(at, [&](const Spot& after) {
      if (values[after.index * space_->cells() + after.blank] == kUnreached) {
        settle(after, static_cast<std::uint8_t>(is_fall(falls, at, after) ? value - 1 : value + 1));
        open.push_back(after);
      }
      return false;
    });
  }
  return values;
}

unsigned PatternTable::bit(const Spot& spot) const {
  return bit(spot.index, spot.mask, spot.blank);
}

unsigned PatternTable::bit(std::uint64_t index, PatternSpace::Mask mask, std::size_t blank) const {
  const std::uint32_t number = space_->index(mask);
  const std::uint8_t region = space_->region(number, blank);
  const unsigned kind = space_->kind_of(number, region);
  const std::uint64_t place = kBitsOfIndex * space_->gaps().number(index);
  const unsigned bits = static_cast<unsigned>(data()[place >> 3U]) >> (place & 7U);
  if (kind == PatternSpace::kMain) return bits & 1U;
  if ((bits & kElsewhere) == kElsewhere) {
    const std::uint32_t block = space_->far_block(number, region);
    return bit(data(), far_place(*space_, block) + rank(index, mask));
  }
  const bool is_opposite = kind == PatternSpace::kOther && (bits & kDiffer) != 0;
  return (bits >> kind & 1U) ^ (is_opposite ? 1U : 0U);
}

std::uint32_t PatternTable::rank(std::uint64_t index, PatternSpace::Mask mask) const {
  std::uint32_t rank = 0;
  PatternSpace::Mask before = mask;  // the cells of the tiles before the one in hand
  for (std::size_t tile = space_->tiles(); tile-- > 0; index /= space_->cells()) {
    const PatternSpace::Mask cell = PatternSpace::Mask{1} << index % space_->cells();
    before ^= cell;
    const auto lower = static_cast<std::uint32_t>(std::popcount(before & (cell - 1)));
    rank += lower * PatternSpace::kFactorial[tile];
  }
  return rank;
}

}  // namespace taquin
