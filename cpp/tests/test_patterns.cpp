#include <map>
#include <random>
#include <stdexcept>

#include "check.h"
#include "distance_table.h"
#include "idastar.h"
#include "pattern_kit.h"
#include "patterns.h"
#include "play.h"

using namespace taquin;

namespace {

const MovePruning& pruning() {
  static const MovePruning kAutomaton(9);
  return kAutomaton;
}

Report solve(const PatternKit& kit, const Tiles& tiles, const SearchOptions& options = {}) {
  Heartbeat heart;
  return idastar(kit.goal(), tiles, {nullptr, &kit.patterns(), &pruning()}, options, heart);
}

SearchOptions with_threads(int threads, double weight = 1.0) {
  SearchOptions options;
  options.threads = threads;
  options.weight = weight;
  return options;
}

SearchOptions with_known(std::int64_t known, int threads = 1) {
  SearchOptions options = with_threads(threads);
  options.known = known;
  return options;
}

DistanceTable distances(const Goal& goal) {
  Heartbeat heart;
  return DistanceTable(goal, heart);
}

// One to four partitions, with patterns of two to four tiles.
std::vector<std::vector<std::vector<PatternKit::Cells>>> choices(const Goal& goal) {
  const auto pairs = PatternKit::cut(goal, 2);
  const auto threes = PatternKit::cut(goal, 3);
  const auto fours = PatternKit::cut(goal, 4);
  const auto columns = PatternKit::cut_columns(goal, 3);
  return {{pairs}, {fours, columns}, {threes, columns, pairs}, {pairs, threes, fours, columns}};
}

void check_answer(const Goal& goal, const Tiles& tiles, const Report& report, int optimum) {
  CHECK(report.moves.has_value());
  CHECK(static_cast<int>(report.moves->size()) == optimum);
  CHECK(report.lower_bound == optimum);
  CHECK(play(goal, tiles, *report.moves) == goal.tiles());
}

// For all boards: no more than the distance, of the same parity, the largest of the sums.
void values_are_lower_bounds(int rows, int cols, int blank) {
  const Goal goal(rows, cols, blank);
  const DistanceTable table = distances(goal);
  const auto partitions = choices(goal).back();
  const PatternKit together(goal, partitions);
  const SpelledPatterns spelled(together.patterns());
  std::deque<PatternKit> alone;
  for (const auto& partition : partitions) {
    alone.emplace_back(goal, std::vector<std::vector<PatternKit::Cells>>{partition});
  }
  for (std::uint64_t rank = 0; rank < table.distances().size(); ++rank) {
    const Tiles tiles = table.unrank(rank);
    const std::int64_t value = together.patterns().distance(tiles);
    CHECK(value <= table.distances()[rank]);
    CHECK((table.distances()[rank] - value) % 2 == 0);
    CHECK((value == 0) == (rank == table.rank(goal.tiles())));
    CHECK(value == spelled.distance(tiles));
    if (rank % 31 != 0) continue;
    std::int64_t most = 0;
    for (const PatternKit& kit : alone) most = std::max(most, kit.patterns().distance(tiles));
    CHECK(value == most);
  }
}

// The boards around a goal too large for a table, layer by layer.
void values_are_lower_bounds_nearby(const Goal& goal, int depth) {
  const PatternKit kit(goal, choices(goal).back());
  std::map<Tiles, int> seen{{goal.tiles(), 0}};
  std::vector<Tiles> layer{goal.tiles()};
  for (int moves = 0; moves <= depth; ++moves) {
    std::vector<Tiles> next;
    for (const Tiles& tiles : layer) {
      CHECK(kit.patterns().distance(tiles) <= moves);
      for (const char letter : std::string_view(kLetters)) {
        Tiles after = play(goal, tiles, std::string_view(&letter, 1));
        if (after.empty() || !seen.emplace(after, moves + 1).second) continue;
        next.push_back(std::move(after));
      }
    }
    layer = std::move(next);
  }
}

void searches_agree_with_the_table(const Goal& goal, std::uint64_t every) {
  const DistanceTable table = distances(goal);
  for (const auto& partitions : choices(goal)) {
    const PatternKit kit(goal, partitions);
    for (std::uint64_t rank = every / 2; rank < table.distances().size(); rank += every) {
      const Tiles tiles = table.unrank(rank);
      const int optimum = table.distances()[rank];
      check_answer(goal, tiles, solve(kit, tiles), optimum);
      if (rank / every % 12 == 0)
        check_answer(goal, tiles, solve(kit, tiles, with_threads(2)), optimum);
      for (const double weight : {1.2, 2.5}) {
        const Report report =
            solve(kit, tiles, with_threads(rank / every % 40 == 0 ? 2 : 1, weight));
        CHECK(play(goal, tiles, *report.moves) == goal.tiles());
        CHECK(static_cast<double>(report.moves->size()) <= weight * optimum);
        CHECK(report.lower_bound <= optimum);
      }
    }
  }
}

// Against the walking distance, with which a search shares no more than the deepening.
void searches_agree_with_walking(const Goal& goal, int boards) {
  Heartbeat heart;
  const WalkingDistance walking(goal, heart);
  std::mt19937 random(7);
  const PatternKit kit(goal, choices(goal)[1]);
  for (int i = 0; i < boards; ++i) {
    Tiles tiles = wander(goal, 200 + i % 2, random);
    Heartbeat apart;
    const Report report = idastar(goal, tiles, {&walking}, {}, apart);
    const auto optimum = static_cast<int>(report.moves->size());
    check_answer(goal, tiles, solve(kit, tiles, with_threads(1 + i % 3)), optimum);
    // All boards on the way have known distances, too.
    for (int left = optimum; left > 0; --left) {
      CHECK(kit.patterns().distance(tiles) <= left);
      tiles = play(goal, tiles, report.moves->substr(static_cast<std::size_t>(optimum - left), 1));
    }
  }
}

// An answer is wanted only if it is shorter than the known one.
void what_is_known_ends_the_search(const Goal& goal, std::uint64_t every) {
  const DistanceTable table = distances(goal);
  const PatternKit kit(goal, choices(goal)[0]);
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += every) {
    const Tiles tiles = table.unrank(rank);
    const int optimum = table.distances()[rank];
    if (optimum == 0) continue;
    for (const int threads : {1, 2}) {
      const Report none = solve(kit, tiles, with_known(optimum, threads));
      CHECK(!none.moves && !none.limit_reached && none.lower_bound == optimum);
      check_answer(goal, tiles, solve(kit, tiles, with_known(optimum + 2, threads)), optimum);
    }
  }
}

