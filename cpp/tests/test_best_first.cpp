#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "best_first.h"
#include "check.h"
#include "distance_table.h"
#include "idastar.h"
#include "pattern_kit.h"
#include "pattern_moves.h"
#include "play.h"

using namespace taquin;

namespace {

const MovePruning& pruning() {
  static const MovePruning kAutomaton(9);
  return kAutomaton;
}

// A best-first search with tables that are not dense, which are quick to build.
template <std::size_t Parts, std::size_t Patterns>
class Trial {
 public:
  using Moves = PatternMoves<Parts, PositionalLookup, SmallRegions>;
  using Search = BestFirst<Moves, Patterns>;

  Trial(const PatternKit& kit, const Tiles& tiles, std::size_t most = Search::kMostBoards)
      : moves_(kit.patterns()), search_(start(kit, tiles, most)) {}

  std::int64_t lowest() const { return lowest_; }

  // The answer and its length, by one bound after the other from the given one on.
  std::optional<std::string> solve(std::int64_t bound, Heartbeat& heart) {
    Pulse pulse(heart);
    std::optional<std::string> moves;
    while (!moves && !heart.halted() && !search_.is_full()) {
      moves = search_.go_on(bound, pulse);
      CHECK(!moves || static_cast<std::int64_t>(moves->size()) == bound);
      bound += 2;
    }
    return moves;
  }

  bool is_full() const { return search_.is_full(); }

 private:
  Search start(const PatternKit& kit, const Tiles& tiles, std::size_t most) {
    std::array<std::int32_t, Parts> values;
    for (std::size_t p = 0; p < Parts; ++p) {
      values[p] = static_cast<std::int32_t>(kit.patterns().sum(kit.patterns().parts()[p], tiles));
    }
    lowest_ = *std::max_element(values.begin(), values.end());
    moves_.put(tiles);
    return Search(moves_, pruning(), tiles, values, most);
  }

  std::int64_t lowest_ = 0;
  Moves moves_;
  Search search_;
};

// From the lowest bound and from the right one.
template <std::size_t Parts, std::size_t Patterns>
void agrees_with_the_table(const Goal& goal, const PatternKit& kit, std::uint64_t every) {
  Heartbeat heart;
  const DistanceTable table(goal, heart);
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += every) {
    const Tiles tiles = table.unrank(rank);
    const std::int64_t optimum = table.distances()[rank];
    for (const bool known : {false, true}) {
      Trial<Parts, Patterns> trial(kit, tiles);
      Heartbeat apart;
      const auto moves = trial.solve(known ? optimum : trial.lowest(), apart);
      CHECK(moves && static_cast<std::int64_t>(moves->size()) == optimum);
      CHECK(play(goal, tiles, *moves) == goal.tiles());
    }
  }
}

void agrees_with_iterative_deepening() {
  const Goal goal(4, 4, 0);
  const PatternKit kit(goal, {PatternKit::cut(goal, 5), PatternKit::cut_columns(goal, 5)});
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    const Tiles tiles = wander(goal, 90 + i % 2, random);
    Heartbeat heart;
    const Report report = idastar(goal, tiles, {nullptr, &kit.patterns(), &pruning()}, {}, heart);
    Trial<2, 6> trial(kit, tiles, std::size_t{1} << 22U);
    Heartbeat apart;
    const auto moves = trial.solve(trial.lowest(), apart);
    CHECK(moves && moves->size() == report.moves->size());
    CHECK(play(goal, tiles, *moves) == goal.tiles());
  }
}

void ends_where_it_must() {
  const Goal goal(4, 4, 0);
  const PatternKit kit(goal, {PatternKit::cut(goal, 2)});
  const Tiles hard{15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4};
  for (const std::uint64_t limit : {1U, 7U, 1000U}) {
    Trial<1, 8> trial(kit, hard);
    Heartbeat heart({}, limit);
    CHECK(!trial.solve(trial.lowest(), heart));
    CHECK(heart.limit_reached() && heart.expanded() == limit && !trial.is_full());
  }
  for (const std::size_t most : {16U, 1000U, 5000U}) {
    Trial<1, 8> trial(kit, hard, most);
    Heartbeat heart;
    CHECK(!trial.solve(trial.lowest(), heart));
    CHECK(trial.is_full() && !heart.halted() && heart.expanded() <= most);
  }
}

}  // namespace

int main() {
  for (const int blank : {0, 4, 7}) {
    const Goal goal(3, 3, blank);
    const PatternKit one(goal, {PatternKit::cut(goal, 3)});
    agrees_with_the_table<1, 3>(goal, one, 509);
    const PatternKit two(goal, {PatternKit::cut(goal, 4), PatternKit::cut_columns(goal, 4)});
    agrees_with_the_table<2, 4>(goal, two, 509);
  }
  const Goal flat(2, 4, 2);
  agrees_with_the_table<2, 5>(
      flat, PatternKit(flat, {PatternKit::cut(flat, 4), PatternKit::cut_columns(flat, 3)}), 1);
  agrees_with_iterative_deepening();
  ends_where_it_must();
}
