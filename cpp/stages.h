#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"

namespace taquin {

// In which stage each tile is to reach its target: the outer lines one after the other,
// and what is left, the core, at the end.
struct Stages {
  std::vector<std::uint16_t> of_tile;  // the blank belongs to none, and has the last one
  std::size_t count;

  // The first one with tiles that are not in their cells; as many as there are if all is done.
  template <class Cell>
  std::size_t first_to_do(const Goal& goal, const Cell* board) const {
    std::size_t first = count;
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      const std::size_t tile = board[cell];
      if (tile == 0 || goal.cell_of(static_cast<Tile>(tile)) == cell) continue;
      first = std::min<std::size_t>(first, of_tile[tile]);
    }
    return first;
  }
};

// Lines of more than `longest` cells take several stages. All is core where `core_cells`
// suffice for the whole board.
Stages plan_stages(const Goal& goal, std::size_t core_cells, std::size_t longest);

}  // namespace taquin
