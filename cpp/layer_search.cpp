#include "layer_search.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "crew.h"

namespace taquin {

namespace {

// Shorter runs are cut into single boards, and blocks of fewer boards are joined, so that
// the bits can be read word by word.
constexpr std::uint64_t kShortestRun = 12;
constexpr std::uint64_t kSmallestBlock = 2520;

// Calls visit(place - first) for the boards of the set in first .. first + size.
template <class Visit>
void for_each_board_within(const BoardSet& boards, std::uint64_t first, std::uint64_t size,
                           Visit visit) {
  const std::uint64_t last = first + size;
  for (std::uint64_t i = first / 64; i * 64 < last; ++i) {
    std::uint64_t word = boards[i];
    if (word == 0) continue;
    if (i * 64 < first) word &= ~std::uint64_t{0} << (first - i * 64);
    if (last - i * 64 < 64) word &= (std::uint64_t{1} << (last - i * 64)) - 1;
    for (; word != 0; word &= word - 1) {
      visit(i * 64 + static_cast<std::uint64_t>(std::countr_zero(word)) - first);
    }
  }
}

void insert(BoardSet& boards, std::uint64_t place) {
  boards[place / 64] |= std::uint64_t{1} << place % 64;
}

void add_all(const BoardSet& from, BoardSet& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] |= from[i];
}

}  // namespace

VerticalMove::VerticalMove(const Goal& goal, const Ranking& ranking, std::size_t upper)
    : boards_(ranking.boards_per_blank()), block_(boards_), run_(boards_) {
  if (goal.is_line()) {  // nothing to cross
    down_.fill({0});
    up_.fill({0});
    return;
  }
  const std::uint64_t tiles = goal.cells() - 1;
  for (std::size_t i = 0; i < upper && block_ / (tiles - i) >= kSmallestBlock; ++i) {
    radices_.push_back(tiles - i);
    block_ /= tiles - i;
  }
  // The last two digits are not part of the rank.
  for (std::size_t i = 0; i < upper + goal.cols() && i + 2 < tiles; ++i) run_ /= tiles - i;
  if (run_ < kShortestRun) run_ = 1;
  arrange(goal, ranking, upper, 0);
  if (!radices_.empty()) arrange(goal, ranking, upper, 1);
}

void VerticalMove::arrange(const Goal& goal, const Ranking& ranking, std::size_t upper,
                           unsigned parity) {
  const std::size_t lower = upper + goal.cols();
  const std::uint64_t first = parity * block_;  // of block 0 or block 1
  const auto runs = static_cast<std::uint32_t>(block_ / run_);
  down_[parity].resize(runs);
  up_[parity].resize(runs);
  Tiles tiles(goal.cells());
  for (std::uint32_t place = 0; place < runs; ++place) {
    ranking.unrank(upper * boards_ + first + place * run_, tiles.data());
    std::swap(tiles[upper], tiles[lower]);
    const std::uint64_t rank = ranking.rank(tiles.data()) - lower * boards_ - first;
    const auto next = static_cast<std::uint32_t>(rank / run_);
    down_[parity][place] = next;
    up_[parity][next] = place;
  }
}

void VerticalMove::add(const BoardSet& from, BoardSet& to, const Arrangements& arrangements) const {
  for (std::uint64_t block = 0; block * block_ < boards_; ++block) {
    const std::uint64_t first = block * block_;
    const Arrangement& arrangement = arrangements[parity(block)];
    if (run_ == 1) {
      for_each_board_within(from, first, block_,
                            [&](std::uint64_t place) { insert(to, first + arrangement[place]); });
      continue;
    }
    for (std::uint64_t run = 0; run < arrangement.size(); ++run) {
      const std::uint64_t next = first + arrangement[run] * run_;
      for_each_board_within(from, first + run * run_, run_,
                            [&](std::uint64_t place) { insert(to, next + place); });
    }
  }
}

