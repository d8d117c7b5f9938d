#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wide_board.h"

// The registers of a wide search. They hold the lanes of one board in 256 bits or, with
// TAQUIN_TWO_BOARDS, those of two in 512. What is written with them is compiled for both. Functions
// say by themselves that they use such instructions, so no flags of the compiler do.
#ifdef TAQUIN_HAS_WIDE

// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#define TAQUIN_AVX2 "avx2,bmi,bmi2,popcnt"
#ifdef TAQUIN_TWO_BOARDS
#define WIDE                                                                          \
  __attribute__((target(TAQUIN_AVX2 ",avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi," \
                                    "avx512vbmi2")))
#define TAQUIN_REGISTERS of_two_boards
#else
#define WIDE __attribute__((target(TAQUIN_AVX2)))
#define TAQUIN_REGISTERS of_one_board
#endif
#define WIDE_INLINE WIDE __attribute__((always_inline)) inline

namespace taquin::wide {
inline namespace TAQUIN_REGISTERS {

// The lanes of one board.
using OneBoard = std::uint32_t __attribute__((vector_size(32)));

WIDE_INLINE OneBoard row(const void* a) {
  return reinterpret_cast<OneBoard>(_mm256_load_si256(static_cast<const __m256i*>(a)));
}
WIDE_INLINE void put(void* a, OneBoard values) {
  _mm256_store_si256(static_cast<__m256i*>(a), reinterpret_cast<__m256i>(values));
}
// Lanes of one, whose numbers are given.
WIDE_INLINE OneBoard pick(OneBoard from, OneBoard which) {
  return reinterpret_cast<OneBoard>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(from),
                                                                reinterpret_cast<__m256i>(which)));
}
WIDE_INLINE OneBoard in_each_byte(std::size_t value) {
  return reinterpret_cast<OneBoard>(_mm256_set1_epi8(static_cast<char>(value)));
}
WIDE_INLINE __m256i bytes(const void* a) {
  return _mm256_load_si256(static_cast<const __m256i*>(a));
}

using FourBriefs = Brief __attribute__((vector_size(32)));
WIDE_INLINE FourBriefs four_briefs(const Brief* a) {
  return reinterpret_cast<FourBriefs>(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)));
}

// The highest bits of all bytes.
WIDE_INLINE std::uint64_t highest_bits_of_bytes(__m256i a) {
  return static_cast<unsigned>(_mm256_movemask_epi8(a));
}

#ifdef TAQUIN_TWO_BOARDS

inline constexpr std::size_t kAbreast = 2;  // boards in a register
using Lanes = std::uint32_t __attribute__((vector_size(64)));
using Ints = std::int32_t __attribute__((vector_size(64)));
using Floats = float __attribute__((vector_size(64)));

WIDE_INLINE Lanes lanes(const void* a) {
  return reinterpret_cast<Lanes>(_mm512_load_si512(a));
}
WIDE_INLINE Lanes lanes_from_anywhere(const void* a) {
  return reinterpret_cast<Lanes>(_mm512_loadu_si512(a));
}
WIDE_INLINE void put_lanes(void* a, Lanes values) {
  _mm512_store_si512(a, reinterpret_cast<__m512i>(values));
}
WIDE_INLINE void put_anywhere(void* a, Lanes values) {
  _mm512_storeu_si512(a, reinterpret_cast<__m512i>(values));
}
// The same row, or the same number, for all boards; and for each a row of its own.
WIDE_INLINE Lanes row_for_all(const void* a) {
  return reinterpret_cast<Lanes>(_mm512_broadcast_i64x4(reinterpret_cast<__m256i>(row(a))));
}
WIDE_INLINE Lanes for_all(std::uint32_t value) {
  return reinterpret_cast<Lanes>(_mm512_set1_epi32(static_cast<int>(value)));
}
template <class Of, class Row>
WIDE_INLINE Lanes rows(const Of* const* boards, Row Of::* some) {
  const auto first = reinterpret_cast<__m256i>(row(&(boards[0]->*some)));
  const auto second = reinterpret_cast<__m256i>(row(&(boards[1]->*some)));
  return reinterpret_cast<Lanes>(_mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1));
}

