#pragma once

#include <cstdint>

#include "board.h"
#include "heartbeat.h"
#include "idastar.h"

namespace taquin {

// Iterative deepening A* in the multi-tile metric, where tiles that slide together along a
// line are one move: bounds count such moves, while the letters name each tile's slide.
Report multi_idastar(const Goal& goal, const Tiles& tiles, std::int64_t threads, Heartbeat& heart);

}  // namespace taquin