// Of the sum of the digits before the window.
unsigned VerticalMove::parity(std::uint64_t block) const {
  std::uint64_t sum = 0;
  for (std::size_t i = radices_.size(); i-- > 0;) {
    sum += block % radices_[i];
    block /= radices_[i];
  }
  return sum % 2;
}

const Goal& LayerSearch::checked(const Goal& goal) {
  if (goal.cells() > kMaxCells) {
    throw std::invalid_argument("exact tables are for boards of at most " +
                                std::to_string(kMaxCells) + " cells, not " +
                                std::to_string(goal.cells()));
  }
  return goal;
}

LayerSearch::LayerSearch(const Goal& goal) : goal_(checked(goal)), ranking_(goal) {
  for (std::size_t upper = 0; upper + goal.cols() < goal.cells(); ++upper) {
    vertical_.emplace_back(goal, ranking_, upper);
  }
}

std::vector<std::uint64_t> LayerSearch::run(std::int64_t threads, Heartbeat& heart,
                                            const Visit& visit, int last) {
  const BoardSet none((ranking_.boards_per_blank() + 63) / 64, 0);
  near_.assign(checked_threads(threads), none);
  layer_.assign(goal_.cells(), none);
  const Tiles start = goal_.tiles();
  const std::size_t blank = goal_.blank();
  insert(layer_[blank], ranking_.rank(start.data()) - blank * ranking_.boards_per_blank());
  visit(0, blank, layer_[blank]);
  std::vector<std::uint64_t> counts{1};
  while (static_cast<int>(counts.size()) <= last) {
    const std::uint64_t count = advance(static_cast<int>(counts.size()), heart, visit);
    if (count == 0) break;
    counts.push_back(count);
  }
  return counts;
}

std::vector<std::size_t> LayerSearch::cells_at(int distance) const {
  const auto colour = [&](std::size_t cell) { return goal_.row(cell) + goal_.col(cell); };
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
    const std::size_t differs = colour(cell) + colour(goal_.blank());
    if ((differs + static_cast<std::size_t>(distance)) % 2 == 0) cells.push_back(cell);
  }
  return cells;
}

// The layer at this distance in place of the one two before it; the number of its boards.
std::uint64_t LayerSearch::advance(int distance, Heartbeat& heart, const Visit& visit) {
  heart.set_bounds(distance, 0);
  heart.beat();
  const std::vector<std::size_t> cells = cells_at(distance);
  std::atomic<std::uint64_t> found{0};
  share_out(heart, near_.size(), cells.size(), [&](std::size_t job, std::size_t thread) {
    const std::uint64_t boards = settle(distance, cells[job], near_[thread], visit);
    heart.count(boards);
    found += boards;
    if (thread == 0) heart.beat();
  });
  if (heart.halted()) throw Stopped("the search of all boards was stopped");
  return found;
}

std::uint64_t LayerSearch::settle(int distance, std::size_t blank, BoardSet& near,
                                  const Visit& visit) {
  find_near(blank, near);
  BoardSet& boards = layer_[blank];
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    boards[i] = near[i] & ~boards[i];
    count += static_cast<std::uint64_t>(std::popcount(boards[i]));
  }
  if (count > 0) visit(distance, blank, boards);
  return count;
}

// All boards with the blank there that are a move away from the layer.
void LayerSearch::find_near(std::size_t blank, BoardSet& near) const {
  std::fill(near.begin(), near.end(), 0);
  const std::size_t cols = goal_.cols();
  if (goal_.row(blank) > 0) vertical_[blank - cols].add_down(layer_[blank - cols], near);
  if (goal_.row(blank) + 1 < goal_.rows()) vertical_[blank].add_up(layer_[blank + cols], near);
  // A tile that slides along its row stays in place among the others.
  if (goal_.col(blank) > 0) add_all(layer_[blank - 1], near);
  if (goal_.col(blank) + 1 < cols) add_all(layer_[blank + 1], near);
}

}  // namespace taquin
