#include <memory>
#include <random>
#include <stdexcept>

#include "check.h"
#include "distance_table.h"
#include "idastar.h"
#include "play.h"

using namespace taquin;

namespace {

struct Setting {
  std::shared_ptr<const WalkingDistance> walking;
  double weight = 1.0;
  int threads = 1;
};

Report solve(const Goal& goal, const Tiles& tiles, const Setting& setting) {
  Heartbeat heart;
  return idastar(goal, tiles, {setting.walking.get()}, {setting.weight, setting.threads}, heart);
}

std::shared_ptr<const WalkingDistance> walking(const Goal& goal) {
  Heartbeat heart;
  return std::make_shared<const WalkingDistance>(goal, heart);
}

void lengths_agree_with_the_table(int rows, int cols, int blank, unsigned every) {
  Heartbeat heart;
  const Goal goal(rows, cols, blank);
  const DistanceTable table(goal, heart);
  const Setting settings[] = {{nullptr, 1.0, 1}, {walking(goal), 1.0, 1}, {walking(goal), 1.0, 2}};
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += every) {
    const Tiles tiles = table.unrank(rank);
    for (const Setting& setting : settings) {
      const Report report = solve(goal, tiles, setting);
      CHECK(report.moves.has_value());
      CHECK(static_cast<int>(report.moves->size()) == table.distance(tiles));
      CHECK(play(goal, tiles, *report.moves) == goal.tiles());
      CHECK(report.lower_bound <= table.distance(tiles));
    }
  }
}

void weighted_answers_keep_their_promise() {
  Heartbeat heart;
  const Goal goal(3, 3, 8);
  const DistanceTable table(goal, heart);
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += 1009) {
    const Tiles tiles = table.unrank(rank);
    for (const double weight : {1.1, 1.5, 3.0, 100.0}) {
      for (const int threads : {1, 2}) {
        const Report report = solve(goal, tiles, {nullptr, weight, threads});
        CHECK(static_cast<double>(report.moves->size()) <= weight * table.distance(tiles));
        CHECK(report.lower_bound <= table.distance(tiles));
        CHECK(play(goal, tiles, *report.moves) == goal.tiles());
      }
    }
  }
}

void threads_agree_on_4x4() {
  std::mt19937 random(4);
  const Goal goal(4, 4, 15);
  const auto distance = walking(goal);
  for (int i = 0; i < 5; ++i) {
    const Tiles tiles = wander(goal, 80, random);
    const Report one = solve(goal, tiles, {distance, 1.0, 1});
    const Report two = solve(goal, tiles, {distance, 1.0, 2});
    CHECK(one.moves->size() == two.moves->size());
    CHECK(one.lower_bound == static_cast<std::int64_t>(one.moves->size()));
    CHECK(play(goal, tiles, *two.moves) == goal.tiles());
  }
}

void iterations_add_up() {
  const Goal goal(3, 3, 8);
  const Report report = solve(goal, {8, 6, 7, 2, 5, 4, 3, 0, 1}, {});
  std::uint64_t expanded = 0;
  std::int64_t last = -1;
  for (const auto& [threshold, count] : report.iterations) {
    CHECK(last < 0 || threshold == last + 2);
    last = threshold;
    expanded += count;
  }
  CHECK(last == 31);
  CHECK(expanded == report.expanded);
  CHECK(report.generated > report.expanded);
}

void large_boards_do_not_overflow() {
  std::mt19937 random(5);
  const Goal goal(100, 100, 9999);
  const Tiles near = wander(goal, 30, random);
  CHECK(play(goal, near, *solve(goal, near, {}).moves) == goal.tiles());
  // Not solved, but as deep as the search cares to go.
  const Tiles far = wander(goal, 1'000'000, random);
  Heartbeat heart({}, 300'000);
  const Report report = idastar(goal, far, {}, {100.0, 1}, heart);
  CHECK(!report.moves && report.limit_reached && report.expanded == 300'000);
}

void long_lines() {
  const Goal goal(1, 20'000, 19'999);
  Tiles tiles = Goal(1, 20'000, 0).tiles();
  const Report report = solve(goal, tiles, {nullptr, 1.0, 2});
  CHECK(report.moves->size() == 19'999);
  CHECK(play(goal, tiles, *report.moves) == goal.tiles());
}

void trivial_boards() {
  CHECK(solve(Goal(1, 1, 0), {0}, {}).moves->empty());
  CHECK(solve(Goal(3, 3, 4), Goal(3, 3, 4).tiles(), {nullptr, 1.0, 2}).moves->empty());
  CHECK(*solve(Goal(1, 2, 0), {1, 0}, {nullptr, 1.0, 2}).moves == "R");
}

void misuse_is_refused() {
  const Goal goal(2, 2, 3);
  const Tiles tiles = goal.tiles();
  CHECK_THROWS(std::invalid_argument, solve(goal, {2, 1, 3, 0}, {}));
  CHECK_THROWS(std::invalid_argument, solve(goal, tiles, {nullptr, 0.5, 1}));
  CHECK_THROWS(std::invalid_argument, solve(goal, tiles, {nullptr, 1.0, 0}));
  CHECK_THROWS(std::invalid_argument, solve(goal, tiles, {walking(Goal(2, 2, 0)), 1.0, 1}));
}

}  // namespace

int main() {
  for (const int blank : {0, 4, 7}) lengths_agree_with_the_table(3, 3, blank, 997);
  for (const int blank : {0, 2, 5}) lengths_agree_with_the_table(2, 4, blank, 97);
  lengths_agree_with_the_table(1, 7, 3, 1);
  weighted_answers_keep_their_promise();
  threads_agree_on_4x4();
  iterations_add_up();
  large_boards_do_not_overflow();
  long_lines();
  trivial_boards();
  misuse_is_refused();
}
