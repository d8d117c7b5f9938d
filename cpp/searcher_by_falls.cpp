#include "fall_diver.h"
#include "searcher_of.h"

namespace taquin {

std::unique_ptr<Searcher> searcher_by_falls(const Patterns& patterns, const MovePruning& pruning) {
  return by_parts(patterns, [&]<std::size_t Parts>(std::integral_constant<std::size_t, Parts>) {
    // Less room for patterns makes smaller boards: that of the large set, and of default ones.
    if constexpr (Parts == 2) {
      if (patterns.count() <= 4) return searcher_of<FallDiver<Parts, 4, true>>(patterns, pruning);
    }
    constexpr std::size_t few = 3 * Parts;
    if (patterns.count() <= few && !patterns.has_halves()) {
      return searcher_of<FallDiver<Parts, few, false>>(patterns, pruning);
    }
    constexpr std::size_t any = Parts * Patterns::kMostPatterns;
    return searcher_of<FallDiver<Parts, any, true>>(patterns, pruning);
  });
}

}  // namespace taquin
