#pragma once

#include <cstdint>

#include "board.h"
#include "heartbeat.h"
#include "idastar.h"
#include "multi_bounds.h"

namespace taquin {

// Iterative deepening A* in the multi-tile metric, where tiles that slide together along a
// line are one move: bounds count such moves, while the letters name each tile's slide. The
// goal is that of the tables; what the search adds to them is at most so many bytes.
Report multi_idastar(const Tiles& tiles, MultiTables& tables, std::uint64_t most_bytes,
                     std::int64_t threads, Heartbeat& heart);

}  // namespace taquin
