#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <stdexcept>

#include "check.h"
#include "pattern_kit.h"
#include "pattern_space.h"
#include "pattern_table.h"

using namespace taquin;

namespace {

using Places = std::vector<std::int64_t>;

std::vector<std::int64_t> beside(const Pattern& pattern, std::int64_t cell) {
  const auto rows = static_cast<std::int64_t>(pattern.rows);
  const auto cols = static_cast<std::int64_t>(pattern.cols);
  std::vector<std::int64_t> near;
  if (cell / cols > 0) near.push_back(cell - cols);
  if (cell / cols < rows - 1) near.push_back(cell + cols);
  if (cell % cols > 0) near.push_back(cell - 1);
  if (cell % cols < cols - 1) near.push_back(cell + 1);
  return near;
}

// Where tiles and blank can be and how far from home, by a search that goes cell by cell:
// a step of the blank costs nothing, a move of a tile one.
std::map<std::pair<Places, std::int64_t>, std::int64_t> search(const Pattern& pattern) {
  struct Step {
    std::int64_t moves;
    Places places;
    std::int64_t blank;
  };
  std::map<std::pair<Places, std::int64_t>, std::int64_t> found;
  std::deque<Step> queue{
      {0, {pattern.homes.begin(), pattern.homes.end()}, static_cast<std::int64_t>(pattern.blank)}};
  while (!queue.empty()) {
    const auto [moves, places, blank] = queue.front();
    queue.pop_front();
    if (!found.emplace(std::pair(places, blank), moves).second) continue;
    for (const std::int64_t cell : beside(pattern, blank)) {
      Places after = places;
      const auto tile = std::find(after.begin(), after.end(), cell);
      if (tile == after.end()) {
        queue.push_front({moves, places, cell});
      } else {
        *tile = blank;
        queue.push_back({moves + 1, std::move(after), cell});
      }
    }
  }
  return found;
}

// Arrangements whose larger regions agree, or differ, or whose bits are elsewhere.
std::array<std::size_t, 3> codes{};

void count_codes(const Pattern& pattern, const std::vector<std::uint8_t>& bytes) {
  if (pattern.has_falls()) return;
  const PatternSpace space(pattern.rows, pattern.cols, pattern.homes.size());
  const auto end = static_cast<std::ptrdiff_t>(PatternTable::far_place(space, 0) / 8);
  for (auto byte = bytes.begin(); byte != bytes.begin() + end; ++byte) {
    for (const unsigned bits : {*byte & 15U, unsigned{*byte} >> 4U}) {
      const bool differ = (bits & PatternTable::kDiffer) != 0;
      const bool far = (bits & PatternTable::kElsewhere) == PatternTable::kElsewhere;
      ++codes[far ? 2 : differ ? 1 : 0];
    }
  }
}

void every_entry(int rows, int cols, int blank, const Places& cells) {
  const Pattern pattern(Goal(rows, cols, blank), cells);
  const std::vector<std::uint8_t> bytes = built(pattern);
  CHECK(bytes == built(pattern, 2));
  CHECK(bytes == built(pattern, 3));
  count_codes(pattern, bytes);
  const PatternTable table(pattern, bytes);
  const std::vector<std::uint8_t> values = table.values();
  const auto reached = search(pattern);
  for (const auto& [place, moves] : reached) {
    const auto& [places, blank_now] = place;
    CHECK(table.value(places, blank_now) == moves);
    std::int64_t index = 0;
    for (const std::int64_t cell : places) index = index * rows * cols + cell;
    CHECK(values[static_cast<std::size_t>(index * rows * cols + blank_now)] == moves);
  }
  const auto is_reached = [](std::uint8_t value) { return value != PatternTable::kUnreached; };
  CHECK(std::count_if(values.begin(), values.end(), is_reached) ==
        static_cast<std::ptrdiff_t>(reached.size()));
}

// Random patterns of random goals.
void patterns_of(int rows, int cols, std::size_t tiles, int times, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < times; ++i) {
    Places all(static_cast<std::size_t>(rows * cols));
    for (std::size_t cell = 0; cell < all.size(); ++cell) {
      all[cell] = static_cast<std::int64_t>(cell);
    }
    std::shuffle(all.begin(), all.end(), random);
    Places cells(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(tiles));
    std::sort(cells.begin(), cells.end());
    every_entry(rows, cols, static_cast<int>(all.back()), cells);
  }
}

// Tables that were compared have all that the four bits of an arrangement can say.
void all_codes_were_met() {
  CHECK(codes[0] > 0 && codes[1] > 0 && codes[2] > 0);
}

