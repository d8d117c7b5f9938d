#include "idastar.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <type_traits>

#include "deepening.h"
#include "diver.h"
#include "fall_diver.h"
#include "heuristics.h"
#include "pattern_diver.h"
#include "subtrees.h"

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

// A heartbeat is heard on large boards; Stopped when its hook stops it.
void check(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
           Heartbeat* heart = nullptr) {
  goal.require_reachable_from(tiles, heart);
  if (knowledge.walking != nullptr && !(knowledge.walking->goal() == goal)) {
    throw std::invalid_argument("the walking distance is for another shape or goal");
  }
  if (knowledge.patterns != nullptr && !(knowledge.patterns->goal() == goal)) {
    throw std::invalid_argument("the patterns are for another shape or goal");
  }
  if (knowledge.patterns != nullptr && knowledge.pruning == nullptr) {
    throw std::invalid_argument("a search with patterns needs the automaton that prunes moves");
  }
}

void check(const SearchOptions& options) {
  if (!(options.weight >= 1.0)) {
    throw std::invalid_argument("weight must be 1 or more, not " + std::to_string(options.weight));
  }
  if (options.checkpoint != nullptr && options.weight != 1.0) {
    throw std::invalid_argument("only an optimal search has checkpoints");
  }
}

// Hands `use` the number of partitions.
template <class Found, class Use>
Found by_parts(const Patterns& patterns, const Use& use) {
  const std::size_t parts = patterns.parts().size();
  if (parts > kMostParts) {
    throw std::invalid_argument("a search looks up at most " + std::to_string(kMostParts) +
                                " partitions, not " + std::to_string(parts));
  }
  switch (parts) {
    case 1:
      return use(std::integral_constant<std::size_t, 1>());
    case 2:
      return use(std::integral_constant<std::size_t, 2>());
    case 3:
      return use(std::integral_constant<std::size_t, 3>());
    default:
      return use(std::integral_constant<std::size_t, kMostParts>());
  }
}

// Hands `use` the maker of the diver for what is known.
template <class Found, class Use>
Found by_patterns(const Patterns& patterns, const MovePruning& pruning, const Use& use) {
  const auto with = [&]<class Dives>(std::type_identity<Dives>) {
    return use(std::function<Dives()>([&] { return Dives(patterns, pruning); }));
  };
  return by_parts<Found>(
      patterns, [&]<std::size_t Parts>(std::integral_constant<std::size_t, Parts>) -> Found {
        if (!patterns.has_falls()) {
          if (patterns.goal().cells() <= 30) {
            return with(std::type_identity<PatternDiver<Parts, KindsOfRegions<32, 2>>>());
          }
          return with(std::type_identity<PatternDiver<Parts, KindsOfRegions<26, 0>>>());
        }
        // Less room for patterns makes smaller boards: that of the large set, and of the default
        // one.
        constexpr std::size_t few = Parts == 2 ? 4 : 3 * Parts;
        constexpr bool halves = Parts == 2;
        if (patterns.count() <= few && (halves || !patterns.has_halves())) {
          return with(std::type_identity<FallDiver<Parts, few, halves>>());
        }
        constexpr std::size_t any = Parts * Patterns::kMostPatterns;
        return with(std::type_identity<FallDiver<Parts, any, true>>());
      });
}

template <class Found, class Use, class Heuristic>
Found by_size(const Goal& goal, const Heuristic& heuristic, const Use& use) {
  const auto with = [&]<class Dives>(std::type_identity<Dives>) {
    return use(std::function<Dives()>([&] { return Dives(goal, heuristic); }));
  };
  if (goal.cells() <= PackedBoards::kMaxCells) {
    return with(std::type_identity<Diver<Heuristic, PackedBoards>>());
  }
  return with(std::type_identity<Diver<Heuristic, SharedBoard>>());
}

template <class Found, class Use>
Found by_knowledge(const Goal& goal, const Knowledge& knowledge, const Use& use) {
  if (knowledge.patterns != nullptr) {
    return by_patterns<Found>(*knowledge.patterns, *knowledge.pruning, use);
  }
  if (knowledge.walking != nullptr) {
    const Walking walking(*knowledge.walking);
    return by_size<Found>(goal, walking, use);
  }
  const Manhattan manhattan(goal);
  return by_size<Found>(goal, manhattan, use);
}

