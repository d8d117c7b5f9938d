#include <algorithm>
#include <cstdio>
#include <deque>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "deepening.h"
#include "pattern_diver.h"
#include "pattern_kit.h"
#include "play.h"
#include "wide_board.h"

using namespace taquin;

namespace {

// What has larger indexes is left to the other search, or else boards would be pruned wrongly.
static_assert(wide::fits_an_index(25, 6) && wide::fits_an_index(30, 6));
static_assert(!wide::fits_an_index(25, 7) && !wide::fits_an_index(18, 9));

using Dives = PatternDiver<2, KindsOfRegions<32>>;
using Paths = std::vector<std::string>;

const MovePruning& pruning() {
  static const MovePruning kAutomaton(8);
  return kAutomaton;
}

// Boards of more than 16 cells, with two partitions of four patterns.
PatternKit kit_of(const Goal& goal) {
  return PatternKit(goal, {PatternKit::cut(goal, 5), PatternKit::cut_columns(goal, 5)}, true);
}

constexpr std::size_t kNarrow = 0;

// With so many boards in a register.
Report solve(const PatternKit& kit, const Tiles& tiles, std::size_t abreast,
             std::size_t threads = 1, std::optional<std::uint64_t> most = {}) {
  Heartbeat heart({}, most);
  Deepening<Dives>::Options options;
  options.threads = threads;
  const auto make = [&] { return Dives(kit.patterns(), pruning(), abreast); };
  return Deepening<Dives>(kit.goal(), make, options, heart).run(tiles);
}

void it_finds_the_shortest(const PatternKit& kit, const Tiles& tiles, std::size_t abreast) {
  const Report narrow = solve(kit, tiles, kNarrow);
  for (const std::size_t threads : {1, 2}) {
    const Report wide = solve(kit, tiles, abreast, threads);
    CHECK(wide.moves && wide.moves->size() == narrow.moves->size());
    CHECK(play(kit.goal(), tiles, *wide.moves) == kit.goal().tiles());
    CHECK(wide.lower_bound == narrow.lower_bound);
  }
}

Allowance allowance(std::int64_t bound) {
  return allowance_of({}, bound);
}

// One bound of a search, and what goes on from the boards that it keeps.
class Bound {
 public:
  Bound(const PatternKit& kit, const Tiles& tiles, std::int64_t bound, std::size_t abreast)
      : diver_(kit.patterns(), pruning(), abreast) {
    const SearchTree tree(kit.goal(), &pruning());
    diver_.begin(tiles);
    diver_.fringe().reset(bound + 2, {1'000'000}, bound + 2);
    {
      Pulse pulse(heart_);
      CHECK(!diver_.dive(tree.start(tiles), allowance(bound), pulse));
    }
    fringe_ = std::exchange(diver_.fringe(), Fringe(diver_.fringe().note_bytes()));
    diver_.fringe().reset(bound + 4, {1}, 0);
  }

  std::uint64_t expanded() const { return heart_.expanded(); }
  std::uint64_t generated() const { return heart_.generated(); }

