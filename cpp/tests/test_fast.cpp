#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "beam.h"
#include "check.h"
#include "construct.h"
#include "distance_table.h"
#include "fast.h"
#include "peeling.h"
#include "play.h"
#include "polish.h"
#include "scoring.h"

using namespace taquin;

namespace {

constexpr std::uint64_t kBoundless = std::numeric_limits<std::uint64_t>::max();

bool solves(const Goal& goal, const Tiles& tiles, const std::string& moves) {
  return play(goal, tiles, moves) == goal.tiles();
}

void constructs_small_boards(int rows, int cols, std::uint64_t step) {
  Heartbeat heart;
  for (int blank = 0; blank < rows * cols; ++blank) {
    const Goal goal(rows, cols, blank);
    const DistanceTable table(goal, heart);
    for (std::uint64_t rank = 0; rank < table.distances().size(); rank += step) {
      const Tiles tiles = table.unrank(rank);
      CHECK(solves(goal, tiles, construct(goal, tiles, kBoundless, heart)));
    }
  }
}

void answers_on_every_shape() {
  std::mt19937 random(1);
  for (const auto& [rows, cols] :
       {std::pair{1, 9}, {9, 1}, {2, 9}, {9, 2}, {3, 7}, {5, 5}, {7, 8}}) {
    for (int blank = 0; blank < rows * cols; blank += 6) {
      const Goal goal(rows, cols, blank);
      const Tiles tiles = wander(goal, 2000, random);
      for (const std::uint64_t effort : {0U, 10000U}) {
        Heartbeat heart;
        const Report report = fast(goal, tiles, effort, kBoundless, heart);
        CHECK(solves(goal, tiles, *report.moves));
      }
    }
  }
}

void answers_on_large_boards() {
  std::mt19937 random(5);
  for (const auto& [rows, cols] : {std::pair{2, 700}, {300, 3}, {150, 90}, {300, 300}}) {
    const Goal goal(rows, cols, rows * cols / 3);
    const Tiles tiles = wander(goal, 20'000, random);
    Heartbeat heart;
    CHECK(solves(goal, tiles, *fast(goal, tiles, 1'000'000, kBoundless, heart).moves));
  }
  const Goal line(1, 100'000, 99'000);
  Heartbeat heart;
  CHECK(fast(line, wander(line, 500, random), 1000, kBoundless, heart).moves->size() <= 500);
}

void peels_down_to_the_blank() {
  for (int blank = 0; blank < 42; ++blank) {
    const Goal goal(6, 7, blank);
    Peeling peeling(goal);
    std::size_t peeled = 0;
    while (peeling.rest().cells() > 1) {
      const auto line = peeling.peel();
      CHECK(std::find(line.begin(), line.end(), goal.blank()) == line.end());
      peeled += line.size();
      CHECK(peeled + peeling.rest().cells() == goal.cells());
    }
  }
}

void stages_hold_every_tile_once() {
  const Goal goal(9, 12, 50);
  const Stages stages = plan_stages(goal, 16, 4);
  std::vector<std::size_t> sizes(stages.count, 0);
  for (std::size_t tile = 1; tile < goal.cells(); ++tile) ++sizes[stages.of_tile[tile]];
  for (std::size_t stage = 0; stage + 1 < stages.count; ++stage) {
    CHECK(sizes[stage] >= 1 && sizes[stage] <= 4);
  }
  CHECK(sizes.back() <= 15);
  CHECK(plan_stages(goal, 108, 4).count == 1);
}

// A wide beam keeps every board of a small shape, so what it finds is best.
void a_wide_beam_is_best() {
  Heartbeat heart;
  const Goal goal(2, 4, 3);
  const DistanceTable table(goal, heart);
  const Stages whole = plan_stages(goal, 8, 4);
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += 4999) {
    const Tiles tiles = table.unrank(rank);
    const BeamEnd end = beam(goal, tiles, whole, {20'160, 40}, heart);
    CHECK(end.stage == whole.count && solves(goal, tiles, end.moves));
    CHECK(end.moves.size() == static_cast<std::size_t>(table.distance(tiles)));
  }
}

void a_beam_does_not_go_too_deep() {
  Heartbeat heart;
  const Goal goal(3, 3, 8);
  const Tiles far = {8, 6, 7, 2, 5, 4, 3, 0, 1};
  const Stages whole = plan_stages(goal, 9, 4);
  const BeamEnd strayed = beam(goal, far, whole, {1000, 30}, heart);
  CHECK(strayed.stage == 0 && strayed.moves.empty());
  CHECK(beam(goal, far, whole, {100'000, 31}, heart).moves.size() == 31);
}

// A beam of one board dies out or goes in circles, and leads to where it was last of use.
void a_beam_that_strays_has_done_some_stages() {
  Heartbeat heart;
  const Goal goal(7, 7, 48);
  const Stages stages = plan_stages(goal, 16, 4);
  std::mt19937 random(6);
  std::size_t done = 0;
  for (int i = 0; i < 20; ++i) {
    Tiles tiles = wander(goal, 2000, random);
    const std::size_t first = stages.first_to_do(goal, tiles.data());
    const BeamEnd end = beam(goal, tiles, stages, {8, 100'000, 200}, heart);
    CHECK(goal.make(end.moves, tiles));
    CHECK(stages.first_to_do(goal, tiles.data()) == end.stage && end.stage >= first);
    done += end.stage - first;
  }
  CHECK(done > 20);
}

// On a board so long that beams stray, what they find is still much better than what is
// constructed.
void beams_go_on_where_they_strayed() {
  Heartbeat heart;
  const Goal goal(4, 60, 239);
  std::mt19937 random(1);
  const Tiles tiles = wander(goal, 100'000, random);
  const std::string constructed = *fast(goal, tiles, 0, kBoundless, heart).moves;
  const std::string better = *fast(goal, tiles, 70 * constructed.size(), kBoundless, heart).moves;
  CHECK(solves(goal, tiles, better));
  CHECK(better.size() * 10 < constructed.size() * 9);
}

// What a move changes is what it makes of the whole.
void scores_by_moves() {
  std::mt19937 random(5);
  for (const auto& [rows, cols] : {std::pair{3, 3}, {5, 5}, {4, 7}, {9, 2}}) {
    const Goal goal(rows, cols, rows * cols / 2);
    const Stages stages = plan_stages(goal, 6, 3);
    const Scoring<std::uint8_t> scoring(goal, stages);
    Tiles tiles = wander(goal, 40, random);
    std::vector<std::uint8_t> board(tiles.begin(), tiles.end());
    std::size_t blank = blank_cell(tiles);
    for (int i = 0; i < 3000; ++i) {
      const auto direction = static_cast<Direction>(random() % kDirections);
      if (!(goal.moves(blank) >> direction & 1U)) continue;
      const std::size_t stage = random() % stages.count, source = goal.source(blank, direction);
      const Score before = scoring.whole(board.data(), stage);
      const Score change = scoring.change(board.data(), source, blank, direction < 2, stage);
      std::swap(board[source], board[blank]);
      blank = source;
      CHECK(scoring.whole(board.data(), stage) == before + change);
    }
  }
}

void polishes_detours() {
  Heartbeat heart;
  const Goal goal(4, 4, 15);
  std::mt19937 random(2);
  for (int i = 0; i < 5; ++i) {
    const Tiles tiles = wander(goal, 100, random);
    const std::string moves = construct(goal, tiles, kBoundless, heart);
    const std::string better = polish(goal, tiles, moves, 24, 20'000, heart);
    CHECK(solves(goal, tiles, better));
    CHECK(better.size() <= moves.size());
  }
  // Twelve moves around a square come back to where they began.
  const std::string circles = "DRULDRULDRUL";
  CHECK(polish(goal, goal.tiles(), circles, 12, 1000, heart).empty());
}

void stops() {
  const Goal goal(9, 9, 40);
  std::mt19937 random(3);
  const Tiles tiles = wander(goal, 5000, random);
  Heartbeat at_once([](const Progress&) { return true; });
  CHECK(!fast(goal, tiles, 1'000'000, kBoundless, at_once).moves);
  Heartbeat limited({}, 5000);
  const Report report = fast(goal, tiles, 1'000'000, kBoundless, limited);
  CHECK(solves(goal, tiles, *report.moves));
  CHECK(report.limit_reached && report.expanded == 5000);
}

void stays_within_its_memory() {
  const Goal goal(9, 9, 40);
  std::mt19937 random(4);
  const Tiles tiles = wander(goal, 5000, random);
  Heartbeat heart;
  const auto answer = [&](std::uint64_t memory) {
    return fast(goal, tiles, 1'000'000, memory, heart).moves;
  };
  const std::string constructed = *fast(goal, tiles, 0, kBoundless, heart).moves;
  const std::string best = *answer(kBoundless);
  const std::uint64_t enough = 16 * 5000, wide = 1'000'000 * beam_bytes(goal, constructed.size());
  CHECK(answer(wide) == best && best.size() < constructed.size());
  const std::string narrow = *answer(64 * beam_bytes(goal, constructed.size()));
  CHECK(solves(goal, tiles, narrow) && narrow.size() > best.size());
  CHECK(solves(goal, tiles, *answer(enough)));
  const Goal large(30, 30, 0);
  const Tiles far = wander(large, 200'000, random);
  CHECK(solves(large, far, *fast(large, far, 0, 1U << 20U, heart).moves));
  CHECK(!fast(large, far, 0, 1U << 10U, heart).moves);
}

}  // namespace

int main() {
  constructs_small_boards(2, 3, 1);
  constructs_small_boards(4, 2, 97);
  answers_on_every_shape();
  answers_on_large_boards();
  peels_down_to_the_blank();
  stages_hold_every_tile_once();
  a_wide_beam_is_best();
  a_beam_does_not_go_too_deep();
  a_beam_that_strays_has_done_some_stages();
  beams_go_on_where_they_strayed();
  scores_by_moves();
  polishes_detours();
  stops();
  stays_within_its_memory();
}
