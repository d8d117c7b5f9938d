#include "stages.h"

#include "peeling.h"

namespace taquin {

Stages plan_stages(const Goal& goal, std::size_t core_cells, std::size_t longest) {
  Stages stages{std::vector<std::uint16_t>(goal.cells(), 0), 0};
  std::vector<bool> peeled(goal.cells(), false);
  Peeling peeling(goal);
  while (peeling.rest().cells() > core_cells) {
    const std::vector<std::size_t> line = peeling.peel();
    const std::size_t parts = (line.size() + longest - 1) / longest;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t stage = stages.count + i * parts / line.size();
      stages.of_tile[goal.tile_for(line[i])] = static_cast<std::uint16_t>(stage);
      peeled[line[i]] = true;
    }
    stages.count += parts;
  }
  for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
    if (!peeled[cell])
      stages.of_tile[goal.tile_for(cell)] = static_cast<std::uint16_t>(stages.count);
  }
  ++stages.count;
  return stages;
}

}  // namespace taquin
