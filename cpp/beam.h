#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "board.h"
#include "heartbeat.h"
#include "stages.h"

namespace taquin {

// An answer by beam search: of the boards that are some moves away it keeps the `width`
// most promising ones, those that have come to a later stage before all others. None
// when it takes more than `most_moves` or is stopped.
//
// A single beam strays on large boards: it brings most tiles home and then finds no way
// for the last ones. With stages it does not, because within a stage two boards are the
// same if the tiles of that stage and of those before are in the same cells. The others
// are only drawn along.
std::optional<std::string> beam(const Goal& goal, const Tiles& tiles, const Stages& stages,
                                std::size_t width, std::size_t most_moves, Heartbeat& heart);

// Whether the board's lines are short enough for a beam.
bool beam_takes(const Goal& goal);

// Bytes that it takes for each board of its width, at most.
std::size_t beam_bytes(const Goal& goal, std::size_t most_moves);

}  // namespace taquin
