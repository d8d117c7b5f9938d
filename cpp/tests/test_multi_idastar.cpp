#include <random>
#include <set>
#include <stdexcept>

#include "check.h"
#include "multi_bounds.h"
#include "multi_idastar.h"
#include "play.h"
#include "ranking.h"

using namespace taquin;

namespace {

int runs(const std::string& letters) {
  int count = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) count += i == 0 || letters[i] != letters[i - 1];
  return count;
}

// All boards one move away, made from single slides.
std::vector<Tiles> neighbours(const Goal& goal, const Tiles& tiles) {
  std::vector<Tiles> found;
  for (const char letter : std::string_view(kLetters)) {
    std::string letters(1, letter);
    for (Tiles next = play(goal, tiles, letters); !next.empty();
         next = play(goal, tiles, letters)) {
      found.push_back(next);
      letters += letter;
    }
  }
  return found;
}

struct Far {
  Tiles tiles;
  int distance;
};

// All boards up to a distance, the nearest first.
std::vector<Far> plain_search(const Goal& goal, int farthest = 1000) {
  const Ranking ranking(goal);
  std::set<std::uint64_t> seen{ranking.rank(goal.tiles().data())};
  std::vector<Far> queue{{goal.tiles(), 0}};
  for (std::size_t i = 0; i < queue.size() && queue[i].distance < farthest; ++i) {
    for (Tiles& next : neighbours(goal, queue[i].tiles)) {
      if (!seen.insert(ranking.rank(next.data())).second) continue;
      queue.push_back({std::move(next), queue[i].distance + 1});
    }
  }
  return queue;
}

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30U;

Report search(const Goal& goal, const Tiles& tiles, std::int64_t threads, Heartbeat& heart,
              std::uint64_t most_bytes = kPlenty) {
  MultiTables tables(goal);
  return multi_idastar(tiles, tables, most_bytes, threads, heart);
}

void check_report(const Goal& goal, const Tiles& tiles, int distance, std::size_t threads) {
  Heartbeat heart;
  const Report report = search(goal, tiles, static_cast<std::int64_t>(threads), heart);
  CHECK(report.moves && play(goal, tiles, *report.moves) == goal.tiles());
  CHECK(runs(*report.moves) == distance);
  CHECK(report.lower_bound <= distance);
  CHECK(threads > 1 || report.lower_bound == distance);
}

void lengths_agree_with_a_plain_search(int rows, int cols, int blank, std::size_t every) {
  const Goal goal(rows, cols, blank);
  const std::vector<Far> boards = plain_search(goal);
  for (std::size_t i = boards.size() - 1; i >= every; i -= every) {
    check_report(goal, boards[i].tiles, boards[i].distance, 1 + i / every % 2);
  }
}

template <class Bound>
void never_too_large(const Goal& goal, const Bound& bound) {
  for (const auto& [tiles, distance] : plain_search(goal)) {
    const auto value = bound.start(tiles);
    CHECK(std::min(bound.distance(value, 0), bound.distance(value, 1)) <= distance);
    CHECK((bound.within(value, 0, 0) || bound.within(value, 1, 0)) == (distance == 0));
  }
}

template <class Bound>
void moves_update_it(const Goal& goal, const Bound& bound) {
  for (const auto& [tiles, distance] : plain_search(goal, 5)) {
    const std::size_t blank = blank_cell(tiles);
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (!(goal.moves(blank) >> direction & 1U)) continue;
      const std::size_t source = goal.source(blank, direction);
      const auto after = bound.after(bound.start(tiles), direction, tiles[source], source);
      const auto anew = bound.start(play(goal, tiles, std::string(1, kLetters[direction])));
      for (const Axis next : {0U, 1U}) {
        CHECK(bound.distance(after, next) == bound.distance(anew, next));
        CHECK(bound.within(anew, next, bound.distance(anew, next)));
      }
    }
  }
}

void bounds_are_lower_bounds(int rows, int cols, int blank) {
  Heartbeat heart;
  const Goal goal(rows, cols, blank);
  MultiTables tables(goal);
  const PatternBound<8> patterns(goal, {tables, kPlenty, 1}, heart);
  never_too_large(goal, patterns);
  moves_update_it(goal, patterns);
  const ReachBound reach(goal);
  never_too_large(goal, reach);
  moves_update_it(goal, reach);
}

// Only paths that alternate are counted, so a pattern of all tiles must know them exactly.
void whole_boards_are_exact(int rows, int cols, int blank) {
  Heartbeat heart;
  const Goal goal(rows, cols, blank);
  MultiTables tables(goal);
  const PatternBound<8> bound(goal, {tables, kPlenty, 1}, heart);
  for (const auto& [tiles, distance] : plain_search(goal)) {
    const auto value = bound.start(tiles);
    CHECK(std::min(bound.distance(value, 0), bound.distance(value, 1)) == distance);
  }
}

