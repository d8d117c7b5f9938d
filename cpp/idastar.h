#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "board.h"
#include "checkpoint.h"
#include "heartbeat.h"
#include "move_pruning.h"
#include "patterns.h"
#include "walking.h"

namespace taquin {

// How many partitions a search looks up.
inline constexpr std::size_t kMostParts = 4;

// How the last bound of a search went, by which the next one is prepared.
struct LastBound {
  std::uint64_t expanded = 0;
  // The greatest h that the next fringe would want.
  std::int64_t reach = std::numeric_limits<std::int64_t>::max();
  // If its tree was divided: boards below each of the roots, and in which order they come next.
  std::vector<std::uint64_t> sizes{};
  std::vector<std::size_t> order{};
};

struct Report {
  std::optional<std::string> moves;  // none when the run was stopped
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::int64_t lower_bound = 0;  // no shorter answer exists
  bool limit_reached = false;
  std::vector<std::pair<std::int64_t, std::uint64_t>> iterations;  // threshold, expanded
  LastBound last{};

  // What the run took, and what it has proven.
  void settle(const Heartbeat& heart, std::int64_t proven) {
    expanded = heart.expanded();
    generated = heart.generated();
    limit_reached = heart.limit_reached();
    lower_bound = proven;
  }
};

// What a search may use beside the board: nothing, which leaves the Manhattan distance, the
// walking distance, or patterns with an automaton that prunes moves.
struct Knowledge {
  const WalkingDistance* walking = nullptr;
  const Patterns* patterns = nullptr;
  const MovePruning* pruning = nullptr;
};

struct SearchOptions {
  double weight = 1.0;
  std::int64_t threads = 1;
  std::int64_t known = 0;            // the length of an answer at hand, 0 for none
  std::int64_t bound = 0;            // known to have no shorter answer
  LastBound last{};                  // of the run that this one goes on from
  std::uint64_t pause = 0;           // ends after a bound if more was expanded; 0 for never
  Checkpoint* checkpoint = nullptr;  // where an earlier run stopped; only for weight 1
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  // bytes for its fringe
};

// Iterative deepening A* on f = g + weight * h. The answer has at most weight times the least
// length. It also ends, without an answer, when the known one can't be bettered or
// a pause is due.
Report idastar(const Goal& goal, const Tiles& tiles, const Knowledge& knowledge,
               const SearchOptions& options, Heartbeat& heart);

// All answers of a length that is the least, as letters: how many, and the first `most`.
struct Answers {
  std::uint64_t count = 0;
  std::vector<std::string> first;
  bool complete = true;  // false when the run was stopped before it had seen all
};
Answers all_answers(const Goal& goal, const Tiles& tiles, const Patterns& patterns,
                    std::int64_t length, std::size_t most, Heartbeat& heart);

}  // namespace taquin
