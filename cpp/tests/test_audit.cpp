#include "audit.h"
#include "check.h"
#include "distance_table.h"
#include "heuristics.h"

using namespace taquin;

namespace {

// A value that is too large on one board is found, and what is missing is added up.
void every_board_is_asked(const Goal& goal, std::int64_t threads) {
  Heartbeat heart;
  const DistanceTable table(goal, heart);
  const Tiles farthest = table.unrank(table.distances().size() - 1);
  std::uint64_t sum = 0;
  for (const auto distance : table.distances()) sum += distance;

  const auto zero = [](const Tiles&) { return std::int64_t{0}; };
  const Audit none = audit(goal, zero, threads, heart);
  CHECK(none.boards == table.distances().size() && none.missing == sum && !none.wrong);

  const auto exact = [&](const Tiles& tiles) -> std::int64_t {
    return table.distances()[table.rank(tiles)] + (tiles == farthest ? 2 : 0);
  };
  const Audit one = audit(goal, exact, threads, heart);
  CHECK(one.missing == 0 && one.wrong == farthest);
}

void the_hook_stops_it() {
  Heartbeat heart([](const Progress&) { return true; });
  const Goal goal(3, 3, 0);
  const Manhattan manhattan(goal);
  const auto value = [&](const Tiles& tiles) {
    return Manhattan::distance(manhattan.start(tiles));
  };
  CHECK_THROWS(Stopped, audit(goal, value, 1, heart));
}

}  // namespace

int main() {
  for (const std::int64_t threads : {1, 2}) {
    every_board_is_asked(Goal(3, 3, 0), threads);
    every_board_is_asked(Goal(2, 4, 5), threads);
  }
  the_hook_stops_it();
}
