#include "diver.h"
#include "heuristics.h"
#include "searcher_of.h"

namespace taquin {

namespace {

template <class Heuristic, class Boards>
std::unique_ptr<Searcher> searcher_with(const Goal& goal, const Heuristic& heuristic) {
  using Dives = Diver<Heuristic, Boards>;
  return std::make_unique<SearcherOf<Dives>>(goal,
                                             [&goal, heuristic] { return Dives(goal, heuristic); });
}

template <class Heuristic>
std::unique_ptr<Searcher> by_size(const Goal& goal, const Heuristic& heuristic) {
  return goal.cells() <= PackedBoards::kMaxCells
             ? searcher_with<Heuristic, PackedBoards>(goal, heuristic)
             : searcher_with<Heuristic, SharedBoard>(goal, heuristic);
}

}  // namespace

std::unique_ptr<Searcher> searcher_by_manhattan(const Goal& goal) {
  return by_size(goal, Manhattan(goal));
}

std::unique_ptr<Searcher> searcher_by_walking(const WalkingDistance& walking) {
  return by_size(walking.goal(), Walking(walking));
}

}  // namespace taquin
