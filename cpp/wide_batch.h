#pragma once

#include <algorithm>
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

// What a move of a board does.
struct Slide {
  std::size_t tile;
  std::size_t source;  // its cell
  Direction direction;
};

// Boards that are expanded together. A board has eight lanes: its moves in the first partition,
// then those in the second. Words of 64 bits have a bit for each lane of eight boards.
struct Batch {
  template <class Value>
  using OfLanes = std::array<std::array<Value, kLanes>, kBatch>;
  // Behind the last one is room for what is written with it.
  using OneByOne = std::array<std::uint32_t, kBatch * kLanes + kAbreast * kLanes>;

  alignas(64) std::array<Brief, kBatch> briefs;
  alignas(64) OfLanes<std::uint32_t> slide;   // the tile, its cell and its direction, a byte each
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
  Slide slide_of(std::size_t board, std::size_t lane) const {
    const std::uint32_t bytes = slide[board][lane];
    return {bytes & 0xffU, bytes >> 8U & 0xffU, static_cast<Direction>(bytes >> 16U & 0xffU)};
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
  std::array<std::uint8_t, kBatch * kLanes + kGroup * kLanes> each;
  std::size_t count = 0;

  // Those that are set in a word.
  WIDE_INLINE void add(std::size_t group, std::uint64_t bits) {
    put_numbers(each.data() + count, bits, kGroup * kLanes * group);
    count += static_cast<std::size_t>(std::popcount(bits));
  }
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
  // The next 64 of so many.
  WIDE_INLINE std::uint64_t word(std::size_t first, std::size_t count) const {
    std::uint64_t bits;
    std::memcpy(&bits, bits_.data() + first / 8, sizeof bits);
    return _bzhi_u64(bits, static_cast<unsigned>(std::min<std::size_t>(count - first, 64)));
  }

 private:
  std::array<std::uint8_t, kBatch * kLanes / 8 + 9> bits_{};
};

// What some lanes of a batch have, one after the other.
struct Unsure {
  alignas(64) Batch::OneByOne mask, near, word, bit_at;

  WIDE_INLINE Unsure(const Batch& batch, const Numbers& numbers) {
    for (std::size_t i = 0; i < numbers.count; ++i) {
      const std::size_t number = numbers.each[i];
      mask[i] = batch.mask.front().data()[number];
      near[i] = batch.near.front().data()[number];
      word[i] = batch.found.front().data()[number];
      bit_at[i] = batch.bit_at.front().data()[number];
    }
    // What is behind the last one is a blank that is shut in, so that no one waits for its region.
    put_anywhere(near.data() + numbers.count, Lanes{});
  }
};

}  // namespace TAQUIN_REGISTERS
}  // namespace taquin::wide

#endif
