#include <algorithm>
#include <random>
#include <vector>

#include "check.h"
#include "fringe.h"

using namespace taquin;

namespace {

constexpr std::int64_t kBound = 20;
constexpr std::size_t kCapacity = 100;

using Bytes = std::vector<std::uint8_t>;

Fringe empty() {
  Fringe fringe;
  fringe.reset(kBound, kCapacity, kBound);
  return fringe;
}

// A path to a board of this h, which shows in its first byte.
Bytes path_of(std::int64_t h, std::uint8_t name) {
  Bytes path(static_cast<std::size_t>(kBound - h), name);
  path.front() = static_cast<std::uint8_t>(h);
  return path;
}

std::vector<Bytes> kept(const Fringe& fringe) {
  std::vector<Bytes> paths;
  for (const Fringe::Piece& piece : fringe.pieces()) {
    CHECK(piece.paths.size() == piece.count() * piece.length);
    for (std::size_t i = 0; i < piece.count(); ++i) {
      paths.emplace_back(piece.path(i), piece.path(i) + piece.length);
      CHECK(piece.length == static_cast<std::size_t>(kBound - paths.back()[0]));
    }
  }
  CHECK(paths.size() == fringe.size());
  return paths;
}

void the_nearest_are_kept_and_come_first() {
  std::mt19937 random(1);
  Fringe fringe = empty();
  std::vector<std::int64_t> all;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t h = 1 + random() % (kBound - 1);
    all.push_back(h);
    if (h <= fringe.farthest()) fringe.add(path_of(h, 7).data(), h);
  }
  const std::vector<Bytes> paths = kept(fringe);
  CHECK(paths.size() >= kCapacity && paths.size() < all.size());
  CHECK(std::is_sorted(paths.begin(), paths.end(),
                       [](const Bytes& a, const Bytes& b) { return a[0] < b[0]; }));
  const auto near = [&](std::int64_t h) { return h <= fringe.farthest(); };
  CHECK(paths.size() == static_cast<std::size_t>(std::count_if(all.begin(), all.end(), near)));
}

void shared_out_they_keep_what_one_keeps() {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Fringe one = empty();
    std::vector<Fringe> three(3, empty());
    const int count = 50 + 20 * static_cast<int>(seed);
    for (int i = 0; i < count; ++i) {
      const std::int64_t h = 1 + random() % (kBound - 1);
      const Bytes path = path_of(h, static_cast<std::uint8_t>(random() % 200));
      Fringe& some = three[random() % three.size()];
      if (h <= one.farthest()) one.add(path.data(), h);
      if (h <= some.farthest()) some.add(path.data(), h);
    }
    three[0].join(three[1]);
    three[0].join(three[2]);
    CHECK(three[0].farthest() == one.farthest() && three[0].size() == one.size());
    std::vector<Bytes> expected = kept(one);
    std::vector<Bytes> found = kept(three[0]);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}

void paths_of_an_h_stay_in_order() {
  Fringe fringe;
  fringe.reset(kBound, 1000, kBound);
  for (std::uint8_t name = 0; name < 200; ++name) fringe.add(path_of(7, name).data(), 7);
  const std::vector<Bytes> paths = kept(fringe);
  CHECK(paths.size() == 200 && std::is_sorted(paths.begin(), paths.end()));
  CHECK(fringe.pieces().size() > 1);
}

}  // namespace

int main() {
  the_nearest_are_kept_and_come_first();
  shared_out_they_keep_what_one_keeps();
  paths_of_an_h_stay_in_order();
}