// One table serves a pattern and its mirror image on the turned board.
void turned_boards_share_tables() {
  const Goal goal(3, 4, 0);
  const Goal turned(4, 3, 11);
  const auto turn = [](std::int64_t cell) { return (3 - cell % 4) * 3 + 2 - cell / 4; };
  const PatternKit own(goal, {PatternKit::cut(goal, 4)});
  std::deque<std::vector<std::uint8_t>> bytes;
  std::deque<PatternTable> tables;
  std::vector<std::int64_t> cells;
  for (std::int64_t cell = 0; cell < 12; ++cell) cells.push_back(turn(cell));
  Partition partition;
  for (const auto& homes : PatternKit::cut(goal, 4)) {
    std::map<std::int64_t, std::int64_t> tile_at;
    for (const std::int64_t home : homes) {
      tile_at[turn(home)] = goal.tile_for(static_cast<std::size_t>(home));
    }
    std::vector<std::int64_t> images;
    std::vector<std::int64_t> tiles;
    for (const auto& [image, tile] : tile_at) {
      images.push_back(image);
      tiles.push_back(tile);
    }
    const Pattern pattern(turned, images);
    tables.emplace_back(pattern, bytes.emplace_back(built(pattern)));
    partition.push_back({&tables.back(), tiles, cells});
  }
  const Patterns mirrored(goal, {partition});
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const Tiles tiles = wander(goal, 150 + i % 2, random);
    CHECK(mirrored.distance(tiles) == own.patterns().distance(tiles));
  }
  for (int i = 0; i < 5; ++i) {
    const Tiles tiles = wander(goal, 150, random);
    Heartbeat heart;
    const Report report = idastar(goal, tiles, {nullptr, &mirrored, &pruning()}, {}, heart);
    CHECK(report.moves->size() == solve(own, tiles).moves->size());
    CHECK(play(goal, tiles, *report.moves) == goal.tiles());
  }
}

