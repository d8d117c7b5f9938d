#pragma once

#include <string>

#include "board.h"
#include "heartbeat.h"

namespace taquin {

// Moves that lead to the goal, put together tile by tile from outside in. It takes a few
// steps of work for each move, so it answers at once on a board of any size, with about
// two and a half times the moves that are needed. Throws Stopped if the hook stops it, or if it has
// more than `most_moves`.
std::string construct(const Goal& goal, const Tiles& tiles, std::size_t most_moves,
                      Heartbeat& heart);

}  // namespace taquin
