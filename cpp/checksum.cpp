#include "checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace taquin {

namespace {

constexpr std::uint64_t kFactor = 0x9E37'79B1'85EB'CA87;
// A multiplication takes several cycles, but one can start in each: the lanes keep
// the multiplier busy.
constexpr std::size_t kLanes = 8;
constexpr std::size_t kStripe = kLanes * sizeof(std::uint64_t);
// Between two beats; a slow disk takes some milliseconds for it.
constexpr std::size_t kBlock = std::size_t{1} << 20;

using Lanes = std::array<std::uint64_t, kLanes>;

// Invertible in both arguments (the factor is odd): a change in either can't get lost.
// Products spread a change upwards only, so the upper half is brought down first; else
// a flip of the highest bit would stay one bit and could be undone by the next word.
constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state ^= word;
  return std::rotl((state ^ (state >> 32)) * kFactor, 29);
}

// Makes every bit of the state matter to every bit of the result, invertibly.
constexpr std::uint64_t spread(std::uint64_t state) {
  state = (state ^ (state >> 32)) * kFactor;
  state = (state ^ (state >> 29)) * kFactor;
  return state ^ (state >> 32);
}

void absorb(Lanes& lanes, const std::uint8_t* stripe) {
  std::array<std::uint64_t, kLanes> words;
  std::memcpy(words.data(), stripe, kStripe);
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = mix(lanes[lane], words[lane]);
}

void absorb_block(Lanes& lanes, std::span<const std::uint8_t> block) {
  // A copy that no one else can see stays in registers.
  Lanes local = lanes;
  const std::size_t whole = block.size() - block.size() % kStripe;
  for (std::size_t at = 0; at < whole; at += kStripe) absorb(local, block.data() + at);
  if (whole < block.size()) {
    std::array<std::uint8_t, kStripe> rest{};
    std::memcpy(rest.data(), block.data() + whole, block.size() - whole);
    absorb(local, rest.data());
  }
  lanes = local;
}

}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> data, Heartbeat& heart) {
  Lanes lanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = spread(lane + 1);
  for (std::size_t at = 0; at < data.size(); at += kBlock) {
    heart.beat();
    if (heart.halted()) throw Stopped("the check of a table was stopped");
    absorb_block(lanes, data.subspan(at, std::min(kBlock, data.size() - at)));
  }
  // The length tells the zeros that fill the last stripe from zeros of the data.
  std::uint64_t sum = data.size();
  for (const std::uint64_t lane : lanes) sum = spread(mix(sum, lane));
  return sum;
}

}  // namespace taquin
