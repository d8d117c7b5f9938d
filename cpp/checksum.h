#pragma once

#include <cstdint>
#include <span>

#include "heartbeat.h"

namespace taquin {

// 64 bits that tell whether a table is still what was written. A change within one
// aligned 8-byte word always changes them; anything else goes unseen once in 2^64.
// Throws Stopped if the heart halts.
std::uint64_t checksum(std::span<const std::uint8_t> data, Heartbeat& heart);

}  // namespace taquin
