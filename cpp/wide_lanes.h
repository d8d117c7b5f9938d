#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wide_board.h"

// Functions say by themselves that they use such instructions, so there is no second build.
#if defined(__x86_64__) && defined(__GNUC__)
#define TAQUIN_HAS_WIDE 1
#include <immintrin.h>
#define WIDE __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define WIDE_INLINE WIDE __attribute__((always_inline)) inline
#else
#define WIDE
#endif

// The lanes of a wide search: the moves of a board in both partitions.
namespace taquin::wide {

inline constexpr std::size_t kBatch = 32;  // boards
inline constexpr std::size_t kGroup = 8;   // boards whose lanes fit a word of 64 bits
// Boards whose words are asked of memory one right after the other.
inline constexpr std::size_t kAskedTogether = 16;
inline constexpr std::size_t kGroups = kBatch / kGroup;
using Groups = std::array<std::uint64_t, kGroups>;

#ifdef TAQUIN_HAS_WIDE

inline constexpr std::uint64_t kEach = 0x0101010101010101;

WIDE_INLINE __m256i row(const void* a) {
  return _mm256_load_si256(static_cast<const __m256i*>(a));
}
WIDE_INLINE __m256i row_from_anywhere(const void* a) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(a));
}
WIDE_INLINE __m128i half(const void* a) {
  return _mm_load_si128(static_cast<const __m128i*>(a));
}
WIDE_INLINE __m256i twice(const void* a) {
  return _mm256_broadcastsi128_si256(half(a));
}
WIDE_INLINE void put(void* a, __m256i values) {
  _mm256_store_si256(static_cast<__m256i*>(a), values);
}
WIDE_INLINE void put_anywhere(void* a, __m256i values) {
  _mm256_storeu_si256(static_cast<__m256i*>(a), values);
}
// The highest bits of all lanes.
WIDE_INLINE std::uint64_t highest_bits(__m256i a) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(a)));
}
WIDE_INLINE std::uint64_t highest_bits_of_bytes(__m256i a) {
  return static_cast<unsigned>(_mm256_movemask_epi8(a));
}
// Lanes of b where those of the third one have their highest bit, of a elsewhere.
WIDE_INLINE __m256i pick(__m256i a, __m256i b, __m256i which) {
  return _mm256_castps_si256(
      _mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _mm256_castsi256_ps(which)));
}
// How many bits are set in each lane.
WIDE_INLINE __m256i count_bits(__m256i a) {
  const __m256i nibble = _mm256_set1_epi8(15), ones = _mm256_set1_epi8(1);
  const __m256i counts =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(a, nibble));
  const __m256i high =
      _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble));
  return _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_add_epi8(low, high), ones),
                           _mm256_set1_epi16(1));
}
// Which bytes of eight words satisfy a test of four.
template <class Test>
WIDE_INLINE std::uint64_t bytes_that(const Brief* briefs, const Test& test) {
  return test(row(briefs)) | test(row(briefs + 4)) << 32U;
}

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
      unsigned count = 0;
      for (unsigned lane = 0; lane < kDirections; ++lane) {
        if (bits >> lane & 1U) all[bits] |= lane << 8 * count++;
      }
    }
    return all;
  }();
};
static_assert(kBatch * kLanes <= 256);

// A bit for each of some lanes, one after the other.
class Dense {
 public:
  // Those of eight.
  void put(std::size_t first, std::uint64_t bits) {
    bits_[first / 8] = static_cast<std::uint8_t>(bits);
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

#endif

}  // namespace taquin::wide