// Of the eight lanes of each board, those whose numbers are given; what a number has beyond its
// three lowest bits does not matter.
WIDE_INLINE Lanes pick(Lanes from, Lanes which) {
  const auto second = reinterpret_cast<Lanes>(_mm512_maskz_set1_epi32(0xff00, kLanes));
  const auto own = reinterpret_cast<__m512i>((which & (kLanes - 1)) | second);
  return reinterpret_cast<Lanes>(_mm512_permutexvar_epi32(own, reinterpret_cast<__m512i>(from)));
}
// The same of a row that is the same for all boards.
WIDE_INLINE Lanes pick_same(Lanes from, Lanes which) {
  return reinterpret_cast<Lanes>(
      _mm512_permutexvar_epi32(reinterpret_cast<__m512i>(which), reinterpret_cast<__m512i>(from)));
}
WIDE_INLINE Floats pick_same(Floats from, Lanes which) {
  return reinterpret_cast<Floats>(
      _mm512_permutexvar_ps(reinterpret_cast<__m512i>(which), reinterpret_cast<__m512>(from)));
}
// Bytes of the same quarter of a register whose numbers are given; 0 if that has its highest bit.
WIDE_INLINE Lanes pick_bytes(Lanes from, Lanes which) {
  return reinterpret_cast<Lanes>(
      _mm512_shuffle_epi8(reinterpret_cast<__m512i>(from), reinterpret_cast<__m512i>(which)));
}

// Lanes of b where those of the third one have their highest bit, of a elsewhere.
WIDE_INLINE OneBoard either(OneBoard a, OneBoard b, OneBoard which) {
  return reinterpret_cast<OneBoard>(_mm256_mask_mov_epi32(
      reinterpret_cast<__m256i>(a), _mm256_movepi32_mask(reinterpret_cast<__m256i>(which)),
      reinterpret_cast<__m256i>(b)));
}
WIDE_INLINE OneBoard either_byte(OneBoard a, OneBoard b, OneBoard which) {
  return reinterpret_cast<OneBoard>(_mm256_mask_mov_epi8(
      reinterpret_cast<__m256i>(a), _mm256_movepi8_mask(reinterpret_cast<__m256i>(which)),
      reinterpret_cast<__m256i>(b)));
}

// Two sets of 32 bytes, one for each board or for each partition.
class Bytes {
 public:
  WIDE_INLINE static Bytes of_boards(const Node* const* boards) {
    return {rows(boards, &Node::tiles), to_second(0xff00)};
  }
  WIDE_INLINE static Bytes of_partitions(const std::uint8_t* a) {
    return {lanes(a), to_second(0xf0f0)};
  }
  // Those of each lane's set whose numbers are given, in all bytes.
  WIDE_INLINE Lanes operator[](Lanes which) const {
    return reinterpret_cast<Lanes>(_mm512_permutexvar_epi8(
        reinterpret_cast<__m512i>(which | second_), reinterpret_cast<__m512i>(bytes_)));
  }

 private:
  WIDE_INLINE Bytes(Lanes bytes, Lanes second) : bytes_(bytes), second_(second) {}
  // What leads from the first set to the second, for some lanes.
  WIDE_INLINE static Lanes to_second(__mmask16 some) {
    return reinterpret_cast<Lanes>(_mm512_maskz_set1_epi32(some, kRoom * 0x01010101));
  }
  Lanes bytes_, second_;
};

