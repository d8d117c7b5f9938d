#include <cstdlib>

#include "check.h"
#include "distance_table.h"
#include "heuristics.h"
#include "walking.h"

using namespace taquin;

namespace {

void between_manhattan_and_the_truth(int rows, int cols, int blank) {
  Heartbeat heart;
  const Goal goal(rows, cols, blank);
  const DistanceTable table(goal, heart);
  const WalkingDistance distance(goal, heart);
  const Walking walking(distance);
  const Manhattan manhattan(goal);
  for (std::uint64_t rank = 0; rank < table.distances().size(); ++rank) {
    const Tiles tiles = table.unrank(rank);
    const auto walked = walking.distance(walking.start(tiles));
    CHECK(walked <= table.distance(tiles));
    CHECK(walked % 2 == table.distance(tiles) % 2);
    CHECK(manhattan.distance(manhattan.start(tiles)) <= walked);
  }
}

template <class Heuristic>
void moves_update_it(const Goal& goal, const Heuristic& heuristic, const Tiles& tiles) {
  const std::size_t blank = blank_cell(tiles);
  for (Direction direction = 0; direction < kDirections; ++direction) {
    if (!(goal.moves(blank) >> direction & 1U)) continue;
    const std::size_t source = goal.source(blank, direction);
    const auto updated = heuristic.after(heuristic.start(tiles), direction, tiles[source], source);
    Tiles next = tiles;
    std::swap(next[blank], next[source]);
    CHECK(heuristic.distance(updated) == heuristic.distance(heuristic.start(next)));
  }
}

void moves_update_both(int rows, int cols, int blank) {
  Heartbeat heart;
  const Goal goal(rows, cols, blank);
  const DistanceTable table(goal, heart);
  const WalkingDistance distance(goal, heart);
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += 7) {
    moves_update_it(goal, Walking(distance), table.unrank(rank));
    moves_update_it(goal, Manhattan(goal), table.unrank(rank));
  }
}

void sizes() {
  Heartbeat heart;
  CHECK(WalkingDistance(Goal(4, 4, 15), heart).size() == 24'964);
  CHECK(WalkingDistance(Goal(4, 4, 3), heart).size() == 2 * 24'964);
  CHECK(WalkingDistance(Goal(4, 4, 0), heart, 24'964).size() == 24'964);
  CHECK_THROWS(WalkingTooLarge, WalkingDistance(Goal(4, 4, 0), heart, 24'963));
  CHECK_THROWS(WalkingTooLarge, WalkingDistance(Goal(5, 5, 0), heart));
  CHECK_THROWS(WalkingTooLarge, WalkingDistance(Goal(256, 256, 0), heart));
}

void lines() {
  Heartbeat heart;
  const WalkingDistance distance(Goal(1, 9, 0), heart);
  CHECK(LineTable::distance(distance.row_entry({1, 2, 3, 0, 4, 5, 6, 7, 8})) == 0);
  CHECK(LineTable::distance(distance.column_entry({1, 2, 3, 0, 4, 5, 6, 7, 8})) == 3);
  CHECK_THROWS(std::invalid_argument, distance.column_entry({2, 1, 3, 0, 4, 5, 6, 7, 8}));
}

void hook_stops() {
  Heartbeat heart([](const Progress&) { return true; });
  CHECK_THROWS(Stopped, WalkingDistance(Goal(4, 4, 0), heart));
}

}  // namespace

int main() {
  for (const int blank : {0, 4, 5}) between_manhattan_and_the_truth(3, 3, blank);
  for (int blank = 0; blank < 8; ++blank) between_manhattan_and_the_truth(2, 4, blank);
  moves_update_both(3, 3, 1);
  moves_update_both(4, 2, 6);
  moves_update_both(1, 6, 2);
  sizes();
  lines();
  hook_stops();
}
