#include "walking.h"

#include <algorithm>
#include <limits>
#include <string>

namespace taquin {

namespace {

constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
// A state's number has 24 bits in an entry.
constexpr std::uint64_t kMostStates = (1U << 24U) - 1U;
constexpr std::size_t kMostLines = 32;

// Counts the ways to fill lines x lines matrices with given sums, up to a limit, so
// that a table which would not fit is refused before any work on it.
class MatrixCounter {
 public:
  MatrixCounter(std::size_t lines, std::uint64_t limit) : lines_(lines), limit_(limit) {}

  std::uint64_t count(std::vector<std::size_t> row_sums, std::vector<std::size_t> column_sums) {
    rows_ = std::move(row_sums);
    columns_ = std::move(column_sums);
    found_ = 0;
    fill(0, 0, rows_[0]);
    return found_;
  }

 private:
  void fill(std::size_t row, std::size_t column, std::size_t left) {
    if (found_ > limit_) return;
    if (row + 1 == lines_) {
      ++found_;  // what is left of the columns is the last row
      return;
    }
    if (column + 1 == lines_) {
      if (left > columns_[column]) return;
      columns_[column] -= left;
      fill(row + 1, 0, rows_[row + 1]);
      columns_[column] += left;
      return;
    }
    const std::size_t most = std::min(left, columns_[column]);
    columns_[column] -= most;
    for (std::size_t number = most;; --number) {
      fill(row, column + 1, left - number);
      ++columns_[column];
      if (number == 0) break;
    }
    --columns_[column];
  }

  std::size_t lines_;
  std::uint64_t limit_;
  std::uint64_t found_ = 0;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> columns_;
};

std::uint64_t count_states(std::size_t lines, std::size_t line_size, std::size_t blank_line,
                           std::uint64_t limit) {
  if (line_size == 1) return lines;
  std::vector<std::size_t> goal_sums(lines, line_size);
  --goal_sums[blank_line];
  std::uint64_t states = 0;
  for (std::size_t line = 0; line < lines && states <= limit; ++line) {
    std::vector<std::size_t> sums(lines, line_size);
    --sums[line];
    states += MatrixCounter(lines, limit - states).count(std::move(sums), goal_sums);
  }
  return states;
}

}  // namespace

LineTable::LineTable(std::size_t lines, std::size_t line_size, std::size_t blank_line,
                     Heartbeat& heart, std::uint64_t max_states)
    : lines_(lines), line_size_(line_size), key_size_(lines * lines + 1) {
  max_states = std::min(max_states, kMostStates);
  if (lines == 1) {
    next_.assign(2, 0);
    entries_.assign(1, 0);
    return;
  }
  if (lines > kMostLines || line_size > 255 ||
      count_states(lines, line_size, blank_line, max_states) > max_states) {
    refuse(max_states);
  }
  State goal(key_size_, 0);
  for (std::size_t line = 0; line < lines; ++line) {
    goal[line * lines + line] = static_cast<std::uint8_t>(line_size - (line == blank_line));
  }
  goal.back() = static_cast<std::uint8_t>(blank_line);
  build(std::move(goal), heart, max_states);
}

void LineTable::build(State goal, Heartbeat& heart, std::uint64_t max_states) {
  Pulse pulse(heart);
  buckets_.assign(1024, kEmpty);
  add(goal, 0, max_states);
  State state(key_size_);
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    const int depth = distance(entries_[index]) + 1;
    heart.set_bounds(depth, 0);
    if (!pulse.tick(static_cast<unsigned>(2 * lines_))) {
      throw Stopped("the walking distance table was stopped");
    }
    std::copy_n(key(index), key_size_, state.begin());
    const std::size_t blank = state.back();
    for (Direction direction = 0; direction < 2; ++direction) {
      if (direction == 0 ? blank + 1 == lines_ : blank == 0) continue;
      const std::size_t from = direction == 0 ? blank + 1 : blank - 1;
      for (std::size_t goal_line = 0; goal_line < lines_; ++goal_line) {
        std::uint8_t& leaving = state[from * lines_ + goal_line];
        std::uint8_t& entering = state[blank * lines_ + goal_line];
        if (leaving == 0) continue;
        --leaving;
        ++entering;
        state.back() = static_cast<std::uint8_t>(from);
        const Entry entry = add(state, depth, max_states);
        next_[index * 2 * lines_ + slot(direction, goal_line)] = entry;
        state.back() = static_cast<std::uint8_t>(blank);
        --entering;
        ++leaving;
      }
    }
  }
}