// The lanes of some moves of a partition, and of the same ones of the other, one after the other.
WIDE_INLINE __mmask16 lanes_of(const std::uint8_t* moves) {
  const unsigned both = moves[0] | unsigned{moves[1]} << kLanes;
  return static_cast<__mmask16>(both | both << kDirections);
}
WIDE_INLINE Lanes packed(Lanes all, const std::uint8_t* moves) {
  return reinterpret_cast<Lanes>(
      _mm512_maskz_compress_epi32(lanes_of(moves), reinterpret_cast<__m512i>(all)));
}
WIDE_INLINE Lanes spread(Lanes some, const std::uint8_t* moves) {
  return reinterpret_cast<Lanes>(
      _mm512_maskz_expand_epi32(lanes_of(moves), reinterpret_cast<__m512i>(some)));
}

// The numbers of the bits that are set in a word, counted from a first one, a byte each; what is
// written is 64 bytes.
WIDE_INLINE void put_numbers(std::uint8_t* out, std::uint64_t bits, std::size_t first) {
  alignas(64) static constexpr std::array<std::uint8_t, 64> kNumbers = [] {
    std::array<std::uint8_t, 64> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
    return all;
  }();
  const __m512i numbers = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kNumbers.data()));
  _mm512_storeu_si512(out, _mm512_add_epi8(numbers, _mm512_set1_epi8(static_cast<char>(first))));
}

// The highest bits of all lanes.
WIDE_INLINE std::uint64_t highest_bits(Lanes a) {
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(a));
}
// The sums of the bytes of each lane, none of which is greater than 8.
WIDE_INLINE Lanes sums_of_bytes(Lanes a) {
  const __m512i pairs = _mm512_maddubs_epi16(reinterpret_cast<__m512i>(a), _mm512_set1_epi8(1));
  return reinterpret_cast<Lanes>(_mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

#else

inline constexpr std::size_t kAbreast = 1;
using Lanes = OneBoard;
using Ints = std::int32_t __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(32)));

WIDE_INLINE Lanes lanes(const void* a) {
  return row(a);
}
WIDE_INLINE Lanes lanes_from_anywhere(const void* a) {
  return reinterpret_cast<Lanes>(_mm256_loadu_si256(static_cast<const __m256i*>(a)));
}
WIDE_INLINE void put_lanes(void* a, Lanes values) {
  put(a, values);
}
WIDE_INLINE void put_anywhere(void* a, Lanes values) {
  _mm256_storeu_si256(static_cast<__m256i*>(a), reinterpret_cast<__m256i>(values));
}
WIDE_INLINE Lanes row_for_all(const void* a) {
  return row(a);
}
WIDE_INLINE Lanes for_all(std::uint32_t value) {
  return reinterpret_cast<Lanes>(_mm256_set1_epi32(static_cast<int>(value)));
}
template <class Of, class Row>
WIDE_INLINE Lanes rows(const Of* const* boards, Row Of::* some) {
  return row(&(boards[0]->*some));
}

WIDE_INLINE Lanes pick_same(Lanes from, Lanes which) {
  return pick(from, which);
}
WIDE_INLINE Floats pick_same(Floats from, Lanes which) {
  return reinterpret_cast<Floats>(
      _mm256_permutevar8x32_ps(reinterpret_cast<__m256>(from), reinterpret_cast<__m256i>(which)));
}
WIDE_INLINE Lanes pick_bytes(Lanes from, Lanes which) {
  return reinterpret_cast<Lanes>(
      _mm256_shuffle_epi8(reinterpret_cast<__m256i>(from), reinterpret_cast<__m256i>(which)));
}

WIDE_INLINE OneBoard either(OneBoard a, OneBoard b, OneBoard which) {
  return reinterpret_cast<OneBoard>(_mm256_blendv_ps(
      reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(which)));
}
WIDE_INLINE OneBoard either_byte(OneBoard a, OneBoard b, OneBoard which) {
  return reinterpret_cast<OneBoard>(_mm256_blendv_epi8(reinterpret_cast<__m256i>(a),
                                                       reinterpret_cast<__m256i>(b),
                                                       reinterpret_cast<__m256i>(which)));
}

