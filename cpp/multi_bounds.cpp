#include "multi_bounds.h"

#include <bit>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "crew.h"

namespace taquin {

namespace {

constexpr std::uint8_t kUnknown = 127;
// Marks boards of which all others in reach of one slide are known, while a table is built.
constexpr std::uint8_t kComplete = 128;
constexpr std::size_t kBoardsPerBeat = 4096;

// Small tables are built in some milliseconds, large ones in about a second.
constexpr unsigned kSmallIndexBits = 20;
constexpr unsigned kLargeIndexBits = 24;
constexpr std::size_t kMostTables = 4;  // of the largest size

// What lanes without a pattern look at.
constexpr std::uint8_t kNoPattern = 0;

using TileList = std::vector<Tile>;

std::size_t number_of_patterns(std::size_t tiles, std::size_t size) {
  return (tiles + size - 1) / size;
}

// Cuts a list into patterns; the last one takes some tiles of the one before to be as large.
std::vector<TileList> cut(const TileList& order, std::size_t size) {
  std::vector<TileList> patterns;
  for (std::size_t i = 0; i < number_of_patterns(order.size(), size); ++i) {
    const auto first =
        order.begin() + static_cast<std::ptrdiff_t>(std::min(i * size, order.size() - size));
    patterns.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
  }
  return patterns;
}

TileList reading_order(const Goal& goal) {
  TileList order(goal.cells() - 1);
  std::iota(order.begin(), order.end(), Tile{1});
  return order;
}

TileList column_order(const Goal& goal) {
  TileList order = reading_order(goal);
  std::stable_sort(order.begin(), order.end(), [&](Tile a, Tile b) {
    return goal.col(goal.cell_of(a)) < goal.col(goal.cell_of(b));
  });
  return order;
}

// A cell's mirror image at the diagonal on which the goal's blank lies, if it lies on one.
std::optional<std::size_t> mirror(const Goal& goal, std::size_t cell) {
  const std::size_t last = goal.rows() - 1;
  const std::size_t row = goal.row(goal.blank());
  const std::size_t col = goal.col(goal.blank());
  if (goal.rows() != goal.cols()) return {};
  if (row == col) return goal.col(cell) * goal.cols() + goal.row(cell);
  if (row + col == last) return (last - goal.col(cell)) * goal.cols() + last - goal.row(cell);
  return {};
}

Tile tile_at(const Goal& goal, std::size_t cell) {
  if (cell == goal.blank()) return 0;
  return static_cast<Tile>(cell < goal.blank() ? cell + 1 : cell);
}

}  // namespace

MultiPattern::MultiPattern(const Goal& goal, std::vector<Tile> tiles, Heartbeat& heart,
                           bool calling_thread)
    : tiles_(std::move(tiles)), bits_(bits_per_cell(goal)) {
  for (auto& distances : distances_) {
    distances.assign(std::size_t{1} << bits_ * (tiles_.size() + 1), kUnknown);
  }
  build(goal, heart, calling_thread);
}

unsigned MultiPattern::bits_per_cell(const Goal& goal) {
  return static_cast<unsigned>(std::bit_width(goal.cells() - 1));
}

std::uint64_t MultiPattern::bytes(const Goal& goal, std::size_t tiles) {
  return std::uint64_t{2} << bits_per_cell(goal) * (tiles + 1);
}

unsigned MultiPattern::shift(Tile tile) const {
  if (tile == 0) return 0;
  const auto place = std::find(tiles_.begin(), tiles_.end(), tile);
  if (place == tiles_.end()) return kAbsent;
  return bits_ * static_cast<unsigned>(place - tiles_.begin() + 1);
}

// Breadth first from the goal. A layer holds the boards whose next move towards the goal
// has one axis, so the move before it has the other.
void MultiPattern::build(const Goal& goal, Heartbeat& heart, bool calling_thread) {
  const Slides slides(goal);
  std::uint32_t start = static_cast<std::uint32_t>(goal.blank());
  for (const Tile tile : tiles_) {
    start |= static_cast<std::uint32_t>(goal.cell_of(tile)) << shift(tile);
  }
  distances_[0][start] = distances_[1][start] = 0;
  std::array<Layer, 2> layer{Layer{start}, Layer{start}};
  // Larger distances, if there were any, would all be called 127.
  for (std::uint8_t distance = 1; distance < kUnknown; ++distance) {
    std::array<Layer, 2> deeper;
    for (const Axis axis : {0U, 1U}) {
      for (std::size_t i = 0; i < layer[axis].size(); ++i) {
        if (i % kBoardsPerBeat == 0) {
          if (calling_thread) heart.beat();
          if (heart.halted()) throw Stopped("the pattern table was stopped");
        }
        if (distances_[1 - axis][layer[axis][i]] & kComplete) continue;
        expand(slides, layer[axis][i], 1 - axis, distance, deeper[1 - axis]);
      }
    }
    layer.swap(deeper);
    if (layer[0].empty() && layer[1].empty()) break;
  }
  for (auto& distances : distances_) {
    for (std::uint8_t& known : distances) known &= kUnknown;
  }
}

void MultiPattern::expand(const Slides& slides, std::uint32_t index, Axis axis,
                          std::uint8_t distance, Layer& deeper) {
  // The boards along a line are one move from each other. When this one was known already,
  // another was here before and knew all but itself: with that one, all are known.
  std::uint8_t* const distances = distances_[axis].data();
  const std::uint8_t mark = distances[index] == kUnknown ? 0 : kComplete;
  distances[index] |= mark;
  const std::uint32_t mask = (1U << bits_) - 1;
  const std::uint32_t blank = index & mask;
  std::array<std::uint8_t, kMostCells> shift_of_cell{};
  unsigned shift = bits_;
  for (std::size_t i = 0; i < tiles_.size(); ++i, shift += bits_) {
    shift_of_cell[index >> shift & mask] = static_cast<std::uint8_t>(shift);
  }
  std::uint32_t next = index;
  slides.for_each(axis, blank, [&](Direction direction, std::size_t source, std::size_t run) {
    if (run == 1) next = index;
    const auto step = static_cast<std::uint32_t>(slides.step(axis));
    const std::uint32_t change = direction & 1U ? step : 0 - step;  // of the tile's cell
    const unsigned place = shift_of_cell[source];
    next += (place == 0 ? 0 : change << place) - change;
    if (distances[next] == kUnknown) {
      distances[next] = distance;
      deeper.push_back(next);
    }
    distances[next] |= mark;
  });
}

// Two searches that want the same at once may both build it; one of the two is kept.
std::shared_ptr<const MultiPattern> MultiTables::obtain(const std::vector<Tile>& tiles,
                                                        Heartbeat& heart, bool calling_thread) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = built_.find(tiles);
    if (known != built_.end()) return known->second;
  }
  auto pattern = std::make_shared<const MultiPattern>(goal_, tiles, heart, calling_thread);
  const std::lock_guard lock(mutex_);
  return built_.try_emplace(tiles, std::move(pattern)).first->second;
}

