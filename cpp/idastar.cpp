#include "idastar.h"

#include <memory>
#include <stdexcept>
#include <string>

#include "roots.h"
#include "searcher.h"
#include "subtrees.h"

namespace taquin {

namespace {

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

std::unique_ptr<Searcher> by_patterns(const Patterns& patterns, const MovePruning& pruning) {
  return patterns.has_falls() ? searcher_by_falls(patterns, pruning)
                              : searcher_by_places(patterns, pruning);
}

std::unique_ptr<Searcher> by_knowledge(const Goal& goal, const Knowledge& knowledge) {
  if (knowledge.patterns != nullptr) return by_patterns(*knowledge.patterns, *knowledge.pruning);
  if (knowledge.walking != nullptr) return searcher_by_walking(*knowledge.walking);
  return searcher_by_manhattan(goal);
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
  return by_knowledge(goal, knowledge)->deepen(tiles, options, heart);
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
  Portion portion = by_knowledge(goal, knowledge)->search_subtrees(tiles, paths, options, heart);
  portion.settle(heart);
  return portion;
}

Portion look_on(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
                const FringePaths& fringe, std::int64_t bound, Heartbeat& heart) {
  check(goal, tiles, knowledge);
  heart.set_bounds(bound, bound);
  Portion portion = by_knowledge(goal, knowledge)->look_on(tiles, fringe, bound, heart);
  portion.settle(heart);
  return portion;
}

Answers all_answers(const Goal& goal, const Tiles& tiles, const Patterns& patterns,
                    std::int64_t length, std::size_t most, Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  const MovePruning only_back(2);  // what prunes more would leave out answers
  return by_patterns(patterns, only_back)->all_answers(tiles, length, most, heart);
}

}  // namespace taquin
