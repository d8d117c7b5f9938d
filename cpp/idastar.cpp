#include "idastar.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <type_traits>

#include "deepening.h"
#include "diver.h"
#include "heuristics.h"
#include "pattern_diver.h"

namespace taquin {

namespace {

// Above it a depth-first search gets lost in detours; its answers keep any looser promise.
constexpr double kMostWeight = 4.0;

// Rounding the weight down keeps the promise made for the real one.
Cost cost_of(double weight) {
  if (weight == 1.0) return {};
  constexpr std::int64_t step = std::int64_t{1} << 20U;
  return {step,
          static_cast<std::int64_t>(std::min(weight, kMostWeight) * static_cast<double>(step))};
}

void check(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
           const SearchOptions& options) {
  goal.require_reachable_from(tiles);
  if (knowledge.walking != nullptr && !(knowledge.walking->goal() == goal)) {
    throw std::invalid_argument("the walking distance is for another shape or goal");
  }
  if (knowledge.patterns != nullptr && !(knowledge.patterns->goal() == goal)) {
    throw std::invalid_argument("the patterns are for another shape or goal");
  }
  if (knowledge.patterns != nullptr && knowledge.pruning == nullptr) {
    throw std::invalid_argument("a search with patterns needs the automaton that prunes moves");
  }
  if (!(options.weight >= 1.0)) {
    throw std::invalid_argument("weight must be 1 or more, not " + std::to_string(options.weight));
  }
  if (options.checkpoint != nullptr && options.weight != 1.0) {
    throw std::invalid_argument("only an optimal search has checkpoints");
  }
}

class Search {
 public:
  Search(const Goal& goal, const Tiles& tiles, const SearchOptions& options, Heartbeat& heart)
      : goal_(goal), tiles_(tiles), options_(options), heart_(heart) {}

  template <class Heuristic>
  Report with(const Heuristic& heuristic) const {
    if (goal_.cells() <= PackedBoards::kMaxCells) return dive<PackedBoards>(heuristic);
    return dive<SharedBoard>(heuristic);
  }

  Report with(const Patterns& patterns, const MovePruning& pruning) const {
    return by_parts<Report>(patterns, pruning, [&]<class Dives>(std::function<Dives()> make) {
      return run<Dives>(make);
    });
  }

  Answers all(const Patterns& patterns, std::int64_t length, std::size_t most) const {
    const MovePruning only_back(2);  // what prunes more would leave out answers
    return by_parts<Answers>(patterns, only_back, [&]<class Dives>(std::function<Dives()> make) {
      Pulse pulse(heart_);
      Dives diver = make();
      diver.begin(tiles_);
      Answers answers =
          diver.all({tiles_, blank_cell(tiles_), 0, {}}, allowance_of({}, length), most, pulse);
      answers.complete = !heart_.halted();
      return answers;
    });
  }

 private:
  template <class Boards, class Heuristic>
  Report dive(const Heuristic& heuristic) const {
    using Dives = Diver<Heuristic, Boards>;
    return run<Dives>([&] { return Dives(goal_, heuristic); });
  }

  // Hands `use` the maker of the diver for these tables.
  template <class Found, class Use>
  static Found by_parts(const Patterns& patterns, const MovePruning& pruning, const Use& use) {
    const auto with_parts = [&]<std::size_t Parts>(std::integral_constant<std::size_t, Parts>) {
      const auto with = [&]<class Dives>(std::type_identity<Dives>) {
        return use(std::function<Dives()>([&] { return Dives(patterns, pruning); }));
      };
      const std::size_t cells = patterns.goal().cells();
      if (patterns.is_dense()) {
        return with(std::type_identity<PatternDiver<Parts, DenseLookup, SmallRegions>>());
      }
      if (cells <= SmallRegionTable::kMostCells) {
        return with(std::type_identity<PatternDiver<Parts, PositionalLookup, SmallRegions>>());
      }
      if (cells <= 30) {
        return with(
            std::type_identity<PatternDiver<Parts, PositionalLookup, KindsOfRegions<32, 2>>>());
      }
      return with(
          std::type_identity<PatternDiver<Parts, PositionalLookup, KindsOfRegions<26, 0>>>());
    };
    switch (patterns.parts().size()) {
      case 1:
        return with_parts(std::integral_constant<std::size_t, 1>());
      case 2:
        return with_parts(std::integral_constant<std::size_t, 2>());
      case 3:
        return with_parts(std::integral_constant<std::size_t, 3>());
      default:
        return with_parts(std::integral_constant<std::size_t, 4>());
    }
  }

  template <class Dives>
  Report run(const std::function<Dives()>& make) const {
    const typename Deepening<Dives>::Options options{
        cost_of(options_.weight), checked_threads(options_.threads),
        options_.known,           options_.bound,
        options_.pause,           options_.checkpoint};
    return Deepening<Dives>(goal_, make, options, heart_).run(tiles_);
  }

  const Goal& goal_;
  const Tiles& tiles_;
  const SearchOptions options_;
  Heartbeat& heart_;
};

}  // namespace

Report idastar(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
               const SearchOptions& options, Heartbeat& heart) {
  check(goal, tiles, knowledge, options);
  const Search search(goal, tiles, options, heart);
  if (knowledge.patterns != nullptr) return search.with(*knowledge.patterns, *knowledge.pruning);
  if (knowledge.walking != nullptr) return search.with(Walking(*knowledge.walking));
  return search.with(Manhattan(goal));
}

Answers all_answers(const Goal& goal, const Tiles& tiles, const Patterns& patterns,
                    std::int64_t length, std::size_t most, Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  const Search search(goal, tiles, {}, heart);
  return search.all(patterns, length, most);
}

}  // namespace taquin
