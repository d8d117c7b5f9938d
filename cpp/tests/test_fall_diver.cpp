#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "distance_table.h"
#include "fall_diver.h"
#include "pattern_kit.h"
#include "play.h"

using namespace taquin;

namespace {

using Paths = std::vector<std::string>;

const MovePruning& pruning() {
  static const MovePruning kAutomaton(8);
  return kAutomaton;
}

Allowance allowance(std::int64_t bound) {
  return allowance_of({}, bound);
}

// What a bound is to expand and to keep, by a search that finds all values anew.
struct Expected {
  const PatternKit& kit;
  const Allowance within;
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  Paths kept;
  Paths answers;

  Expected(const PatternKit& of, const Tiles& tiles, const Allowance& allowed)
      : kit(of), within(allowed) {
    visit(SearchTree(kit.goal(), &pruning()).start(tiles));
    std::sort(kept.begin(), kept.end());
    std::sort(answers.begin(), answers.end());
  }

  void visit(const Root& root) {
    const std::size_t depth = root.path.size();
    const std::int64_t h = kit.patterns().distance(root.tiles);
    if (h == within[depth] + 2) kept.push_back(root.path);
    if (h > within[depth]) return;
    if (h == 0) return answers.push_back(root.path);
    ++expanded;
    const SearchTree tree(kit.goal(), &pruning());
    for (const char letter : std::string_view(kLetters)) {
      if ((root.moves >> direction_of(letter) & 1U) == 0) continue;
      ++generated;
      visit(tree.at(play_back(root), root.path + letter));
    }
  }

  // The start.
  Tiles play_back(const Root& root) const {
    std::string back(root.path.rbegin(), root.path.rend());
    for (char& letter : back) letter = kLetters[opposite(direction_of(letter))];
    return play(kit.goal(), root.tiles, back);
  }
};

template <class Dives>
class Trial {
 public:
  Trial(const PatternKit& kit, const Tiles& tiles)
      : kit_(kit), tiles_(tiles), tree_(kit.goal(), &pruning()), diver_(kit.patterns(), pruning()) {
    CHECK(diver_.begin(tiles) == kit.patterns().distance(tiles));
  }

  void agrees_within(std::int64_t bound) {
    const Expected expected(kit_, tiles_, allowance(bound));
    diver_.fringe().reset(bound + 2, {1'000'000}, bound + 2);
    Heartbeat heart;
    bool found;
    {
      Pulse pulse(heart);
      found = diver_.dive(tree_.start(tiles_), allowance(bound), pulse);
    }
    CHECK(found == !expected.answers.empty());
    if (found) {
      CHECK(play(kit_.goal(), tiles_, diver_.path()) == kit_.goal().tiles());
      return;
    }
    CHECK(heart.expanded() == expected.expanded && heart.generated() == expected.generated);
    const Fringe fringe = std::exchange(diver_.fringe(), Fringe(diver_.fringe().note_bytes()));
    CHECK(kept(fringe) == expected.kept);
    goes_on(fringe, bound + 2);
  }

  // From notes and from paths.
  void goes_on(const Fringe& fringe, std::int64_t bound) {
    const Expected expected(kit_, tiles_, allowance(bound));
    for (const bool as_paths : {false, true}) {
      Heartbeat heart;
      bool found = false;
      {
        Pulse pulse(heart);
        for (const Fringe::Piece& piece : fringe.pieces()) {
          Fringe::Paths bytes;
          Dives::spell(piece, piece.length, bytes);
          const Fringe::Piece paths{bytes, piece.length, piece.length};
          const Fringe::Piece* const some = as_paths ? &paths : &piece;
          found = found || diver_.look_on(std::span(some, 1), allowance(bound), pulse);
        }
      }
      CHECK(found == !expected.answers.empty());
      if (found) CHECK(play(kit_.goal(), tiles_, diver_.path()) == kit_.goal().tiles());
    }
  }

  void finds_all(const Allowance& within) {
    const Expected expected(kit_, tiles_, within);
    Heartbeat heart;
    Pulse pulse(heart);
    const Answers answers = diver_.all(tree_.start(tiles_), within, 1000, pulse);
    CHECK(answers.count == expected.answers.size());
    Paths found = answers.first;
    std::sort(found.begin(), found.end());
    CHECK(found == expected.answers);
  }