// The state's entry; a state not met before is stored with this distance.
LineTable::Entry LineTable::add(const State& state, int distance, std::uint64_t max_states) {
  const std::size_t place = bucket(state);
  if (buckets_[place] != kEmpty) return entries_[buckets_[place]];
  const auto index = static_cast<std::uint32_t>(entries_.size());
  if (index >= max_states || distance > 255) refuse(max_states);
  buckets_[place] = index;
  entries_.push_back(index << 8U | static_cast<Entry>(distance));
  keys_.insert(keys_.end(), state.begin(), state.end());
  next_.resize(next_.size() + 2 * lines_, kEmpty);
  if (entries_.size() * 2 > buckets_.size()) grow_buckets();
  return entries_.back();
}

std::size_t LineTable::bucket(const State& state) const {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::uint8_t byte : state) hash = (hash ^ byte) * 1099511628211U;
  const std::size_t mask = buckets_.size() - 1;
  std::size_t place = (hash ^ hash >> 32U) & mask;
  while (buckets_[place] != kEmpty &&
         !std::equal(state.begin(), state.end(), key(buckets_[place]))) {
    place = (place + 1) & mask;
  }
  return place;
}

void LineTable::grow_buckets() {
  buckets_.assign(buckets_.size() * 2, kEmpty);
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    buckets_[bucket(State(key(index), key(index) + key_size_))] = index;
  }
}

LineTable::Entry LineTable::find(const State& state) const {
  if (lines_ == 1) return entries_.front();
  const std::uint32_t index = buckets_[bucket(state)];
  if (index == kEmpty) throw std::invalid_argument("the board can't reach the goal");
  return entries_[index];
}

void LineTable::refuse(std::uint64_t max_states) const {
  throw WalkingTooLarge("the walking distance of " + std::to_string(lines_) + " lines of " +
                        std::to_string(line_size_) + " cells needs more than " +
                        std::to_string(max_states) + " states");
}

WalkingDistance::WalkingDistance(const Goal& goal, Heartbeat& heart, std::uint64_t max_states)
    : goal_(goal), row_lines_(goal, &Goal::row), column_lines_(goal, &Goal::col) {
  const std::size_t row = goal.row(goal.blank());
  const std::size_t col = goal.col(goal.blank());
  rows_ = std::make_shared<const LineTable>(goal.rows(), goal.cols(), row, heart, max_states);
  columns_ =
      goal.rows() == goal.cols() && row == col
          ? rows_
          : std::make_shared<const LineTable>(goal.cols(), goal.rows(), col, heart, max_states);
}

WalkingDistance::Lines::Lines(const Goal& goal, std::size_t (Goal::*line)(std::size_t) const) {
  for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
    of_cell.push_back(static_cast<std::uint16_t>((goal.*line)(cell)));
  }
  of_tile.push_back(0);
  for (std::size_t tile = 1; tile < goal.cells(); ++tile) {
    of_tile.push_back(of_cell[goal.cell_of(static_cast<Tile>(tile))]);
  }
}

LineTable::Entry WalkingDistance::entry(const LineTable& table, const Lines& lines,
                                        const Tiles& tiles) {
  LineTable::State state(table.lines() * table.lines() + 1, 0);
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    if (tiles[cell] == 0) {
      state.back() = static_cast<std::uint8_t>(lines.of_cell[cell]);
    } else {
      ++state[lines.of_cell[cell] * table.lines() + lines.of_tile[tiles[cell]]];
    }
  }
  return table.find(state);
}

std::size_t WalkingDistance::size() const {
  return rows_->size() + (columns_ == rows_ ? 0 : columns_->size());
}

}  // namespace taquin
