#include <stdexcept>

#include "check.h"
#include "distance_table.h"
#include "exact_table.h"
#include "play.h"

using namespace taquin;

namespace {

struct Built {
  Built(int rows, int cols, int blank, int threads = 1)
      : goal(rows, cols, blank), bytes(ExactTable::bytes(goal)) {
    Heartbeat heart;
    layers = ExactTable::build(goal, bytes, threads, heart);
  }
  ExactTable table() const { return ExactTable(goal, bytes); }

  Goal goal;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> layers;
};

// Distances as a plain search finds them: with a queue, and no digits of ranks moved about.
std::vector<int> plain_search(const Goal& goal) {
  const Ranking ranking(goal);
  std::vector<int> distances(ranking.size(), -1);
  std::vector<Tiles> queue{goal.tiles()};
  distances[ranking.rank(queue.front().data())] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int distance = distances[ranking.rank(queue[i].data())];
    for (const char letter : std::string_view(kLetters)) {
      const Tiles next = play(goal, queue[i], std::string_view(&letter, 1));
      if (next.empty() || distances[ranking.rank(next.data())] >= 0) continue;
      distances[ranking.rank(next.data())] = distance + 1;
      queue.push_back(next);
    }
  }
  return distances;
}

void every_board(int rows, int cols, int blank, unsigned every) {
  const Built one(rows, cols, blank);
  const Built two(rows, cols, blank, 2);
  CHECK(one.bytes == two.bytes && one.layers == two.layers);
  Heartbeat heart;
  const DistanceTable distances(one.goal, heart);
  CHECK(one.layers == distances.layers());
  const std::vector<int> plain = plain_search(one.goal);
  for (std::uint64_t rank = 0; rank < plain.size(); ++rank) {
    CHECK(distances.distances()[rank] == plain[rank]);
    if (rank % every != 0) continue;
    const Tiles tiles = distances.unrank(rank);
    const std::string moves = one.table().moves(tiles);
    CHECK(static_cast<int>(moves.size()) == plain[rank]);
    CHECK(play(one.goal, tiles, moves) == one.goal.tiles());
  }
}

void boards_at_a_distance() {
  const Built built(3, 3, 8);
  Heartbeat heart;
  CHECK((ExactTable::at(built.goal, 31, 10, 2, heart) ==
         std::vector<Tiles>{{6, 4, 7, 8, 5, 0, 3, 2, 1}, {8, 6, 7, 2, 5, 4, 3, 0, 1}}));
  const DistanceTable distances(built.goal, heart);
  CHECK(ExactTable::at(built.goal, 20, 7, 1, heart) == distances.at(20, 7));
  CHECK(ExactTable::at(built.goal, 32, 7, 1, heart).empty());
}

void lines_of_eleven() {
  const Built line(1, 11, 3);
  CHECK((line.layers == std::vector<std::uint64_t>{1, 2, 2, 2, 1, 1, 1, 1}));
  CHECK(line.table().moves({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) == "LLL");
  CHECK(Built(11, 1, 0, 2).layers.size() == 11);
}

void misuse_is_refused() {
  const Built built(2, 2, 3);
  Heartbeat heart;
  std::vector<std::uint8_t> short_of_one(built.bytes.size() - 1);
  CHECK_THROWS(std::invalid_argument, ExactTable(built.goal, short_of_one));
  CHECK_THROWS(std::invalid_argument, ExactTable::build(built.goal, short_of_one, 1, heart));
  CHECK_THROWS(std::invalid_argument, ExactTable::bytes(Goal(2, 7, 0)));
  CHECK_THROWS(std::invalid_argument, built.table().distance({2, 1, 3, 0}));
  CHECK_THROWS(std::invalid_argument, Built(2, 2, 3, 0));
}

void damage_is_noticed() {
  Built built(3, 3, 8);
  for (std::uint8_t& byte : built.bytes) byte = 0x55;
  CHECK_THROWS(std::invalid_argument, built.table().moves({8, 6, 7, 2, 5, 4, 3, 0, 1}));
}

void hook_stops() {
  for (const int threads : {1, 2}) {
    Heartbeat heart([](const Progress&) { return true; });
    std::vector<std::uint8_t> bytes(ExactTable::bytes(Goal(3, 3, 0)));
    CHECK_THROWS(Stopped, ExactTable::build(Goal(3, 3, 0), bytes, threads, heart));
  }
}

}  // namespace

int main() {
  for (int blank = 0; blank < 6; ++blank) every_board(3, 2, blank, 1);
  every_board(3, 3, 7, 11);
  every_board(2, 4, 2, 1);
  every_board(4, 2, 3, 1);
  every_board(2, 2, 1, 1);
  every_board(1, 7, 3, 1);
  every_board(7, 1, 0, 1);
  boards_at_a_distance();
  lines_of_eleven();
  misuse_is_refused();
  damage_is_noticed();
  hook_stops();
}
