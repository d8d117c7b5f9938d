#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crew.h"
#include "deepening.h"
#include "searcher.h"

namespace taquin {

// A searcher with one kind of diver.
template <class Dives>
class SearcherOf final : public Searcher {
 public:
  SearcherOf(const Goal& goal, std::function<Dives()> make) : goal_(goal), make_(std::move(make)) {}

  Report deepen(const Tiles& tiles, const SearchOptions& options, Heartbeat& heart) override {
    const typename Deepening<Dives>::Options chosen{cost_of(options.weight),
                                                    checked_threads(options.threads),
                                                    options.known,
                                                    options.bound,
                                                    options.last,
                                                    options.pause,
                                                    options.checkpoint,
                                                    options.memory};
    return Deepening<Dives>(goal_, make_, chosen, heart).run(tiles);
  }

  Portion search_subtrees(const Tiles& tiles, const std::vector<std::string>& paths,
                          const PortionOptions& options, Heartbeat& heart) override {
    Portion found;
    Pulse pulse(heart);
    Dives diver = make_();
    diver.begin(tiles);
    if constexpr (kHasFringe) {
      diver.fringe().reset(options.bound + 2, options.fringe, options.reach);
    }
    const Allowance allowance = allowance_of({}, options.bound);
    const SearchTree tree(goal_, pruning_of(diver));
    for (const std::string& path : paths) {
      if (found.moves || heart.halted()) break;
      if (path.size() > static_cast<std::size_t>(options.bound)) {
        throw std::invalid_argument("a subtree is farther away than the bound");
      }
      search_subtree(diver, tree, tree.at(tiles, path), allowance, pulse, heart, found);
    }
    if constexpr (kHasFringe) {
      found.fringe = ways_beyond(diver, options.bound, diver.fringe().pieces());
    }
    return found;
  }

  Portion look_on(const Tiles& tiles, const FringePaths& fringe, std::int64_t bound,
                  Heartbeat& heart) override {
    Portion found;
    if constexpr (kHasFringe) {
      Pulse pulse(heart);
      Dives diver = make_();
      diver.begin(tiles);
      std::vector<Fringe::Piece> pieces;
      for (const auto& [h, paths] : fringe) {
        if (h < 1 || h >= bound) throw std::invalid_argument("no fringe has such an h");
        const auto length = static_cast<std::size_t>(bound - h);
        pieces.push_back({paths, length, length});
      }
      if (diver.look_on(pieces, allowance_of({}, bound), pulse)) found.moves = diver.path();
    }
    return found;
  }

  Answers all_answers(const Tiles& tiles, std::int64_t length, std::size_t most,
                      Heartbeat& heart) override {
    if constexpr (kTellsAll) {
      Pulse pulse(heart);
      Dives diver = make_();
      diver.begin(tiles);
      const Root start = SearchTree(goal_, nullptr).start(tiles);
      Answers answers = diver.all(start, allowance_of({}, length), most, pulse);
      answers.complete = !heart.halted();
      return answers;
    } else {
      throw std::logic_error("only a search with patterns tells all answers");
    }
  }

 private:
  static constexpr bool kHasFringe = requires(Dives& diver) { diver.fringe(); };
  static constexpr bool kTellsAll = requires(Dives& diver, const Root& root, Pulse& pulse) {
    diver.all(root, Allowance(), std::size_t{}, pulse);
  };

  // Above it a depth-first search gets lost in detours; its answers keep any looser promise.
  static constexpr double kMostWeight = 4.0;

  // Rounding the weight down keeps the promise made for the real one.
  static Cost cost_of(double weight) {
    if (weight == 1.0) return {};
    constexpr std::int64_t step = std::int64_t{1} << 20U;
    return {step,
            static_cast<std::int64_t>(std::min(weight, kMostWeight) * static_cast<double>(step))};
  }

  static void search_subtree(Dives& diver, const SearchTree& tree, const Root& root,
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

  const Goal& goal_;
  const std::function<Dives()> make_;
};

// With divers that look up patterns.
template <class Dives>
std::unique_ptr<Searcher> searcher_of(const Patterns& patterns, const MovePruning& pruning) {
  return std::make_unique<SearcherOf<Dives>>(
      patterns.goal(), [&patterns, &pruning] { return Dives(patterns, pruning); });
}

// Hands `use` the number of partitions.
template <class Use>
std::unique_ptr<Searcher> by_parts(const Patterns& patterns, const Use& use) {
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

}  // namespace taquin
