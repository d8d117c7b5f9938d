#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "board.h"
#include "heartbeat.h"
#include "stages.h"

namespace taquin {

struct BeamLimits {
  std::size_t width;
  std::size_t most_moves;
  // A stage that takes more will not be done.
  std::size_t most_moves_of_stage = std::numeric_limits<std::size_t>::max();
};

// How far a beam has come: to the goal, or to the first board of the stage in which it strayed.
struct BeamEnd {
  std::string moves;
  std::size_t stage;  // as many as there are at the goal
};

// An answer by beam search: of the boards that are some moves away it keeps the `width`
// most promising ones, those that have come to a later stage before all others.
//
// A single beam strays on large boards: it brings most tiles home and then finds no way
// for the last ones. With stages it mostly does not, because within a stage two boards are the
// same if the tiles of that stage and of those before are in the same cells. The others
// are only drawn along.
BeamEnd beam(const Goal& goal, const Tiles& tiles, const Stages& stages, const BeamLimits& limits,
             Heartbeat& heart);

// Whether the board's lines are short enough for a beam.
bool beam_takes(const Goal& goal);

// Bytes that it takes for each board of its width, at most.
std::size_t beam_bytes(const Goal& goal, std::size_t most_moves);

}  // namespace taquin