void limits_are_kept() {
  const Goal goal(4, 4, 0);
  const PatternKit kit(goal, {PatternKit::cut(goal, 2)});
  const Tiles hard{15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4};
  for (const int threads : {1, 2}) {
    for (const std::uint64_t limit : {1U, 1000U, 50'001U}) {
      Heartbeat heart({}, limit);
      const Report report =
          idastar(goal, hard, {nullptr, &kit.patterns(), &pruning()}, with_threads(threads), heart);
      CHECK(!report.moves && report.limit_reached);
      CHECK(threads == 1 ? report.expanded == limit : report.expanded <= limit);
    }
    Heartbeat heart([](const Progress& progress) { return progress.expanded > 0; });
    const Report report =
        idastar(goal, hard, {nullptr, &kit.patterns(), &pruning()}, with_threads(threads), heart);
    CHECK(!report.moves && !report.limit_reached);
  }
}

void misuse_is_refused() {
  const Goal goal(3, 3, 8);
  const auto pairs = PatternKit::cut(goal, 2);
  const PatternKit kit(goal, {pairs});
  const auto kit_of = [&](const std::vector<std::vector<PatternKit::Cells>>& partitions) {
    return PatternKit(goal, partitions).patterns().parts().size();
  };
  CHECK(kit_of({pairs}) == 1);
  CHECK_THROWS(std::invalid_argument, kit_of({}));
  CHECK_THROWS(std::invalid_argument,
               kit_of(std::vector<std::vector<PatternKit::Cells>>(65, pairs)));
  CHECK_THROWS(std::invalid_argument, kit_of({{{0, 1}, {2, 3}}}));
  CHECK_THROWS(std::invalid_argument, kit_of({{{0, 1, 2, 3}, {3, 4, 5, 6, 7}}}));
  Heartbeat heart;
  const Knowledge unpruned{nullptr, &kit.patterns(), nullptr};
  CHECK_THROWS(std::invalid_argument, idastar(goal, goal.tiles(), unpruned, {}, heart));
  const Knowledge knowledge{nullptr, &kit.patterns(), &pruning()};
  const Goal other(3, 3, 0);
  CHECK_THROWS(std::invalid_argument, idastar(other, other.tiles(), knowledge, {}, heart));

  const Pattern pattern(goal, {0, 1, 2, 3, 4, 5, 6, 7});
  std::vector<std::uint8_t> bytes(bytes_of(pattern));
  const PatternTable all(pattern, bytes);
  const std::vector<std::int64_t> tiles{1, 2, 3, 4, 5, 6, 7, 8};
  const auto use = [&](std::vector<std::int64_t> cells, std::vector<std::int64_t> order) {
    return Patterns(goal, {{{&all, std::move(order), std::move(cells)}}}).parts().size();
  };
  CHECK(use({0, 1, 2, 3, 4, 5, 6, 7, 8}, tiles) == 1);
  CHECK_THROWS(std::invalid_argument, use({0, 1, 2, 3, 4, 5, 6, 7}, tiles));
  CHECK_THROWS(std::invalid_argument, use({0, 1, 2, 3, 4, 5, 6, 7, 7}, tiles));
  CHECK_THROWS(std::invalid_argument, use({0, 1, 2, 3, 4, 5, 6, 7, 9}, tiles));
  CHECK_THROWS(std::invalid_argument, use({0, 1, 2, 3, 4, 5, 6, 7, 8}, {2, 1, 3, 4, 5, 6, 7, 8}));
  CHECK_THROWS(std::invalid_argument, use({1, 0, 2, 3, 4, 5, 6, 7, 8}, {2, 1, 3, 4, 5, 6, 7, 8}));
}

// A search with some of many partitions is the search that has no others.
void some_partitions_are_as_good_as_their_own(const Goal& goal) {
  const DistanceTable table = distances(goal);
  auto partitions = choices(goal).back();
  partitions.push_back(PatternKit::cut_columns(goal, 2));
  const PatternKit many(goal, partitions);
  const PatternKit own(goal, {partitions[4], partitions[1]});
  const Patterns some = many.patterns().only({4, 1});
  CHECK(some.parts().size() == 2);
  for (std::uint64_t rank = 7; rank < table.distances().size(); rank += 2011) {
    const Tiles tiles = table.unrank(rank);
    Heartbeat heart;
    const Report report = idastar(goal, tiles, {nullptr, &some, &pruning()}, {}, heart);
    check_answer(goal, tiles, report, table.distances()[rank]);
    const Report expected = solve(own, tiles);
    CHECK(report.moves == expected.moves);
    CHECK(report.expanded == expected.expanded);
  }
  Heartbeat heart;
  const Knowledge too_many{nullptr, &many.patterns(), &pruning()};
  CHECK_THROWS(std::invalid_argument, idastar(goal, goal.tiles(), too_many, {}, heart));
  for (const std::vector<std::int64_t>& numbers :
       std::vector<std::vector<std::int64_t>>{{}, {5}, {0, -1}}) {
    CHECK_THROWS(std::invalid_argument, many.patterns().only(numbers));
  }
}

}  // namespace

int main() {
  for (const int blank : {0, 7}) values_are_lower_bounds(3, 3, blank);
  values_are_lower_bounds(2, 4, 5);
  values_are_lower_bounds_nearby(Goal(3, 4, 0), 14);
  values_are_lower_bounds_nearby(Goal(3, 4, 6), 12);
  for (const int blank : {0, 4, 7}) searches_agree_with_the_table(Goal(3, 3, blank), 1301);
  searches_agree_with_the_table(Goal(2, 4, 2), 83);
  searches_agree_with_the_table(Goal(2, 5, 9), 20011);
  searches_agree_with_walking(Goal(3, 4, 0), 6);
  searches_agree_with_walking(Goal(4, 3, 5), 6);
  what_is_known_ends_the_search(Goal(3, 3, 0), 5003);
  what_is_known_ends_the_search(Goal(2, 3, 4), 7);
  turned_boards_share_tables();
  some_partitions_are_as_good_as_their_own(Goal(3, 3, 0));
  limits_are_kept();
  misuse_is_refused();
}