template <class Dives>
void search_subtree(Dives& diver, const SearchTree& tree, const Root& root,
                    const Allowance& allowance, Pulse& pulse, const Heartbeat& heart,
                    Portion& portion) {
  const std::uint64_t before = pulse.expanded();
  if (diver.dive(root, allowance, pulse)) {
    portion.moves = diver.path();
  } else if (!heart.halted()) {
    portion.sizes.push_back(pulse.expanded() - before);
  } else if (pulse.expanded() > before) {
    portion.rest = diver.rest(tree, root);
  }
}

}  // namespace

Report idastar(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
               const SearchOptions& options, Heartbeat& heart) {
  check(options);
  try {
    check(goal, tiles, knowledge, &heart);
  } catch (const Stopped&) {
    Report nothing;
    nothing.settle(heart, options.bound);
    return nothing;
  }
  return by_knowledge<Report>(
      goal, knowledge, [&]<class Dives>(const std::function<Dives()>& make) {
        const typename Deepening<Dives>::Options chosen{cost_of(options.weight),
                                                        checked_threads(options.threads),
                                                        options.known,
                                                        options.bound,
                                                        options.last,
                                                        options.pause,
                                                        options.checkpoint,
                                                        options.memory};
        return Deepening<Dives>(goal, make, chosen, heart).run(tiles);
      });
}

std::vector<std::string> subtrees(const Goal& goal, const Tiles& tiles, const MovePruning* pruning,
                                  Heartbeat& heart) {
  Pulse pulse(heart);
  const auto roots = SearchTree(goal, pruning).split(tiles, SearchTree::kManyRoots, pulse);
  std::vector<std::string> paths;
  if (roots.solved || heart.halted()) return paths;
  for (const Root& root : roots.all) paths.push_back(root.path);
  return paths;
}

Portion search_subtrees(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
                        const std::vector<std::string>& paths, const PortionOptions& options,
                        Heartbeat& heart) {
  check(goal, tiles, knowledge);
  heart.set_bounds(options.bound, options.bound);
  const Allowance allowance = allowance_of({}, options.bound);
  Portion portion =
      by_knowledge<Portion>(goal, knowledge, [&]<class Dives>(const std::function<Dives()>& make) {
        Portion found;
        Pulse pulse(heart);
        Dives diver = make();
        diver.begin(tiles);
        if constexpr (requires { diver.fringe(); }) {
          diver.fringe().reset(options.bound + 2, options.fringe, options.reach);
        }
        const SearchTree tree(goal, pruning_of(diver));
        for (const std::string& path : paths) {
          if (found.moves || heart.halted()) break;
          if (path.size() > static_cast<std::size_t>(options.bound)) {
            throw std::invalid_argument("a subtree is farther away than the bound");
          }
          search_subtree(diver, tree, tree.at(tiles, path), allowance, pulse, heart, found);
        }
        if constexpr (requires { diver.fringe(); }) {
          for (const Fringe::Piece& piece : diver.fringe().pieces()) {
            Fringe::Paths& same =
                found.fringe[options.bound + 2 - static_cast<std::int64_t>(piece.length)];
            diver.spell(piece, same);
          }
        }
        return found;
      });
  portion.settle(heart);
  return portion;
}

Portion look_on(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
                const FringePaths& fringe, std::int64_t bound, Heartbeat& heart) {
  check(goal, tiles, knowledge);
  heart.set_bounds(bound, bound);
  const Allowance allowance = allowance_of({}, bound);
  Portion portion =
      by_knowledge<Portion>(goal, knowledge, [&]<class Dives>(const std::function<Dives()>& make) {
        Portion found;
        if constexpr (requires(Dives& diver) { diver.fringe(); }) {
          Pulse pulse(heart);
          Dives diver = make();
          diver.begin(tiles);
          for (const auto& [h, paths] : fringe) {
            if (h < 1 || h >= bound) throw std::invalid_argument("no fringe has such an h");
            if (found.moves || heart.halted()) break;
            const auto length = static_cast<std::size_t>(bound - h);
            const Fringe::Piece piece{paths, length, length};
            if (diver.look_on(piece, allowance, pulse)) found.moves = diver.path();
          }
        }
        return found;
      });
  portion.settle(heart);
  return portion;
}

Answers all_answers(const Goal& goal, const Tiles& tiles, const Patterns& patterns,
                    std::int64_t length, std::size_t most, Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  const MovePruning only_back(2);  // what prunes more would leave out answers
  return by_patterns<Answers>(patterns, only_back, [&]<class Dives>(std::function<Dives()> make) {
    Pulse pulse(heart);
    Dives diver = make();
    diver.begin(tiles);
    Answers answers =
        diver.all(SearchTree(goal, nullptr).start(tiles), allowance_of({}, length), most, pulse);
    answers.complete = !heart.halted();
    return answers;
  });
}

}  // namespace taquin
