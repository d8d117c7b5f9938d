#include "polish.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace taquin {

namespace {

Direction direction_of(char letter) {
  return static_cast<Direction>(std::string_view(kLetters).find(letter));
}

class Polisher {
 public:
  Polisher(const Goal& goal, const Tiles& tiles, std::size_t window, std::uint64_t nodes,
           Heartbeat& heart)
      : goal_(goal),
        size_(window),
        nodes_(nodes),
        pulse_(heart),
        front_(tiles),
        front_blank_(blank_cell(tiles)),
        back_(tiles),
        back_blank_(front_blank_),
        home_(tiles.size()) {
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
      row_.push_back(static_cast<std::int32_t>(goal.row(cell)));
      col_.push_back(static_cast<std::int32_t>(goal.col(cell)));
      exits_.push_back(static_cast<std::uint8_t>(goal.moves(cell)));
      home_[tiles[cell]] = cell;
    }
  }

  std::string run(const std::string& moves) {
    std::size_t taken = 0;
    while (running_) {
      for (; window_.size() < size_ && taken < moves.size(); ++taken) push(moves[taken]);
      if (window_.size() < kShortest) break;
      if (!shorten()) pop(std::min(window_.size(), size_ / kOverlap));
    }
    return done_ + window_ + moves.substr(taken);
  }

 private:
  static constexpr std::size_t kShortest = 4;
  static constexpr std::size_t kOverlap = 4;

  // The window takes in one move at its end,
  void push(char letter) {
    const std::size_t source = goal_.source(back_blank_, direction_of(letter));
    const Tile tile = back_[source];
    std::swap(back_[back_blank_], back_[source]);
    home_[tile] = back_blank_;
    home_[0] = back_blank_ = source;
    window_.push_back(letter);
  }

  // and lets some go at its beginning.
  void pop(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t source = goal_.source(front_blank_, direction_of(window_[i]));
      std::swap(front_[front_blank_], front_[source]);
      front_blank_ = source;
    }
    done_.append(window_, 0, count);
    window_.erase(0, count);
  }

  std::int32_t distance(Tile tile, std::size_t cell) const {
    const std::size_t home = home_[tile];
    return std::abs(row_[home] - row_[cell]) + std::abs(col_[home] - col_[cell]);
  }

  // Only tiles that the window moves can have a way to go.
  std::int32_t whole_distance() {
    std::int32_t sum = 0;
    std::size_t blank = front_blank_;
    moved_.clear();
    for (const char letter : window_) {
      blank = goal_.source(blank, direction_of(letter));
      moved_.push_back(blank);
    }
    std::sort(moved_.begin(), moved_.end());
    moved_.erase(std::unique(moved_.begin(), moved_.end()), moved_.end());
    for (const std::size_t cell : moved_) {
      if (front_[cell] != 0) sum += distance(front_[cell], cell);
    }
    return sum;
  }

  bool shorten() {
    const std::int32_t all = whole_distance();
    const auto budget = static_cast<std::int32_t>(window_.size()) - 2 - all;
    if (budget < 0) return false;
    left_ = nodes_;
    way_.clear();
    if (!dive(front_blank_, kDirections, all, static_cast<std::int32_t>(window_.size()) - 2)) {
      return false;
    }
    window_ = way_;
    return true;
  }

  // Leaves the board as it was.
  bool dive(std::size_t blank, Direction last, std::int32_t far, std::int32_t allowed) {
    if (far == 0 && blank == back_blank_) return true;
    unsigned exits = exits_[blank];
    if (last != kDirections) exits &= ~(1U << opposite(last));
    if (left_ == 0) return false;
    --left_;
    if (!pulse_.tick(static_cast<unsigned>(std::popcount(exits)))) {
      running_ = false;
      left_ = 0;
      return false;
    }
    for (; exits != 0; exits &= exits - 1) {
      const auto direction = static_cast<Direction>(std::countr_zero(exits));
      const std::size_t source = goal_.source(blank, direction);
      const Tile tile = front_[source];
      const std::int32_t next = far + distance(tile, blank) - distance(tile, source);
      if (next > allowed - 1) continue;
      way_.push_back(kLetters[direction]);
      std::swap(front_[blank], front_[source]);
      const bool found = dive(source, direction, next, allowed - 1);
      std::swap(front_[blank], front_[source]);
      if (found) return true;
      way_.pop_back();
    }
    return false;
  }

  const Goal& goal_;
  const std::size_t size_;
  const std::uint64_t nodes_;
  Pulse pulse_;
  Tiles front_;  // the board where the window begins
  std::size_t front_blank_;
  Tiles back_;  // and where it ends
  std::size_t back_blank_;
  std::vector<std::size_t> home_;  // of each tile, in the board where the window ends
  std::vector<std::int32_t> row_, col_;
  std::vector<std::uint8_t> exits_;
  std::string done_, window_, way_;
  std::vector<std::size_t> moved_;
  std::uint64_t left_ = 0;
  bool running_ = true;
};

}  // namespace

std::string polish(const Goal& goal, const Tiles& tiles, const std::string& moves,
                   std::size_t window, std::uint64_t nodes, Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  return Polisher(goal, tiles, window, nodes, heart).run(moves);
}

}  // namespace taquin
