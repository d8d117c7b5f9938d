#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"

namespace taquin {

// Vertical (0) or horizontal (1): the upper bit of a direction.
using Axis = unsigned;

// The moves of the multi-tile metric: the blank slides along its row or column to any other
// cell of it, and the tiles between slide the other way by one.
class Slides {
 public:
  explicit Slides(const Goal& goal) : step_{goal.cols(), 1} {
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      const std::size_t place[2] = {goal.row(cell), goal.col(cell)};
      const std::size_t last[2] = {goal.rows() - 1, goal.cols() - 1};
      for (const Axis axis : {0U, 1U}) {
        sides_[axis].push_back({static_cast<std::uint32_t>(place[axis]),
                                static_cast<std::uint32_t>(last[axis] - place[axis])});
      }
    }
  }

  std::size_t step(Axis axis) const { return step_[axis]; }
  // How many moves there are along an axis.
  unsigned count(Axis axis, std::size_t blank) const {
    return sides_[axis][blank].lower + sides_[axis][blank].higher;
  }

  // Calls visit(direction, source, run) for each move: the run-th tile of the run slides
  // from `source`, where the blank is then. Longer runs follow shorter ones.
  template <class Visit>
  [[gnu::always_inline]] void for_each(Axis axis, std::size_t blank, Visit visit) const {
    const Sides sides = sides_[axis][blank];
    std::size_t source = blank;
    for (std::uint32_t run = 1; run <= sides.lower; ++run) {
      visit(direction(axis, false), source -= step_[axis], run);
    }
    source = blank;
    for (std::uint32_t run = 1; run <= sides.higher; ++run) {
      visit(direction(axis, true), source += step_[axis], run);
    }
  }

  // Slides the blank of some tiles along an axis to a cell.
  void slide(Tiles& tiles, Axis axis, std::size_t blank, std::size_t target) const {
    const std::size_t step = blank < target ? step_[axis] : 0 - step_[axis];
    for (; blank != target; blank += step) tiles[blank] = tiles[blank + step];
    tiles[target] = 0;
  }

  // The direction in which tiles slide when the blank goes to a higher cell, or a lower one.
  static constexpr Direction direction(Axis axis, bool blank_goes_up) {
    return 2 * axis + (blank_goes_up ? 0 : 1);
  }

 private:
  struct Sides {
    std::uint32_t lower;  // cells of the line before this one
    std::uint32_t higher;
  };

  std::array<std::size_t, 2> step_;
  std::array<std::vector<Sides>, 2> sides_;
};

}  // namespace taquin
