#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "board.h"
#include "heartbeat.h"

namespace taquin {

// Shortens an answer: a window of so many moves passes over it, and where a depth-first
// search of at most `nodes` boards finds a shorter way between its ends, that is taken.
// When it is stopped, it gives what it has come to.
std::string polish(const Goal& goal, const Tiles& tiles, const std::string& moves,
                   std::size_t window, std::uint64_t nodes, Heartbeat& heart);

}  // namespace taquin
