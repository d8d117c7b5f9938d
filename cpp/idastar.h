#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "walking.h"

namespace taquin {

struct Report {
  std::optional<std::string> moves;  // none when the run was stopped
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::int64_t lower_bound = 0;  // no shorter answer exists
  bool limit_reached = false;
  std::vector<std::pair<std::int64_t, std::uint64_t>> iterations;  // threshold, expanded
};

// Iterative deepening A* on f = g + weight * h, where h is the walking distance, or the
// Manhattan distance without one. The answer has at most weight times the least length.
Report idastar(const Goal& goal, const Tiles& tiles, const WalkingDistance* walking, double weight,
               std::int64_t threads, Heartbeat& heart);

}  // namespace taquin
