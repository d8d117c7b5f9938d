#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "board.h"
#include "heartbeat.h"

namespace taquin {

// What comparing a heuristic with the exact distances of all boards brought to light.
struct Audit {
  std::uint64_t boards = 0;
  std::uint64_t missing = 0;   // the moves by which the values fall short, in all
  std::optional<Tiles> wrong;  // a board whose value exceeds its distance, if there is one
};

// Asks for the value of every board of at most 12 cells; `value` must be safe to call from
// several threads. Stopped when the hook stops it.
Audit audit(const Goal& goal, const std::function<std::int64_t(const Tiles&)>& value,
            std::int64_t threads, Heartbeat& heart);

}  // namespace taquin
