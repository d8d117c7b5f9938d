#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.h"
#include "checksum.h"

using namespace taquin;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint64_t sum(const Bytes& data) {
  Heartbeat heart;
  return checksum(data, heart);
}

Bytes sample(std::size_t size) {
  Bytes data(size);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : data) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return data;
}

void every_flipped_bit_shows(Bytes data) {
  std::set<std::uint64_t> sums{sum(data)};
  for (std::uint8_t& byte : data) {
    for (int bit = 0; bit < 8; ++bit) {
      byte = static_cast<std::uint8_t>(byte ^ (1 << bit));
      CHECK(sums.insert(sum(data)).second);
      byte = static_cast<std::uint8_t>(byte ^ (1 << bit));
    }
  }
}

// A weak mix lets a flip in one word undo that in another.
void two_flipped_bits_show(Bytes data) {
  const std::uint64_t whole = sum(data);
  const auto flip = [&data](std::size_t bit) {
    data[bit / 8] = static_cast<std::uint8_t>(data[bit / 8] ^ (1 << bit % 8));
  };
  for (std::size_t a = 0; a < 64; ++a) {
    for (std::size_t b = a + 1; b < data.size() * 8; ++b) {
      flip(a);
      flip(b);
      CHECK(sum(data) != whole);
      flip(a);
      flip(b);
    }
  }
}

void exchanged_words_show() {
  Bytes data = sample(256);
  const std::uint64_t whole = sum(data);
  for (std::size_t a = 0; a < 256; a += 8) {
    for (std::size_t b = a + 8; b < 256; b += 8) {
      Bytes other = data;
      for (std::size_t i = 0; i < 8; ++i) std::swap(other[a + i], other[b + i]);
      CHECK(sum(other) != whole);
    }
  }
}

void zeros_of_different_lengths_differ() {
  std::set<std::uint64_t> sums;
  for (std::size_t size = 0; size < 300; ++size) CHECK(sums.insert(sum(Bytes(size))).second);
}

// Files outlive the program that wrote them: what is found here must stay.
void sums_stay_what_they_were() {
  CHECK(sum({}) == 0x364D'4F7A'802E'37B2);
  CHECK(sum(sample(1)) == 0x13DE'2655'C209'F79E);
  CHECK(sum(sample(64)) == 0x0219'4B80'6365'1024);
  CHECK(sum(sample(3'000'001)) == 0xF3EB'6D43'218C'508F);
}

void place_in_memory_does_not_matter() {
  const Bytes data = sample(1000);
  for (std::size_t shift = 1; shift < 9; ++shift) {
    Bytes moved(shift);
    moved.insert(moved.end(), data.begin(), data.end());
    Heartbeat heart;
    CHECK(checksum(std::span(moved).subspan(shift), heart) == sum(data));
  }
}

void the_hook_stops_it() {
  Heartbeat stopping([](const Progress&) { return true; });
  CHECK_THROWS(Stopped, checksum(sample(10), stopping));
  Heartbeat throwing([](const Progress&) -> bool { throw std::invalid_argument("no"); });
  CHECK_THROWS(std::invalid_argument, checksum(sample(10), throwing));
}

}  // namespace

int main() {
  for (const std::size_t size : {1, 8, 63, 64, 65, 200}) every_flipped_bit_shows(sample(size));
  every_flipped_bit_shows(Bytes(192));
  two_flipped_bits_show(sample(192));
  two_flipped_bits_show(Bytes(192));
  exchanged_words_show();
  zeros_of_different_lengths_differ();
  sums_stay_what_they_were();
  place_in_memory_does_not_matter();
  the_hook_stops_it();
}
