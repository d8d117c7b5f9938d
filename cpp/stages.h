#pragma once

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
};

// Lines of more than `longest` cells take several stages. All is core where `core_cells`
// suffice for the whole board.
Stages plan_stages(const Goal& goal, std::size_t core_cells, std::size_t longest);

}  // namespace taquin
