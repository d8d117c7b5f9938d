#include <random>
#include <stdexcept>

#include "check.h"
#include "play.h"

using namespace taquin;

namespace {

void bad_input_is_named() {
  const Goal goal(2, 2, 3);
  CHECK_THROWS(std::invalid_argument, Goal(0, 3, 0));
  CHECK_THROWS(std::invalid_argument, Goal(3, 3, 9));
  CHECK_THROWS(std::invalid_argument, Goal(1025, 1025, 0));
  CHECK_THROWS(std::invalid_argument, goal.board({1, 2, 3}));
  CHECK_THROWS(std::invalid_argument, goal.board({1, 2, 4, 0}));
  try {
    goal.board({1, 2, 2, 0});
    CHECK(false);
  } catch (const std::invalid_argument& error) {
    CHECK(std::string_view(error.what()) == "tile 2 appears twice (cells 1 and 2)");
  }
}

void goals_are_canonical() {
  CHECK((Goal(2, 3, 2).tiles() == Tiles{1, 2, 0, 3, 4, 5}));
  CHECK((Goal(2, 3, 0).tiles() == Tiles{0, 1, 2, 3, 4, 5}));
}

void letters_name_the_way_of_the_tile() {
  const Goal goal(2, 2, 3);
  CHECK((play(goal, {1, 0, 3, 2}, "U") == goal.tiles()));
  CHECK((play(goal, {1, 2, 0, 3}, "L") == goal.tiles()));
}

void moves_keep_and_swaps_break_reachability() {
  std::mt19937 random(1);
  for (const auto& [rows, cols] : {std::pair{2, 2}, {3, 3}, {3, 4}, {4, 4}, {7, 2}}) {
    for (int blank = 0; blank < rows * cols; ++blank) {
      const Goal goal(rows, cols, blank);
      Tiles tiles = wander(goal, 50, random);
      CHECK(goal.reachable_from(tiles));
      const std::size_t one = tiles[0] != 0 && tiles[1] != 0 ? 0 : 2;
      std::swap(tiles[one], tiles[one + 1]);
      CHECK(!goal.reachable_from(tiles));
    }
  }
}

void solutions_are_replayed() {
  const Goal goal(2, 2, 3);
  CHECK(goal.solved_by({1, 0, 3, 2}, "U"));
  CHECK(goal.solved_by(goal.tiles(), ""));
  CHECK(!goal.solved_by({1, 0, 3, 2}, ""));
  CHECK(!goal.solved_by({1, 0, 3, 2}, "UU"));
  CHECK(!goal.solved_by({1, 0, 3, 2}, "LU"));
  CHECK(!goal.solved_by({1, 0, 3, 2}, "X"));
}

void lines_keep_their_order() {
  const Goal goal(1, 4, 3);
  CHECK(goal.reachable_from({1, 0, 2, 3}));
  CHECK(!goal.reachable_from({2, 3, 1, 0}));
}

}  // namespace

int main() {
  bad_input_is_named();
  goals_are_canonical();
  letters_name_the_way_of_the_tile();
  moves_keep_and_swaps_break_reachability();
  solutions_are_replayed();
  lines_keep_their_order();
}