// Where the tiles leave the blank regions of all kinds: too many places to search them all.
void moves_change_values_by_one(int rows, int cols, int blank, const Places& cells) {
  const Pattern pattern(Goal(rows, cols, blank), cells);
  const std::vector<std::uint8_t> bytes = built(pattern);
  const PatternTable table(pattern, bytes);
  const PatternSpace& space = table.space();
  std::mt19937 random(12);
  std::size_t tried = 0;
  for (std::uint32_t index = 0; index < space.masks(); ++index) {
    unsigned kinds = 0;
    for (std::uint32_t block = space.first_block(index); block < space.first_block(index + 1);
         ++block) {
      kinds |= 1U << space.kind_of(index, block - space.first_block(index));
    }
    if (kinds != 15) continue;
    Places places;
    Places free;
    for (int cell = 0; cell < rows * cols; ++cell) {
      (space.mask(index) >> cell & 1U ? places : free).push_back(cell);
    }
    std::shuffle(places.begin(), places.end(), random);
    for (const std::int64_t hole : free) {
      for (const std::int64_t cell : beside(pattern, hole)) {
        Places after = places;
        const auto tile = std::find(after.begin(), after.end(), cell);
        if (tile == after.end()) continue;
        *tile = hole;
        CHECK(std::abs(table.value(places, hole) - table.value(after, cell)) == 1);
        ++tried;
      }
    }
  }
  CHECK(tried > 0);
}

// With the blank at home in a corner that the tiles shut, the first move is one of two.
void a_blank_that_is_shut_in() {
  every_entry(4, 4, 0, {1, 4, 5});
  every_entry(4, 4, 0, {1, 4});
  every_entry(3, 3, 8, {5, 7});
  const Goal goal(4, 4, 0);
  const Goal other(4, 4, 15);
  const Pattern shut(goal, {1, 4});
  const Pattern open(other, {1, 4});
  CHECK(built(shut) != built(open));
  const std::vector<std::uint8_t> bytes = built(shut);
  const PatternTable table(shut, bytes);
  CHECK(table.value({0, 4}, 1) == 1 && table.value({1, 0}, 4) == 1);
  CHECK(table.value({1, 4}, 0) == 0 && table.value({1, 4}, 15) > 1);
  CHECK(table.value({2, 4}, 1) > 1);  // the blank must get out again, and then in
}

void the_space_numbers_without_gaps(std::size_t rows, std::size_t cols, std::size_t tiles) {
  const PatternSpace space(rows, cols, tiles);
  std::uint32_t blocks = 0;
  for (std::uint32_t index = 0; index < space.masks(); ++index) {
    CHECK(space.index(space.mask(index)) == index);
    CHECK(index == 0 || space.mask(index - 1) < space.mask(index));
    CHECK(space.first_block(index) == blocks);
    std::vector<std::size_t> sizes(space.first_block(index + 1) - blocks);
    for (std::size_t cell = 0; cell < space.cells(); ++cell) {
      if (space.mask(index) >> cell & 1U) continue;
      const std::uint32_t block = space.block(index, cell);
      ++sizes.at(block - blocks);
      for (const std::size_t near : space.neighbours(cell)) {
        if (!(space.mask(index) >> near & 1U)) CHECK(space.block(index, near) == block);
      }
    }
    for (const std::size_t size : sizes) CHECK(size >= 1 && size <= sizes[0]);
    blocks += static_cast<std::uint32_t>(sizes.size());
  }
  CHECK(space.blocks() == blocks);
}

// What is settled is what can be reached: all orders, unless the board is a line.
// The first and the last index for each place of the first two tiles.
void gaps_are_left_out(std::size_t cells, std::size_t tiles) {
  const Gaps gaps(cells, tiles);
  std::uint64_t rest = 1;
  for (std::size_t i = 2; i < tiles; ++i) rest *= cells;
  const auto pairs = tiles < 2 ? cells : cells * cells;
  std::uint64_t next = 0;
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    if (tiles > 1 && pair / cells == pair % cells) continue;
    CHECK(gaps.number(pair * rest) == next);
    next += rest;
    CHECK(gaps.number((pair + 1) * rest - 1) == next - 1);
  }
}

