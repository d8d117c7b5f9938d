#include <algorithm>
#include <random>
#include <vector>

#include "check.h"
#include "fringe.h"

using namespace taquin;

namespace {

constexpr std::int64_t kBound = 20;
constexpr std::size_t kEnough = 100;
constexpr FringeSize kAnySize{kEnough};
constexpr FringeSize kSizes[] = {kAnySize, {kEnough, 130}, {kEnough, 40}};

using Bytes = std::vector<std::uint8_t>;

Fringe empty(FringeSize size) {
  Fringe fringe;
  fringe.reset(kBound, size, kBound);
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
  Fringe fringe = empty(kAnySize);
  std::vector<std::int64_t> all;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t h = 1 + random() % (kBound - 1);
    all.push_back(h);
    if (h <= fringe.farthest()) fringe.add(path_of(h, 7).data(), h);
  }
  const std::vector<Bytes> paths = kept(fringe);
  CHECK(paths.size() >= kEnough && paths.size() < all.size());
  CHECK(std::is_sorted(paths.begin(), paths.end(),
                       [](const Bytes& a, const Bytes& b) { return a[0] < b[0]; }));
  const auto near = [&](std::int64_t h) { return h <= fringe.farthest(); };
  CHECK(paths.size() == static_cast<std::size_t>(std::count_if(all.begin(), all.end(), near)));
}

std::vector<Bytes> sorted(std::vector<Bytes> paths) {
  std::sort(paths.begin(), paths.end());
  return paths;
}

// With a quota of their own or one that they share. Enough boards to fill pieces, which is when
// others are asked.
void shared_out_they_keep_what_one_keeps(FringeSize size) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Fringe one = empty(size);
    std::vector<Fringe> alone(3, empty(size));
    SharedQuota quota;
    quota.reset(size, kBound);
    std::vector<Fringe> together(3);
    for (Fringe& each : together) each.reset(kBound, size, kBound, &quota);
    const int count = 50 + 200 * static_cast<int>(seed);
    for (int i = 0; i < count; ++i) {
      const std::int64_t h = 1 + random() % (kBound - 1);
      const Bytes path = path_of(h, static_cast<std::uint8_t>(random() % 200));
      const std::size_t who = random() % alone.size();
      for (Fringe* each : {&one, &alone[who], &together[who]}) {
        if (h <= each->farthest()) each->add(path.data(), h);
      }
    }
    for (std::size_t i = 0; i < alone.size(); ++i) {
      CHECK(together[i].farthest() <= alone[i].farthest());
      CHECK(together[i].farthest() >= one.farthest());
    }
    for (std::vector<Fringe>* some : {&alone, &together}) {
      Fringe all = (*some)[0];
      all.join((*some)[1]);
      all.join((*some)[2]);
      CHECK(all.farthest() == one.farthest() && all.size() == one.size());
      CHECK(all.size() <= size.most);
      CHECK(sorted(kept(all)) == sorted(kept(one)));
    }
  }
}

// The quota is what makes the others keep less.
void others_make_boards_superfluous() {
  SharedQuota quota;
  quota.reset(kAnySize, kBound);
  Fringe near, far;
  for (Fringe* each : {&near, &far}) each->reset(kBound, kAnySize, kBound, &quota);
  const auto add = [](Fringe& fringe, std::int64_t h) {
    for (int i = 0; i < 200 && h <= fringe.farthest(); ++i) fringe.add(path_of(h, 7).data(), h);
  };
  add(near, 3);
  add(far, 5);
  CHECK(near.size() >= kEnough && far.size() == 0 && far.farthest() == near.farthest());
}

void never_more_than_the_most() {
  Fringe fringe = empty({kEnough, 40});
  const auto add = [&](std::int64_t h, int count) {
    for (int i = 0; i < count && h <= fringe.farthest(); ++i) fringe.add(path_of(h, 7).data(), h);
  };
  add(3, 30);
  add(5, 10);
  CHECK(fringe.size() == 40);
  add(5, 1);
  CHECK(fringe.size() == 30 && fringe.farthest() == 4);
  add(2, 11);
  CHECK(fringe.size() == 11 && fringe.farthest() == 2);
  add(1, 41);
  CHECK(fringe.size() == 0 && fringe.farthest() < 1);
}

void paths_of_an_h_stay_in_order() {
  Fringe fringe;
  fringe.reset(kBound, {1000}, kBound);
  for (std::uint8_t name = 0; name < 200; ++name) fringe.add(path_of(7, name).data(), 7);
  const std::vector<Bytes> paths = kept(fringe);
  CHECK(paths.size() == 200 && std::is_sorted(paths.begin(), paths.end()));
  CHECK(fringe.pieces().size() > 1);
}

// Some at a time, all of them come once, those nearest to the goal first.
void all_come_in_their_order() {
  Fringe fringe;
  fringe.reset(kBound, {10'000}, kBound);
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t h = 1 + random() % (kBound - 1);
    fringe.add(path_of(h, static_cast<std::uint8_t>(random() % 200)).data(), h);
  }
  const std::vector<Fringe::Piece> pieces = fringe.pieces();
  std::vector<Bytes> seen;
  Fringe::some_at_a_time(pieces, [&](std::span<const Fringe::Kept> boards) {
    for (const Fringe::Kept& board : boards) {
      seen.emplace_back(board.path(), board.path() + board.piece->length);
    }
    return true;
  });
  CHECK(seen == kept(fringe));
  std::size_t count = 0;
  Fringe::some_at_a_time(pieces, [&](std::span<const Fringe::Kept> boards) {
    count += boards.size();
    return false;
  });
  CHECK(count > 0 && count < seen.size());
}

}  // namespace

int main() {
  the_nearest_are_kept_and_come_first();
  for (const FringeSize size : kSizes) shared_out_they_keep_what_one_keeps(size);
  never_more_than_the_most();
  others_make_boards_superfluous();
  paths_of_an_h_stay_in_order();
  all_come_in_their_order();
}