void near_boards_of_4x4(int blank) {
  const Goal goal(4, 4, blank);
  const std::vector<Far> boards = plain_search(goal, 5);
  for (std::size_t i = 100; i < boards.size(); i += 300) {
    check_report(goal, boards[i].tiles, boards[i].distance, 1 + i % 2);
  }
}

void more_and_larger_tables() {
  Heartbeat heart;
  const Goal goal(3, 3, 4);
  MultiTables tables(goal);
  const MultiMeans means{tables, kPlenty, 2};
  PatternBound<16> bound(goal, means, heart);
  const auto small = bound.distance(bound.start({8, 7, 6, 5, 0, 4, 3, 2, 1}), 0);
  CHECK(bound.grow(means, heart));
  CHECK(bound.distance(bound.start({8, 7, 6, 5, 0, 4, 3, 2, 1}), 0) >= small);
  CHECK(!bound.grow(means, heart));
  never_too_large(goal, bound);
  moves_update_it(goal, bound);
}

void large_boards() {
  std::mt19937 random(5);
  for (const Goal& goal : {Goal(3, 6, 0), Goal(6, 6, 14), Goal(60, 70, 5)}) {
    const Tiles tiles = wander(goal, 5, random);
    Heartbeat heart;
    const Report report = search(goal, tiles, 1, heart);
    CHECK(play(goal, tiles, *report.moves) == goal.tiles());
    CHECK(runs(*report.moves) == report.lower_bound && report.lower_bound <= 5);
  }
  const Goal goal(40, 40, 0);
  Heartbeat heart({}, 5'000);
  const Report report = search(goal, wander(goal, 20'000, random), 1, heart);
  CHECK(!report.moves && report.limit_reached && report.expanded == 5'000);
  CHECK(report.lower_bound > 10);
}

void lines_and_trivial_boards() {
  for (const std::size_t threads : {1U, 2U}) {
    check_report(Goal(1, 1, 0), {0}, 0, threads);
    check_report(Goal(1, 2, 0), {1, 0}, 1, threads);
    check_report(Goal(1, 100, 99), Goal(1, 100, 0).tiles(), 1, threads);
    check_report(Goal(7, 1, 2), Goal(7, 1, 6).tiles(), 1, threads);
    check_report(Goal(3, 3, 3), Goal(3, 3, 3).tiles(), 0, threads);
  }
}

// With tables of another search, with small ones only, and with none at all.
void memory_is_limited_and_tables_are_kept() {
  const Goal goal(4, 4, 0);
  std::mt19937 random(11);
  const Tiles tiles = wander(goal, 40, random);
  MultiTables tables(goal);
  Heartbeat first;
  const Report report = multi_idastar(tiles, tables, kPlenty, 1, first);
  for (const std::uint64_t most_bytes : {std::uint64_t{0}, std::uint64_t{1} << 23U, kPlenty}) {
    Heartbeat heart;
    const Report again = search(goal, tiles, 1, heart, most_bytes);
    CHECK(again.lower_bound == report.lower_bound);
    CHECK(most_bytes > 0 || again.expanded > report.expanded);
    CHECK(most_bytes == 0 || again.expanded == report.expanded);
  }
  Heartbeat second;
  const auto known = tables.obtain({1, 2, 3, 4}, second, true);
  CHECK(known == tables.obtain({1, 2, 3, 4}, second, true));
  CHECK(multi_idastar(tiles, tables, kPlenty, 2, second).moves.has_value());
}

void it_stops() {
  const Goal goal(4, 4, 0);
  const Tiles hard{15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4};
  for (const int threads : {1, 2}) {
    Heartbeat at_once([](const Progress&) { return true; });
    CHECK(!search(goal, hard, threads, at_once).moves);
    Heartbeat later([](const Progress& progress) { return progress.expanded > 0; });
    const Report report = search(goal, hard, threads, later);
    CHECK(!report.moves && !report.limit_reached && report.lower_bound > 0);
    Heartbeat limited({}, 5000);
    CHECK(search(goal, hard, threads, limited).limit_reached);
  }
  Heartbeat heart;
  CHECK_THROWS(std::invalid_argument, search(goal, hard, 0, heart));
  CHECK_THROWS(std::invalid_argument, search(Goal(2, 2, 3), {2, 1, 3, 0}, 1, heart));
}

}  // namespace

int main() {
  for (const int blank : {0, 3, 4}) lengths_agree_with_a_plain_search(2, 3, blank, 7);
  lengths_agree_with_a_plain_search(2, 4, 2, 2003);
  lengths_agree_with_a_plain_search(3, 3, 5, 60013);
  for (const int blank : {0, 2, 3}) bounds_are_lower_bounds(2, 3, blank);
  bounds_are_lower_bounds(3, 3, 2);
  for (const int blank : {1, 2, 5}) whole_boards_are_exact(2, 3, blank);
  for (const int blank : {3, 4}) near_boards_of_4x4(blank);
  more_and_larger_tables();
  large_boards();
  lines_and_trivial_boards();
  memory_is_limited_and_tables_are_kept();
  it_stops();
}
