#pragma once

#include <cstddef>
#include <vector>

#include "board.h"

namespace taquin {

// A rectangle of cells, the ends not included.
struct Rectangle {
  std::size_t top, bottom, left, right;

  explicit Rectangle(const Goal& goal) : top(0), bottom(goal.rows()), left(0), right(goal.cols()) {}
  Rectangle(std::size_t top_, std::size_t bottom_, std::size_t left_, std::size_t right_)
      : top(top_), bottom(bottom_), left(left_), right(right_) {}

  std::size_t rows() const { return bottom - top; }
  std::size_t cols() const { return right - left; }
  std::size_t cells() const { return rows() * cols(); }
};

// A board can be solved from outside in: an outer line of what is left, from one end to
// the other, then the next. What is left stays as square as can be, because that keeps
// the ways short, and it holds the goal's blank.
class Peeling {
 public:
  explicit Peeling(const Goal& goal) : goal_(goal), rest_(goal) {}

  const Rectangle& rest() const { return rest_; }
  // Takes away the next line, and gives its cells in order. There must be more than one.
  std::vector<std::size_t> peel();

 private:
  Goal goal_;
  Rectangle rest_;
};

}  // namespace taquin
