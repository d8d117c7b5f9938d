#pragma once

#include <cstdint>

namespace taquin {

// Both ways between bits that are packed and bits where a mask has its own.
struct PlainBitFields {
  static std::uint32_t deposit(std::uint32_t packed, std::uint32_t mask) {
    std::uint32_t bits = 0;
    for (; mask != 0; mask &= mask - 1, packed >>= 1U) {
      if (packed & 1U) bits |= mask & (~mask + 1);
    }
    return bits;
  }

  static std::uint32_t extract(std::uint32_t bits, std::uint32_t mask) {
    std::uint32_t packed = 0;
    for (std::uint32_t bit = 1; mask != 0; mask &= mask - 1, bit <<= 1U) {
      if (bits & mask & (~mask + 1)) packed |= bit;
    }
    return packed;
  }
};

#if defined(__x86_64__) && defined(__GNUC__)

// The same in one instruction. It is written out, since the compiler only uses what every processor
// has.
struct NativeBitFields {
  static bool are_there() { return __builtin_cpu_supports("bmi2"); }

  static std::uint32_t deposit(std::uint32_t packed, std::uint32_t mask) {
    std::uint32_t bits;
    __asm__("pdep %2, %1, %0" : "=r"(bits) : "r"(packed), "r"(mask));
    return bits;
  }

  static std::uint32_t extract(std::uint32_t bits, std::uint32_t mask) {
    std::uint32_t packed;
    __asm__("pext %2, %1, %0" : "=r"(packed) : "r"(bits), "rm"(mask));
    return packed;
  }
};

#else

struct NativeBitFields : PlainBitFields {
  static bool are_there() { return false; }
};

#endif

}  // namespace taquin