  Paths kept() const {
    Paths paths;
    for (const Fringe::Piece& piece : fringe_.pieces()) {
      const Fringe::Paths bytes = spelled(piece);
      for (std::size_t i = 0; i < bytes.size(); i += piece.length) {
        const auto from = bytes.begin() + static_cast<long>(i);
        paths.emplace_back(from, from + static_cast<long>(piece.length));
      }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  // Goes on, from notes or from paths; the answer, if there is one, and what was expanded.
  std::pair<std::string, std::uint64_t> look_on(bool as_paths, const Allowance& within) {
    std::deque<Fringe::Paths> paths;
    std::vector<Fringe::Piece> pieces;
    for (const Fringe::Piece& piece : fringe_.pieces()) {
      if (as_paths) {
        pieces.push_back({paths.emplace_back(spelled(piece)), piece.length, piece.length});
      } else {
        pieces.push_back(piece);
      }
    }
    Heartbeat heart;
    std::string answer;
    {
      Pulse pulse(heart);
      if (diver_.look_on(pieces, within, pulse)) answer = diver_.path();
    }
    return {answer, heart.expanded()};
  }

 private:
  static Fringe::Paths spelled(const Fringe::Piece& piece) {
    Fringe::Paths bytes;
    Dives::spell(piece, piece.length, bytes);
    return bytes;
  }

  Heartbeat heart_;
  Dives diver_;
  Fringe fringe_;
};

std::int64_t optimum_of(const PatternKit& kit, const Tiles& tiles) {
  return static_cast<std::int64_t>(solve(kit, tiles, kNarrow).moves->size());
}

void it_expands_and_keeps_the_same_boards(const PatternKit& kit, const Tiles& tiles,
                                          std::size_t abreast) {
  const std::int64_t optimum = optimum_of(kit, tiles);
  for (std::int64_t bound = kit.patterns().distance(tiles); bound < optimum; bound += 2) {
    Bound narrow(kit, tiles, bound, kNarrow), wide(kit, tiles, bound, abreast);
    CHECK(narrow.expanded() == wide.expanded() && narrow.generated() == wide.generated());
    CHECK(narrow.kept() == wide.kept() && !wide.kept().empty());
    if (bound + 2 == optimum) continue;
    const auto expected = narrow.look_on(true, allowance(bound + 2));
    CHECK(wide.look_on(true, allowance(bound + 2)) == expected);
    CHECK(wide.look_on(false, allowance(bound + 2)) == expected);
  }
}

// The answer is found from the boards beyond the bound before it: noted, as paths, and by the
// narrow search where the wide one has to give way, as it does if answers may be longer.
void a_fringe_leads_to_the_goal(const PatternKit& kit, const Tiles& tiles, std::size_t abreast) {
  const std::int64_t optimum = optimum_of(kit, tiles);
  Bound wide(kit, tiles, optimum - 2, abreast);
  for (const bool as_paths : {false, true}) {
    const std::string answer = wide.look_on(as_paths, allowance(optimum)).first;
    CHECK(answer.size() == static_cast<std::size_t>(optimum));
    CHECK(play(kit.goal(), tiles, answer) == kit.goal().tiles());
  }
  const std::string longer = wide.look_on(false, allowance_of({10, 11}, optimum)).first;
  CHECK(play(kit.goal(), tiles, longer) == kit.goal().tiles());
}

void limits_are_kept(const PatternKit& kit, const Tiles& tiles, std::size_t abreast) {
  for (const std::uint64_t most : {1, 2, 31, 33, 100, 1000}) {
    const Report report = solve(kit, tiles, abreast, 1, most);
    CHECK(report.moves || (report.limit_reached && report.expanded == most));
  }
}

// The numbers of the boards tell which of them are below which root.
void roots_are_told_apart(const PatternKit& kit, const Tiles& tiles, std::size_t abreast) {
  const std::int64_t bound = optimum_of(kit, tiles) - 2;
  Dives narrow(kit.patterns(), pruning(), kNarrow), wide(kit.patterns(), pruning(), abreast);
  narrow.begin(tiles);
  wide.begin(tiles);
  Heartbeat heart;
  Pulse pulse(heart);
  const SearchTree::Roots roots = SearchTree(kit.goal(), &pruning()).split(tiles, 100, pulse);
  std::vector<const Root*> all;
  for (const Root& root : roots.all) all.push_back(&root);
  CHECK(!wide.dive_together(all, allowance(bound), pulse));
  CHECK(wide.sampled().size() == all.size());
  std::uint64_t sampled = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t before = pulse.expanded();
    CHECK(!narrow.dive(*all[i], allowance(bound), pulse));
    CHECK(wide.sampled()[i] <= pulse.expanded() - before);
    sampled += wide.sampled()[i];
  }
  CHECK(sampled > 0);
}

// Goes on from where a search ended, to the end of a bound.
Report next_bound(const PatternKit& kit, const Tiles& tiles, std::size_t abreast,
                  const Report& part, Heartbeat& heart) {
  Deepening<Dives>::Options options;
  options.pause = 1;
  options.bound = part.lower_bound;
  options.last = part.last;
  const auto make = [&] { return Dives(kit.patterns(), pruning(), abreast); };
  return Deepening<Dives>(kit.goal(), make, options, heart).run(tiles);
}

// A search that ends after each bound, and goes on from there, takes the same boards as one that
// does not: of the large bounds it knows which parts to begin with, and how large they are. A stop
// within a bound takes nothing of that away, nor does it tell anything of parts.
void pauses_change_nothing(const PatternKit& kit, const Tiles& tiles, std::size_t abreast) {
  const Report whole = solve(kit, tiles, abreast);
  std::vector<std::pair<std::int64_t, std::uint64_t>> iterations;
  Report part;
  while (!part.moves) {
    if (part.last.expanded > 1000) {
      Heartbeat heart({}, part.last.expanded / 50);
      const Report stopped = next_bound(kit, tiles, abreast, part, heart);
      CHECK(stopped.limit_reached && stopped.lower_bound == part.lower_bound);
      CHECK(stopped.last.sizes == part.last.sizes && stopped.last.order == part.last.order);
    }
    Heartbeat heart;
    part = next_bound(kit, tiles, abreast, part, heart);
    iterations.insert(iterations.end(), part.iterations.begin(), part.iterations.end());
  }
  CHECK(part.last.sizes.size() > 1 && part.last.order.size() == part.last.sizes.size());
  CHECK(part.moves == whole.moves && iterations == whole.iterations);
}

// Stops within a bound; what was expanded and what is below the boards that are left make up all.
void nothing_is_lost_by_a_stop(const PatternKit& kit, const Tiles& tiles, std::size_t abreast) {
  const std::int64_t bound = optimum_of(kit, tiles) - 2;
  const std::uint64_t all = Bound(kit, tiles, bound, abreast).expanded();
  const SearchTree tree(kit.goal(), &pruning());
  Dives diver(kit.patterns(), pruning(), abreast);
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

void check(const Goal& goal, std::size_t abreast, std::mt19937& random) {
  const PatternKit kit = kit_of(goal);
  CHECK(WideSearch::suits(kit.patterns()));
  for (int i = 0; i < 6; ++i) {
    const Tiles tiles = wander(goal, 60 + 20 * i, random);
    if (tiles == goal.tiles()) continue;
    it_finds_the_shortest(kit, tiles, abreast);
    it_expands_and_keeps_the_same_boards(kit, tiles, abreast);
    limits_are_kept(kit, tiles, abreast);
  }
  Tiles tiles = wander(goal, 200, random);
  while (kit.patterns().distance(tiles) + 6 > optimum_of(kit, tiles)) {
    tiles = wander(goal, 200, random);
  }
  nothing_is_lost_by_a_stop(kit, tiles, abreast);
  roots_are_told_apart(kit, tiles, abreast);
  a_fringe_leads_to_the_goal(kit, tiles, abreast);
}

void more_than_there_is_is_refused() {
  const PatternKit kit = kit_of(Goal(3, 6, 8));
  for (const std::size_t abreast : {std::size_t{0}, WideSearch::most_abreast() + 1}) {
    CHECK_THROWS(std::invalid_argument, WideSearch(kit.patterns(), pruning(), abreast));
  }
}

}  // namespace

int main() {
  more_than_there_is_is_refused();
  const std::size_t most = WideSearch::most_abreast();
  std::printf("this processor's registers hold up to %zu boards\n", most);
  std::mt19937 random(7);
  for (std::size_t abreast = 1; abreast <= most; ++abreast) {
    for (const Goal& goal : {Goal(4, 5, 0), Goal(4, 5, 19), Goal(3, 6, 8)}) {
      check(goal, abreast, random);
    }
  }
  // A board whose bounds take so many expansions that its tree is divided.
  std::mt19937 other(530);
  const PatternKit kit = kit_of(Goal(4, 5, 0));
  const Tiles tiles = wander(kit.goal(), 300, other);
  for (std::size_t abreast = kNarrow; abreast <= most; ++abreast) {
    pauses_change_nothing(kit, tiles, abreast);
  }
}
