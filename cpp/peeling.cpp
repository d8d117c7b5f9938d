#include "peeling.h"

namespace taquin {

std::vector<std::size_t> Peeling::peel() {
  const std::size_t row = goal_.row(goal_.blank());
  const std::size_t col = goal_.col(goal_.blank());
  std::vector<std::size_t> line;
  if (rest_.rows() >= rest_.cols()) {
    // The side that is farther from the goal's blank, which must not be taken away.
    const bool first = row - rest_.top >= rest_.bottom - 1 - row;
    const std::size_t taken = first ? rest_.top++ : --rest_.bottom;
    for (std::size_t c = rest_.left; c < rest_.right; ++c) line.push_back(taken * goal_.cols() + c);
  } else {
    const bool first = col - rest_.left >= rest_.right - 1 - col;
    const std::size_t taken = first ? rest_.left++ : --rest_.right;
    for (std::size_t r = rest_.top; r < rest_.bottom; ++r) line.push_back(r * goal_.cols() + taken);
  }
  return line;
}

}  // namespace taquin
