#pragma once

#include <cstdint>

#include "board.h"
#include "heartbeat.h"
#include "idastar.h"

namespace taquin {

// An answer at once, on a board of any size: a constructed one, then better ones as long
// as about `effort` expansions last. The same effort gives the same answer. When it is
// stopped, the report holds the best answer so far, if there is one. It stays within so many bytes
// of memory, the answer included, even if it has none then.
Report fast(const Goal& goal, const Tiles& tiles, std::uint64_t effort, std::uint64_t memory,
            Heartbeat& heart);

}  // namespace taquin
