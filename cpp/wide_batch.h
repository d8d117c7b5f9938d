#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wide_core.h"
#include "wide_lanes.h"

#ifdef TAQUIN_HAS_WIDE

namespace taquin::wide {
inline namespace TAQUIN_REGISTERS {

inline constexpr std::size_t kGroup = 8;  // boards whose lanes fit a word of 64 bits
inline constexpr std::size_t kGroups = kBatch / kGroup;
using Groups = std::array<std::uint64_t, kGroups>;
inline constexpr std::uint64_t kEach = 0x0101010101010101;

// Boards that are expanded together. A board has eight lanes: its moves in the first partition,
// then those in the second. Words of 64 bits have a bit for each lane of eight boards.
struct Batch {
  template <class Value>
  using OfLanes = std::array<std::array<Value, kLanes>, kBatch>;
  // Behind the last one is room for what is written with it.
  using OneByOne = std::array<std::uint32_t, kBatch * kLanes + kAbreast * kLanes>;

  alignas(64) std::array<Brief, kBatch> briefs;
  alignas(64) OfLanes<std::uint32_t> tile;    // that moves, in each byte
  alignas(64) OfLanes<std::uint32_t> index;   // after the move
  alignas(64) OfLanes<std::uint32_t> mask;    // if the value falls
  alignas(64) OfLanes<std::uint32_t> near;    // free cells next to the blank
  alignas(64) OfLanes<std::uint32_t> bit_at;  // in its word, from the highest one
  alignas(64) OfLanes<std::uint32_t> found;   // the word
  OneByOne places, words;                     // to look up, and found
  std::size_t count = 0;                      // of them
  std::array<const Node*, kBatch> nodes;
  std::array<std::uint8_t, kBatch> moves;  // that are not pruned, as lanes of a partition
  Groups grows;
  Groups unsure;  // larger regions differ
  Groups limit;   // must not grow

  // The moves, as bits of the first partition's lanes, that fail if `grows` is right.
  std::uint64_t fails(std::size_t group, std::uint64_t growing) const {
    const std::uint64_t beyond = growing & limit[group];
    return moves_of(group) & (beyond | beyond >> kDirections);
  }
  std::uint64_t moves_of(std::size_t group) const {
    std::uint64_t bits;
    std::memcpy(&bits, moves.data() + group * kGroup, sizeof bits);
    return bits;
  }
  // Which bytes at a place of the boards' briefs satisfy a test of four boards, as the first bits
  // of their lanes.
  template <class Test>
  WIDE_INLINE std::uint64_t bytes_that(std::size_t group, unsigned at, const Test& test) const {
    const Brief* const some = briefs.data() + group * kGroup;
    const std::uint64_t all = test(bytes(some)) | test(bytes(some + 4)) << 32U;
    return all >> at / 8 & kEach;
  }
};

// Lanes of a batch, one after the other.
struct Numbers {
  std::array<std::uint8_t, kBatch * kLanes + 4> each;
  std::size_t count = 0;

  // Those of the first partition that are set in a word. Without branches, as what is set can't be
  // foretold: four are written for each board, and as many count as there are.
  WIDE_INLINE void add(std::size_t group, std::uint64_t bits) {
    std::uint8_t* out = each.data() + count;
    for (std::size_t i = 0; i < kGroup; ++i) {
      const std::size_t some = bits >> kLanes * i & 15U;
      const auto first = static_cast<std::uint32_t>(kLanes * (kGroup * group + i));
      const std::uint32_t four = kLanesOf[some] + 0x01010101U * first;
      std::memcpy(out, &four, sizeof four);
      out += std::popcount(some);
    }
    count = static_cast<std::size_t>(out - each.data());
  }

 private:
  // The numbers of the bits that are set, a byte each.
  static constexpr std::array<std::uint32_t, 16> kLanesOf = [] {
    std::array<std::uint32_t, 16> all{};
    for (unsigned bits = 0; bits < all.size(); ++bits) {
      unsigned set = 0;
      for (unsigned lane = 0; lane < kDirections; ++lane) {
        if (bits >> lane & 1U) all[bits] |= lane << 8 * set++;
      }
    }
    return all;
  }();
};
static_assert(kBatch * kLanes <= 256);

// A bit for each of some lanes, one after the other.
class Dense {
 public:
  // Those of a register.
  WIDE_INLINE void put(std::size_t first, std::uint64_t bits) {
    std::memcpy(bits_.data() + first / 8, &bits, kAbreast * kLanes / 8);
  }
  // From a first one on, where bits of a word are set.
  WIDE_INLINE std::uint64_t spread(std::size_t first, std::uint64_t where) const {
    std::uint64_t low;
    std::memcpy(&low, bits_.data() + first / 8, sizeof low);
    const std::uint64_t high = bits_[first / 8 + sizeof low];
    const std::size_t shift = first % 8;
    return _pdep_u64(low >> shift | (high << 1U) << (63U - shift), where);
  }

 private:
  std::array<std::uint8_t, kBatch * kLanes / 8 + 9> bits_{};
};

// The lanes of a batch where larger regions differ, one after the other.
struct Unsure {
  alignas(64) Batch::OneByOne mask, near, word, bit_at;
  std::size_t count = 0;

  WIDE_INLINE void add(const Batch& batch, std::size_t group, std::uint64_t some) {
    for (; some != 0; some &= some - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(some));
      const std::size_t number = group * kGroup * kLanes + lane;
      mask[count] = batch.mask.front().data()[number];
      near[count] = batch.near.front().data()[number];
      word[count] = batch.found.front().data()[number];
      bit_at[count] = batch.bit_at.front().data()[number];
      ++count;
    }
  }

  // What is behind the last one is a blank that is shut in, so that no one waits for its region.
  WIDE_INLINE void end() { put_anywhere(near.data() + count, Lanes{}); }
};

}  // namespace TAQUIN_REGISTERS
}  // namespace taquin::wide

#endif
