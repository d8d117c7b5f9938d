#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "deepening.h"
#include "pattern_diver.h"
#include "pattern_kit.h"
#include "play.h"

using namespace taquin;

namespace {

using Dives = PatternDiver<2, PositionalLookup, KindsOfRegions<32, 2>>;
using Paths = std::vector<std::string>;

const MovePruning& pruning() {
  static const MovePruning kAutomaton(8);
  return kAutomaton;
}

// Boards of more than 16 cells, with two partitions of four patterns.
PatternKit kit_of(const Goal& goal) {
  return PatternKit(goal, {PatternKit::cut(goal, 5), PatternKit::cut_columns(goal, 5)}, true);
}

Report solve(const PatternKit& kit, const Tiles& tiles, bool wide, std::size_t threads = 1,
             std::optional<std::uint64_t> most = {}) {
  Heartbeat heart({}, most);
  Deepening<Dives>::Options options;
  options.threads = threads;
  const auto make = [&] { return Dives(kit.patterns(), pruning(), wide); };
  return Deepening<Dives>(kit.goal(), make, options, heart).run(tiles);
}

void it_finds_the_shortest(const PatternKit& kit, const Tiles& tiles) {
  const Report narrow = solve(kit, tiles, false);
  for (const std::size_t threads : {1, 2}) {
    const Report wide = solve(kit, tiles, true, threads);
    CHECK(wide.moves && wide.moves->size() == narrow.moves->size());
    CHECK(play(kit.goal(), tiles, *wide.moves) == kit.goal().tiles());
    CHECK(wide.lower_bound == narrow.lower_bound);
  }
}

// One bound: all that is expanded, generated and kept beyond it.
struct Bound {
  std::uint64_t expanded;
  std::uint64_t generated;
  Paths kept;
  bool operator==(const Bound&) const = default;
};

Allowance allowance(std::int64_t bound) {
  return allowance_of({}, bound);
}

Bound search(const PatternKit& kit, const Tiles& tiles, std::int64_t bound, bool wide) {
  Heartbeat heart;
  Dives diver(kit.patterns(), pruning(), wide);
  diver.begin(tiles);
  diver.fringe().reset(bound + 2, 1'000'000, bound + 2);
  const SearchTree tree(kit.goal(), &pruning());
  Bound found{};
  {
    Pulse pulse(heart);
    CHECK(!diver.dive(tree.start(tiles), allowance(bound), pulse));
  }
  found.expanded = heart.expanded();
  found.generated = heart.generated();
  for (const Fringe::Piece& piece : diver.fringe().pieces()) {
    Fringe::Paths bytes;
    Dives::spell(piece, bytes);
    for (std::size_t i = 0; i < bytes.size(); i += piece.length) {
      found.kept.emplace_back(bytes.begin() + static_cast<long>(i),
                              bytes.begin() + static_cast<long>(i + piece.length));
    }
  }
  std::sort(found.kept.begin(), found.kept.end());
  return found;
}

void it_expands_and_keeps_the_same_boards(const PatternKit& kit, const Tiles& tiles) {
  const auto optimum = static_cast<std::int64_t>(solve(kit, tiles, false).moves->size());
  for (std::int64_t bound = kit.patterns().distance(tiles); bound < optimum; bound += 2) {
    const Bound narrow = search(kit, tiles, bound, false);
    CHECK(narrow == search(kit, tiles, bound, true));
    CHECK(!narrow.kept.empty());
  }
}

void limits_are_kept(const PatternKit& kit, const Tiles& tiles) {
  for (const std::uint64_t most : {1, 2, 31, 33, 100, 1000}) {
    const Report report = solve(kit, tiles, true, 1, most);
    CHECK(report.moves || (report.limit_reached && report.expanded == most));
  }
}

// Stops within a bound; what was expanded and what is below the boards that are left make up all.
void nothing_is_lost_by_a_stop(const PatternKit& kit, const Tiles& tiles) {
  const auto optimum = static_cast<std::int64_t>(solve(kit, tiles, false).moves->size());
  const std::int64_t bound = optimum - 2;
  const std::uint64_t all = search(kit, tiles, bound, true).expanded;
  const SearchTree tree(kit.goal(), &pruning());
  Dives diver(kit.patterns(), pruning());
  for (const std::uint64_t most : {std::uint64_t{1}, all / 3, all / 2, all - 1}) {
    if (most == 0) continue;
    diver.begin(tiles);
    Paths rest;
    {
      Heartbeat heart({}, most);
      Pulse pulse(heart);
      CHECK(!diver.dive(tree.start(tiles), allowance(bound), pulse));
      CHECK(heart.halted());
      rest = diver.rest(tree, tree.start(tiles));
    }
    Heartbeat heart;
    {
      Pulse pulse(heart);
      for (const std::string& path : rest) {
        CHECK(!diver.dive(tree.at(tiles, path), allowance(bound), pulse));
      }
    }
    CHECK(most + heart.expanded() == all);
  }
}

// The answer is found from the boards beyond the bound before it, noted or as paths.
void a_fringe_leads_to_the_goal(const PatternKit& kit, const Tiles& tiles) {
  const auto optimum = static_cast<std::int64_t>(solve(kit, tiles, false).moves->size());
  const std::int64_t bound = optimum - 2;
  const SearchTree tree(kit.goal(), &pruning());
  Heartbeat heart;
  Pulse pulse(heart);
  for (const bool as_paths : {false, true}) {
    Dives diver(kit.patterns(), pruning());
    diver.begin(tiles);
    diver.fringe().reset(optimum, 1'000'000, optimum);
    CHECK(!diver.dive(tree.start(tiles), allowance(bound), pulse));
    const Fringe fringe = std::exchange(diver.fringe(), Fringe(WideSearch::kNoteBytes));
    diver.fringe().reset(optimum + 2, 1, 0);
    bool found = false;
    for (const Fringe::Piece& piece : fringe.pieces()) {
      Fringe::Paths bytes;
      Dives::spell(piece, bytes);
      const Fringe::Piece spelled{bytes, piece.length, piece.length};
      found = diver.look_on(as_paths ? spelled : piece, allowance(optimum), pulse);
      if (found) break;
    }
    CHECK(found);
    CHECK(diver.path().size() == static_cast<std::size_t>(optimum));
    CHECK(play(kit.goal(), tiles, diver.path()) == kit.goal().tiles());
  }
}

}  // namespace

int main() {
  std::mt19937 random(7);
  for (const Goal& goal : {Goal(4, 5, 0), Goal(4, 5, 19), Goal(3, 6, 8)}) {
    const PatternKit kit = kit_of(goal);
    if (!WideSearch::suits(kit.patterns())) {
      std::puts("this processor has no wide search: nothing to compare");
      return 0;
    }
    for (int i = 0; i < 6; ++i) {
      const Tiles tiles = wander(goal, 60 + 20 * i, random);
      if (tiles == goal.tiles()) continue;
      it_finds_the_shortest(kit, tiles);
      it_expands_and_keeps_the_same_boards(kit, tiles);
      limits_are_kept(kit, tiles);
    }
    Tiles tiles = wander(goal, 200, random);
    while (kit.patterns().distance(tiles) + 6 >
           static_cast<std::int64_t>(solve(kit, tiles, false).moves->size())) {
      tiles = wander(goal, 200, random);
    }
    nothing_is_lost_by_a_stop(kit, tiles);
    a_fringe_leads_to_the_goal(kit, tiles);
  }
}