// A shuffle knows sixteen bytes, and makes 0 of what has its highest bit set.
class Bytes {
 public:
  WIDE_INLINE static Bytes of_boards(const Node* const* boards) {
    const std::uint8_t* const a = boards[0]->tiles;
    return {half(a), half(a), half(a + 16), half(a + 16)};
  }
  WIDE_INLINE static Bytes of_partitions(const std::uint8_t* a) {
    return {half(a), half(a + kRoom), half(a + 16), half(a + kRoom + 16)};
  }
  WIDE_INLINE Lanes operator[](Lanes which) const {
    const __m256i number = reinterpret_cast<__m256i>(which);
    const __m256i low = _mm256_add_epi8(number, _mm256_set1_epi8(0x70));
    const __m256i high = _mm256_add_epi8(number, _mm256_set1_epi8(-16));
    return reinterpret_cast<Lanes>(
        _mm256_or_si256(_mm256_shuffle_epi8(low_, low), _mm256_shuffle_epi8(high_, high)));
  }

 private:
  WIDE_INLINE static __m128i half(const std::uint8_t* a) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(a));
  }
  WIDE_INLINE Bytes(__m128i a_low, __m128i b_low, __m128i a_high, __m128i b_high)
      : low_(_mm256_setr_m128i(a_low, b_low)), high_(_mm256_setr_m128i(a_high, b_high)) {}
  __m256i low_, high_;
};

// By the moves, the lanes that they have in both partitions, and how many are before each.
struct alignas(32) MovesOfBoard {
  std::array<std::uint32_t, kLanes> lanes{}, before{};
};
inline constexpr std::array<MovesOfBoard, 16> kMovesOfBoard = [] {
  std::array<MovesOfBoard, 16> all{};
  for (unsigned moves = 0; moves < all.size(); ++moves) {
    std::uint32_t count = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((moves >> lane % kDirections & 1U) == 0) continue;
      all[moves].before[lane] = count;
      all[moves].lanes[count++] = lane;
    }
  }
  return all;
}();
WIDE_INLINE Lanes packed(Lanes all, const std::uint8_t* moves) {
  return pick(all, row(kMovesOfBoard[*moves].lanes.data()));
}
WIDE_INLINE Lanes spread(Lanes some, const std::uint8_t* moves) {
  return pick(some, row(kMovesOfBoard[*moves].before.data()));
}

// Without branches, as what is set can't be foretold: eight are written for each byte, and as many
// count as there are.
inline constexpr std::array<std::uint64_t, 256> kNumbersOf = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::size_t bits = 0; bits < all.size(); ++bits) {
    unsigned set = 0;
    for (std::uint64_t number = 0; number < 8; ++number) {
      if (bits >> number & 1U) all[bits] |= number << 8 * set++;
    }
  }
  return all;
}();
WIDE_INLINE void put_numbers(std::uint8_t* out, std::uint64_t bits, std::size_t first) {
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t some = bits >> 8 * i & 0xffU;
    const std::uint64_t eight = kNumbersOf[some] + 0x0101010101010101 * (first + 8 * i);
    std::memcpy(out, &eight, sizeof eight);
    out += std::popcount(some);
  }
}

WIDE_INLINE std::uint64_t highest_bits(Lanes a) {
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(a)));
}
WIDE_INLINE Lanes sums_of_bytes(Lanes a) {
  const __m256i pairs = _mm256_maddubs_epi16(reinterpret_cast<__m256i>(a), _mm256_set1_epi8(1));
  return reinterpret_cast<Lanes>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#endif

WIDE_INLINE Floats floats_for_all(const void* a) {
  return reinterpret_cast<Floats>(row_for_all(a));
}

// How many bits are set in each lane.
WIDE_INLINE Lanes count_bits(Lanes a) {
  alignas(32) static constexpr std::array<std::uint8_t, 32> kCounts = {
      0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
      0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  const Lanes counts = row_for_all(kCounts.data()), nibbles = for_all(0x0f0f0f0f);
  return sums_of_bytes(pick_bytes(counts, a & nibbles) + pick_bytes(counts, a >> 4 & nibbles));
}

}  // namespace TAQUIN_REGISTERS
}  // namespace taquin::wide

#endif
