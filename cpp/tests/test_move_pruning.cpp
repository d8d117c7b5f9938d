#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "check.h"
#include "distance_table.h"
#include "move_pruning.h"
#include "play.h"

using namespace taquin;

namespace {

bool allows(const MovePruning& pruning, MovePruning::State state, Direction direction) {
  const bool allowed = pruning.allowed(state) >> direction & 1U;
  CHECK(allowed == (pruning.after(state, direction) != MovePruning::kForbidden));
  CHECK(!allowed || pruning.after(state, direction) < pruning.states());
  return allowed;
}

// The state after some moves; kForbidden when one of them is.
MovePruning::State read(const MovePruning& pruning, std::string_view letters) {
  MovePruning::State state = MovePruning::kStart;
  for (const char letter : letters) {
    const auto direction = static_cast<Direction>(std::string_view(kLetters).find(letter));
    if (!allows(pruning, state, direction)) return MovePruning::kForbidden;
    state = pruning.after(state, direction);
  }
  return state;
}

// A breadth-first search by allowed moves alone must reach every board, in the least moves.
// Distances to the goal are those from it, because ways can be turned back.
void every_board_stays_at_its_distance(const MovePruning& pruning, const DistanceTable& table) {
  using Place = std::pair<std::uint64_t, MovePruning::State>;  // a board's rank, and the state
  const Goal& goal = table.goal();
  const std::vector<std::uint64_t> layers = table.layers();
  std::vector<Place> places{{table.rank(goal.tiles()), MovePruning::kStart}};
  for (std::size_t depth = 0; depth < layers.size(); ++depth) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<Place> farther;
    std::uint64_t boards = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto [rank, state] = places[i];
      boards += i == 0 || rank != places[i - 1].first ? 1 : 0;
      const Tiles tiles = table.unrank(rank);
      const std::size_t blank = blank_cell(tiles);
      for (Direction direction = 0; direction < kDirections; ++direction) {
        if (!(goal.moves(blank) >> direction & 1U) || !allows(pruning, state, direction)) continue;
        Tiles after = tiles;
        std::swap(after[blank], after[goal.source(blank, direction)]);
        const std::uint64_t next = table.rank(after);
        if (table.distances()[next] <= depth) continue;  // no shortest path goes there from here
        farther.emplace_back(next, pruning.after(state, direction));
      }
    }
    CHECK(boards == layers[depth]);
    places = std::move(farther);
  }
}

void no_board_is_lost(const MovePruning& pruning, int rows, int cols) {
  for (int blank = 0; blank < rows * cols; ++blank) {
    Heartbeat heart;
    every_board_stays_at_its_distance(pruning, DistanceTable(Goal(rows, cols, blank), heart));
  }
}

void moves_back_are_forbidden(const MovePruning& pruning) {
  for (MovePruning::State state = 0; state < pruning.states(); ++state) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (!allows(pruning, state, direction)) continue;
      CHECK(!allows(pruning, pruning.after(state, direction), opposite(direction)));
    }
  }
}

// Round a block of 2×2 cells six moves one way are six the other way; twelve change nothing.
void one_way_round_a_block() {
  const MovePruning six(6);
  const std::pair<const char*, const char*> ways[] = {
      {"DRULDR", "RDLURD"}, {"ULDRUL", "LURDLU"}, {"URDLUR", "RULDRU"}, {"DLURDL", "LDRULD"}};
  const Goal goal(2, 2, 0);
  for (const auto& [one, other] : ways) {
    const bool kept = read(six, one) != MovePruning::kForbidden;
    CHECK(kept != (read(six, other) != MovePruning::kForbidden));
    CHECK(read(MovePruning(4), one) != MovePruning::kForbidden);
  }
  CHECK(play(goal, goal.tiles(), "LURDLU") == play(goal, goal.tiles(), "ULDRUL"));
  // Seven moves one way are five the other.
  for (const char* const longer : {"DRULDRU", "RDLURDL", "ULDRULD", "LURDLUR"}) {
    CHECK(read(six, longer) == MovePruning::kForbidden ||
          read(MovePruning(7), longer) == MovePruning::kForbidden);
  }
}

// Counted far from any edge, where without an automaton there are 4 * 3^11 paths of 12 moves.
void longer_automata_forbid_more() {
  std::size_t before = 1 << 30;
  for (std::size_t moves = 2; moves <= 10; moves += 2) {
    const MovePruning pruning(moves);
    std::map<MovePruning::State, std::size_t> paths{{MovePruning::kStart, 1}};
    for (int depth = 0; depth < 12; ++depth) {
      std::map<MovePruning::State, std::size_t> next;
      for (const auto& [state, count] : paths) {
        for (Direction direction = 0; direction < kDirections; ++direction) {
          if (allows(pruning, state, direction)) next[pruning.after(state, direction)] += count;
        }
      }
      paths = std::move(next);
    }
    std::size_t all = 0;
    for (const auto& [state, count] : paths) all += count;
    CHECK(moves == 2 ? all == 4 * 177'147 : moves == 4 ? all == before : all < before);
    before = all;
  }
}

void lengths_are_checked() {
  CHECK_THROWS(std::invalid_argument, MovePruning(1));
  CHECK_THROWS(std::invalid_argument, MovePruning(MovePruning::kMostMoves + 1));
}

}  // namespace

int main() {
  for (const std::size_t moves : {2, 6, 9}) {
    const MovePruning pruning(moves);
    moves_back_are_forbidden(pruning);
    for (const auto& [rows, cols] : {std::pair{2, 2}, {2, 3}, {1, 5}, {2, 4}}) {
      no_board_is_lost(pruning, rows, cols);
    }
  }
  const MovePruning most;
  moves_back_are_forbidden(most);
  no_board_is_lost(most, 2, 3);
  no_board_is_lost(most, 2, 4);
  no_board_is_lost(most, 3, 3);
  one_way_round_a_block();
  longer_automata_forbid_more();
  lengths_are_checked();
}
