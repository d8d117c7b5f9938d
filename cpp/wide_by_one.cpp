#include "wide_expansion.h"

namespace taquin::wide {

#ifdef TAQUIN_HAS_WIDE
std::unique_ptr<Core> core_by_one(const Patterns& patterns, const MovePruning& pruning) {
  return std::make_unique<Expansion>(patterns, pruning);
}
#endif

}  // namespace taquin::wide
