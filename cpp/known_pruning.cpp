#include <iterator>

#include "move_pruning.h"

namespace taquin {

namespace {

// Written by write_pruning.
constexpr MovePruning::State kNext[][kDirections] = {
#include "known_pruning.inc"
};

}  // namespace

MovePruning::MovePruning() : allowed_(std::size(kNext)), next_(std::size(kNext)) {
  for (std::size_t state = 0; state < next_.size(); ++state) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      next_[state][direction] = kNext[state][direction];
      const bool allowed = kNext[state][direction] != kForbidden;
      allowed_[state] = static_cast<std::uint8_t>(allowed_[state] | allowed << direction);
    }
  }
}

}  // namespace taquin
