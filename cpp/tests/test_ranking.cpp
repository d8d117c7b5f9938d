#include <stdexcept>
#include <utility>

#include "check.h"
#include "ranking.h"

using namespace taquin;

namespace {

void ranks_are_dense_and_turn_back(const Goal& goal) {
  const Ranking ranking(goal);
  Tiles tiles(goal.cells());
  for (std::uint64_t rank = 0; rank < ranking.size(); ++rank) {
    ranking.unrank(rank, tiles.data());
    CHECK(goal.reachable_from(tiles));
    CHECK(ranking.rank(tiles.data()) == rank);
  }
}

void boards_are_counted() {
  CHECK(Ranking(Goal(2, 2, 0)).size() == 12);
  CHECK(Ranking(Goal(3, 3, 8)).size() == 181'440);
  CHECK(Ranking(Goal(4, 4, 0)).size() == 10'461'394'944'000);
  CHECK(Ranking(Goal(1, 7, 0)).size() == 7);
  CHECK_THROWS(std::invalid_argument, Ranking(Goal(3, 6, 0)));
}

void order_is_lexicographic() {
  const Goal goal(2, 2, 0);
  const Ranking ranking(goal);
  Tiles tiles(4);
  ranking.unrank(4, tiles.data());
  CHECK((tiles == Tiles{2, 0, 3, 1}));
}

}  // namespace

int main() {
  for (const auto& [rows, cols] :
       {std::pair{1, 1}, {1, 2}, {6, 1}, {2, 2}, {2, 3}, {3, 2}, {2, 4}}) {
    for (int blank = 0; blank < rows * cols; ++blank) {
      ranks_are_dense_and_turn_back(Goal(rows, cols, blank));
    }
  }
  ranks_are_dense_and_turn_back(Goal(3, 3, 4));
  boards_are_counted();
  order_is_lexicographic();
}
