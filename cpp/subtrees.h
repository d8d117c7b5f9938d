#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "board.h"
#include "fringe.h"
#include "heartbeat.h"
#include "idastar.h"
#include "ways.h"

namespace taquin {

// What came of a part of one bound of an optimal search.
struct Portion {
  std::optional<std::string> moves;  // an answer within the bound
  std::vector<std::uint64_t> sizes;  // boards expanded below each path that is done, in order
  std::vector<std::string> rest;     // what is left of the next path, if that was begun
  FringePaths fringe;
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;

  void settle(const Heartbeat& heart) {
    expanded = heart.expanded();
    generated = heart.generated();
  }
};

struct PortionOptions {
  std::int64_t bound = 0;  // of the length
  FringeSize fringe;       // of boards beyond it
  std::int64_t reach = 0;  // the greatest h that is wanted of them
};

// Into which subtrees an optimal search is divided, as the paths to their roots; none if the goal
// is nearer. The same board, goal and pruning give the same ones.
std::vector<std::string> subtrees(const Goal& goal, const Tiles& tiles, const MovePruning* pruning,
                                  Heartbeat& heart);

// Searches the subtrees at the ends of these paths within a bound, one after the other.
Portion search_subtrees(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
                        const std::vector<std::string>& paths, const PortionOptions& options,
                        Heartbeat& heart);

// Searches on from boards just beyond the bound before this one.
Portion look_on(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
                const FringePaths& fringe, std::int64_t bound, Heartbeat& heart);

}  // namespace taquin