template <std::size_t kLanes>
PatternBound<kLanes>::PatternBound(const Goal& goal, const MultiMeans& means, Heartbeat& heart)
    : goal_(goal) {
  if (!build(kSmallIndexBits, means, heart)) prepare_lookups();  // there are no tiles
}

template <std::size_t kLanes>
bool PatternBound<kLanes>::grow(const MultiMeans& means, Heartbeat& heart) {
  return build(kLargeIndexBits, means, heart);
}

template <std::size_t kLanes>
std::uint64_t PatternBound<kLanes>::least_bytes(const Goal& goal) {
  const std::vector<TileList> patterns = choose(goal, kSmallIndexBits);
  return patterns.empty() ? 0 : patterns.size() * MultiPattern::bytes(goal, patterns[0].size());
}

// All of one size but the last; none where the lanes are too few.
template <std::size_t kLanes>
std::vector<std::vector<Tile>> PatternBound<kLanes>::choose(const Goal& goal, unsigned index_bits) {
  const std::size_t tiles = goal.cells() - 1;
  const unsigned bits = std::max(1U, MultiPattern::bits_per_cell(goal));
  const std::size_t size = std::min<std::size_t>(tiles, index_bits / bits - 1);
  if (size == 0 || number_of_patterns(tiles, size) > kLanes) return {};
  std::vector<TileList> patterns = cut(reading_order(goal), size);
  if (!mirror(goal, 0) && size < tiles && 2 * patterns.size() <= kLanes &&
      (2 * patterns.size() << bits * (size + 1)) <= kMostTables << index_bits) {
    for (TileList& pattern : cut(column_order(goal), size)) patterns.push_back(pattern);
  }
  return patterns;
}

