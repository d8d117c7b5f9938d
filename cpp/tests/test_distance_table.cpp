#include <stdexcept>

#include "check.h"
#include "distance_table.h"
#include "play.h"

using namespace taquin;

namespace {

using Layers = std::vector<std::uint64_t>;

const Layers k2x2{1, 2, 2, 2, 2, 2, 1};
const Layers k2x3{1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1};
const Layers k3x3{1,     2,     4,     8,     16,    20,   39,   62,   116,   152,   286,
                  396,   748,   1024,  1893,  2512,  4485, 5638, 9529, 10878, 16993, 17110,
                  23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,   2};

DistanceTable table(int rows, int cols, int blank) {
  Heartbeat heart;
  return DistanceTable(Goal(rows, cols, blank), heart);
}

void known_layers() {
  for (const int corner : {0, 1, 2, 3}) CHECK(table(2, 2, corner).layers() == k2x2);
  for (const int corner : {0, 2, 3, 5}) CHECK(table(2, 3, corner).layers() == k2x3);
  for (const int corner : {0, 1, 4, 5}) CHECK(table(3, 2, corner).layers() == k2x3);
  for (const int corner : {0, 8}) CHECK(table(3, 3, corner).layers() == k3x3);
  CHECK((table(1, 4, 1).layers() == Layers{1, 2, 1}));
  CHECK((table(4, 1, 0).layers() == Layers{1, 1, 1, 1}));
}

void moves_are_shortest(int rows, int cols, int blank) {
  const DistanceTable distances = table(rows, cols, blank);
  for (std::uint64_t rank = 0; rank < distances.distances().size(); ++rank) {
    const Tiles tiles = distances.unrank(rank);
    const std::string moves = distances.moves(tiles);
    CHECK(static_cast<int>(moves.size()) == distances.distance(tiles));
    CHECK(play(distances.goal(), tiles, moves) == distances.goal().tiles());
  }
}

void boards_at_a_distance() {
  const DistanceTable distances = table(3, 3, 8);
  CHECK((distances.at(31, 10) ==
         std::vector<Tiles>{{6, 4, 7, 8, 5, 0, 3, 2, 1}, {8, 6, 7, 2, 5, 4, 3, 0, 1}}));
  CHECK(distances.at(20, 7).size() == 7);
  CHECK(distances.at(32, 7).empty());
}

void wrong_boards_are_refused() {
  CHECK_THROWS(std::invalid_argument, table(3, 4, 0));
  const DistanceTable distances = table(2, 2, 3);
  CHECK_THROWS(std::invalid_argument, distances.distance({2, 1, 3, 0}));
  CHECK_THROWS(std::invalid_argument, distances.unrank(12));
}

void hook_stops() {
  Heartbeat heart([](const Progress&) { return true; });
  CHECK_THROWS(Stopped, DistanceTable(Goal(3, 3, 0), heart));
}

}  // namespace

int main() {
  known_layers();
  for (int blank = 0; blank < 6; ++blank) moves_are_shortest(2, 3, blank);
  moves_are_shortest(5, 1, 2);
  boards_at_a_distance();
  wrong_boards_are_refused();
  hook_stops();
}