void places_are_counted() {
  for (const auto& [rows, cols, cells] :
       {std::tuple(2, 3, Places{1, 2}), {3, 3, {1, 3, 4}}, {3, 4, {5, 6}}}) {
    const Pattern pattern(Goal(rows, cols, 0), cells);
    std::uint64_t settled = 0;
    std::int64_t farthest = 0;
    Heartbeat heart([&](const Progress& progress) {
      CHECK(progress.expanded >= settled && progress.bound >= farthest);
      settled = progress.expanded;
      farthest = progress.bound;
      return false;
    });
    std::vector<std::uint8_t> bytes(bytes_of(pattern));
    PatternTable::build(pattern, bytes, 1, heart);
    std::map<std::pair<Places, std::uint32_t>, int> places;
    const PatternSpace space(pattern.rows, pattern.cols, cells.size());
    CHECK(heart.expanded() == space.places());
    for (const auto& [place, moves] : search(pattern)) {
      PatternSpace::Mask mask = 0;
      for (const std::int64_t cell : place.first) mask |= PatternSpace::Mask{1} << cell;
      ++places[{place.first,
                space.block(space.index(mask), static_cast<std::size_t>(place.second))}];
    }
    CHECK(places.size() == heart.expanded());
  }
}

void stops_when_told() {
  const Pattern pattern(Goal(4, 4, 0), {1, 2, 4, 5, 6});
  std::vector<std::uint8_t> bytes(bytes_of(pattern));
  for (const std::size_t threads : {1, 2}) {
    Heartbeat heart([](const Progress&) { return true; });
    CHECK_THROWS(Stopped, PatternTable::build(pattern, bytes, threads, heart));
    Heartbeat throws([](const Progress&) -> bool { throw std::logic_error("from the hook"); });
    CHECK_THROWS(std::logic_error, PatternTable::build(pattern, bytes, threads, throws));
  }
}

// Building into bytes that were used before must not mix old and new.
void bytes_need_not_be_clean() {
  const Pattern pattern(Goal(3, 3, 8), {0, 1, 3});
  std::vector<std::uint8_t> bytes(bytes_of(pattern), 0xff);
  Heartbeat heart;
  PatternTable::build(pattern, bytes, 1, heart);
  CHECK(bytes == built(pattern));
}

void misuse_is_refused() {
  const Goal goal(4, 4, 0);
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {}));
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {0, 1}));
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {2, 1}));
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {1, 1}));
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {1, 16}));
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {-1, 1}));
  CHECK_THROWS(std::invalid_argument, Pattern(goal, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  CHECK_THROWS(std::invalid_argument, Pattern(Goal(5, 8, 0), {1, 2}));
  const Pattern pattern(goal, {1, 2});
  std::vector<std::uint8_t> bytes(bytes_of(pattern) + 1);
  Heartbeat heart;
  CHECK_THROWS(std::invalid_argument, PatternTable::build(pattern, bytes, 1, heart));
  CHECK_THROWS(std::invalid_argument, PatternTable(pattern, bytes));
  bytes.pop_back();
  const PatternTable table(pattern, bytes);
  CHECK_THROWS(std::invalid_argument, table.value({1}, 0));
  CHECK_THROWS(std::invalid_argument, table.value({1, 16}, 0));
  CHECK_THROWS(std::invalid_argument, table.value({-1, 2}, 0));
  CHECK_THROWS(std::invalid_argument, table.value({2, 2}, 0));
  CHECK_THROWS(std::invalid_argument, table.value({1, 2}, 2));
  CHECK_THROWS(std::invalid_argument, table.value({1, 2}, 16));
  bytes.assign(bytes.size(), 0xff);  // no way home
  CHECK_THROWS(std::invalid_argument, table.value({3, 7}, 0));
}

}  // namespace

int main() {
  patterns_of(2, 2, 1, 4, 1);
  patterns_of(2, 3, 2, 8, 2);
  patterns_of(3, 2, 4, 4, 3);
  patterns_of(3, 3, 2, 6, 4);
  patterns_of(3, 3, 3, 6, 5);
  patterns_of(3, 4, 3, 2, 6);
  patterns_of(4, 4, 2, 3, 7);
  patterns_of(4, 4, 3, 2, 8);
  patterns_of(1, 5, 2, 3, 9);
  patterns_of(3, 6, 3, 1, 10);  // more than 16 cells: by kinds of regions
  patterns_of(2, 9, 3, 2, 11);
  all_codes_were_met();
  moves_change_values_by_one(2, 9, 0, {1, 2, 3, 9, 10});
  a_blank_that_is_shut_in();
  the_space_numbers_without_gaps(4, 4, 5);
  the_space_numbers_without_gaps(3, 5, 4);
  the_space_numbers_without_gaps(2, 3, 5);
  places_are_counted();
  for (const std::size_t cells : {17U, 18U, 24U, 25U, 30U, 36U}) {
    for (std::size_t tiles = 1; tiles <= PatternSpace::kMaxTiles; ++tiles) {
      gaps_are_left_out(cells, tiles);
    }
  }
  stops_when_told();
  bytes_need_not_be_clean();
  misuse_is_refused();
}