template <std::size_t kLanes>
bool PatternBound<kLanes>::build(unsigned index_bits, const MultiMeans& means, Heartbeat& heart) {
  const std::vector<TileList> patterns = choose(goal_, index_bits);
  const std::size_t size = patterns.empty() ? 0 : patterns[0].size();
  const std::uint64_t bytes = bytes_ + patterns.size() * MultiPattern::bytes(goal_, size);
  if (size <= pattern_size_ || bytes > means.most_bytes) return false;
  bytes_ = bytes;
  std::vector<Lane> lanes(patterns.size());
  share_out(heart, means.threads, patterns.size(), [&](std::size_t job, std::size_t thread) {
    lanes[job] = {means.tables.obtain(patterns[job], heart, thread == 0), false};
  });
  if (heart.halted()) throw Stopped("the pattern tables were stopped");
  if (mirror(goal_, 0) && 2 * lanes.size() <= kLanes) {
    for (std::size_t i = 0; i < patterns.size(); ++i) lanes.push_back({lanes[i].pattern, true});
  }
  lanes_ = std::move(lanes);
  pattern_size_ = size;
  prepare_lookups();
  return true;
}

template <std::size_t kLanes>
void PatternBound<kLanes>::prepare_lookups() {
  for (auto& changes : changes_) changes.assign(goal_.cells(), Value{});
  for (auto& tables : tables_) tables.fill(&kNoPattern);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    for (const Axis next : {0U, 1U}) {
      tables_[next][i] = lane.pattern->distances(lane.mirrored ? 1 - next : next);
    }
    for (std::size_t source = 0; source < goal_.cells(); ++source) {
      for (Direction direction = 0; direction < kDirections; ++direction) {
        if (!(goal_.moves(source) >> opposite(direction) & 1U)) continue;
        const std::size_t target = goal_.source(source, opposite(direction));
        const auto step = static_cast<std::uint32_t>(cell_in(lane, target) - cell_in(lane, source));
        for (std::size_t tile = 1; tile < goal_.cells(); ++tile) {
          const unsigned shift = lane.pattern->shift(tile_in(lane, static_cast<Tile>(tile)));
          changes_[direction][tile][i] =
              (shift == MultiPattern::kAbsent ? 0 : step << shift) - step;
        }
      }
    }
  }
}

template <std::size_t kLanes>
typename PatternBound<kLanes>::Value PatternBound<kLanes>::start(const Tiles& tiles) const {
  Value value{};
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
      const unsigned shift = lanes_[i].pattern->shift(tile_in(lanes_[i], tiles[cell]));
      if (shift == MultiPattern::kAbsent) continue;
      value[i] |= static_cast<std::uint32_t>(cell_in(lanes_[i], cell)) << shift;
    }
  }
  return value;
}

template <std::size_t kLanes>
Tile PatternBound<kLanes>::tile_in(const Lane& lane, Tile tile) const {
  return lane.mirrored ? tile_at(goal_, *mirror(goal_, goal_.cell_of(tile))) : tile;
}

template <std::size_t kLanes>
std::size_t PatternBound<kLanes>::cell_in(const Lane& lane, std::size_t cell) const {
  return lane.mirrored ? *mirror(goal_, cell) : cell;
}

template class PatternBound<8>;
template class PatternBound<16>;

ReachBound::ReachBound(const Goal& goal)
    : goal_(goal),
      most_tiles_{static_cast<std::int64_t>(std::max<std::size_t>(2, goal.rows()) - 1),
                  static_cast<std::int64_t>(std::max<std::size_t>(2, goal.cols()) - 1)} {}

ReachBound::Value ReachBound::start(const Tiles& tiles) const {
  Value value{};
  const auto distance = [](std::size_t a, std::size_t b) {
    return static_cast<std::int64_t>(a > b ? a - b : b - a);
  };
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    if (tiles[cell] == 0) continue;
    const std::size_t goal_cell = goal_.cell_of(tiles[cell]);
    value.steps[0] += distance(goal_.row(cell), goal_.row(goal_cell));
    value.steps[1] += distance(goal_.col(cell), goal_.col(goal_cell));
  }
  return value;
}

ReachBound::Value ReachBound::after(Value value, Direction direction, Tile tile,
                                    std::size_t source) const {
  const Axis axis = direction >> 1U;
  const std::size_t goal_cell = goal_.cell_of(tile);
  const std::size_t here = axis == 0 ? goal_.row(source) : goal_.col(source);
  const std::size_t there = axis == 0 ? goal_.row(goal_cell) : goal_.col(goal_cell);
  const bool nearer = direction & 1U ? there > here : there < here;
  value.steps[axis] += nearer ? -1 : 1;
  return value;
}

}  // namespace taquin
