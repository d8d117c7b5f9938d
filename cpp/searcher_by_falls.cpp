#include "fall_diver.h"
#include "searcher_of.h"

namespace taquin {

std::unique_ptr<Searcher> searcher_by_falls(const Patterns& patterns, const MovePruning& pruning) {
  return by_parts(patterns, [&]<std::size_t Parts>(std::integral_constant<std::size_t, Parts>) {
    // Less room for patterns makes smaller boards: that of the large set, and of the default one.
    constexpr std::size_t few = Parts == 2 ? 4 : 3 * Parts;
    constexpr bool halves = Parts == 2;
    if (patterns.count() <= few && (halves || !patterns.has_halves())) {
      return searcher_of<FallDiver<Parts, few, halves>>(patterns, pruning);
    }
    constexpr std::size_t any = Parts * Patterns::kMostPatterns;
    return searcher_of<FallDiver<Parts, any, true>>(patterns, pruning);
  });
}

}  // namespace taquin