  // Stops; what was expanded and what is below the boards that are left make up all.
  void loses_nothing_by_a_stop(std::int64_t bound) {
    const std::uint64_t all = Expected(kit_, tiles_, allowance(bound)).expanded;
    for (const std::uint64_t most : {std::uint64_t{1}, all / 3, all / 2, all - 1}) {
      if (most == 0 || most >= all) continue;
      Paths rest;
      {
        Heartbeat heart({}, most);
        Pulse pulse(heart);
        CHECK(!diver_.dive(tree_.start(tiles_), allowance(bound), pulse) && heart.halted());
        rest = diver_.rest(tree_, tree_.start(tiles_));
      }
      Heartbeat heart;
      {
        Pulse pulse(heart);
        for (const std::string& path : rest) {
          CHECK(!diver_.dive(tree_.at(tiles_, path), allowance(bound), pulse));
        }
      }
      CHECK(most + heart.expanded() == all);
    }
  }

 private:
  static Paths kept(const Fringe& fringe) {
    Paths paths;
    for (const Fringe::Piece& piece : fringe.pieces()) {
      Fringe::Paths bytes;
      Dives::spell(piece, piece.length, bytes);
      for (std::size_t i = 0; i < bytes.size(); i += piece.length) {
        std::string& path = paths.emplace_back();
        for (std::size_t k = i; k < i + piece.length; ++k) path += kLetters[bytes[k]];
      }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  const PatternKit& kit_;
  const Tiles tiles_;
  const SearchTree tree_;
  Dives diver_;
};

std::int64_t optimum_of(const PatternKit& kit, const Tiles& tiles) {
  Heartbeat heart;
  const Report report =
      idastar(kit.goal(), tiles, {nullptr, &kit.patterns(), &pruning()}, {}, heart);
  CHECK(play(kit.goal(), tiles, *report.moves) == kit.goal().tiles());
  return static_cast<std::int64_t>(report.moves->size());
}

template <class Dives>
void agrees(const PatternKit& kit, int wanders, int moves, std::mt19937& random) {
  for (int i = 0; i < wanders; ++i) {
    const Tiles tiles = wander(kit.goal(), moves + i % 2, random);
    if (tiles == kit.goal().tiles()) continue;
    Trial<Dives> trial(kit, tiles);
    const std::int64_t optimum = optimum_of(kit, tiles);
    for (std::int64_t bound = kit.patterns().distance(tiles); bound <= optimum; bound += 2) {
      trial.agrees_within(bound);
      if (bound < optimum) trial.loses_nothing_by_a_stop(bound);
    }
    trial.finds_all(allowance(optimum + 2));
    trial.finds_all(allowance_of({10, 13}, optimum));
  }
}

// Half a table, of all tiles or all but one: its values are distances, or nearly.
void halves_agree_with_the_table(const PatternKit& kit, std::uint64_t every) {
  CHECK(kit.patterns().has_halves());
  Heartbeat heart;
  const DistanceTable table(kit.goal(), heart);
  for (std::uint64_t rank = 0; rank < table.distances().size(); rank += every) {
    const Tiles tiles = table.unrank(rank);
    CHECK(kit.patterns().distance(tiles) <= table.distances()[rank]);
    CHECK(optimum_of(kit, tiles) == table.distances()[rank]);
  }
}

}  // namespace

int main() {
  std::mt19937 random(5);
  const Goal square(3, 3, 4);
  const PatternKit whole(square, {{{0, 1, 2, 3, 5, 6, 7, 8}}});
  halves_agree_with_the_table(whole, 997);
  agrees<FallDiver<1, 12, true>>(whole, 4, 60, random);

  const Goal flat(2, 5, 2);
  const PatternKit most(flat, {{{0, 1, 3, 4, 5, 6, 8, 9}, {7}}, PatternKit::cut(flat, 3)});
  halves_agree_with_the_table(most, 40'009);
  agrees<FallDiver<2, 24, true>>(most, 4, 40, random);

  const Goal goal(3, 4, 11);
  const auto rows = PatternKit::cut(goal, 4), columns = PatternKit::cut_columns(goal, 4);
  const auto pairs = PatternKit::cut(goal, 2), fives = PatternKit::cut(goal, 5);
  agrees<FallDiver<1, 3, false>>(PatternKit(goal, {rows}), 4, 40, random);
  agrees<FallDiver<2, 6, false>>(PatternKit(goal, {rows, columns}, true), 4, 60, random);
  agrees<FallDiver<3, 36, true>>(PatternKit(goal, {rows, pairs, fives}), 3, 60, random);
  agrees<FallDiver<4, 12, false>>(PatternKit(goal, {rows, columns, fives, rows}, true), 3, 60,
                                  random);
}
