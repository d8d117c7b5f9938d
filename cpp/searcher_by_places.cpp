#include "pattern_diver.h"
#include "searcher_of.h"

namespace taquin {

std::unique_ptr<Searcher> searcher_by_places(const Patterns& patterns, const MovePruning& pruning) {
  return by_parts(patterns, [&]<std::size_t Parts>(std::integral_constant<std::size_t, Parts>) {
    if (patterns.goal().cells() <= 30) {
      return searcher_of<PatternDiver<Parts, KindsOfRegions<32>>>(patterns, pruning);
    }
    return searcher_of<PatternDiver<Parts, KindsOfRegions<26>>>(patterns, pruning);
  });
}

}  // namespace taquin
