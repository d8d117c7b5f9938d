#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "board.h"
#include "heartbeat.h"

namespace taquin {

class WalkingTooLarge : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Takahashi's walking distance along one axis. A board is reduced to how many tiles
// of each goal line stand in each line, and the blank's line; the distance is the
// least number of moves across lines that puts all counts right.
class LineTable {
 public:
  // What a search carries along: a state's number and, in the low byte, its distance.
  using Entry = std::uint32_t;
  static int distance(Entry entry) { return static_cast<int>(entry & 0xFFU); }

  LineTable(std::size_t lines, std::size_t line_size, std::size_t blank_line, Heartbeat& heart,
            std::uint64_t max_states);

  std::size_t lines() const { return lines_; }
  std::size_t size() const { return entries_.size(); }

  // `counts` holds lines x goal lines numbers; std::invalid_argument if never reached.
  Entry find(const std::vector<std::uint8_t>& counts, std::size_t blank_line) const;

  // Where to look for the state after a tile of `goal_line` crossed into the blank's
  // line: towards lower lines (an even direction) or towards higher ones (an odd one).
  std::size_t slot(Direction direction, std::size_t goal_line) const {
    return (direction & 1U) * lines_ + goal_line;
  }
  Entry after(Entry entry, std::size_t slot) const {
    return next_[(entry >> 8U) * 2 * lines_ + slot];
  }

 private:
  using State = std::vector<std::uint8_t>;  // the counts, then the blank's line

  void build(State goal, Heartbeat& heart, std::uint64_t max_states);
  Entry add(const State& state, int distance, std::uint64_t max_states);
  std::size_t bucket(const State& state) const;
  void grow_buckets();
  const std::uint8_t* key(std::size_t index) const { return keys_.data() + index * key_size_; }
  [[noreturn]] void refuse(std::uint64_t max_states) const;

  std::size_t lines_;
  std::size_t line_size_;
  std::size_t key_size_;
  std::vector<Entry> entries_;
  std::vector<Entry> next_;
  std::vector<std::uint8_t> keys_;
  std::vector<std::uint32_t> buckets_;
};

// The walking distance of a board: its vertical and its horizontal part.
class WalkingDistance {
 public:
  static constexpr std::uint64_t kMaxStates = 2'000'000;

  // Throws WalkingTooLarge when a table needs more states, Stopped if the hook stops it.
  WalkingDistance(const Goal& goal, Heartbeat& heart, std::uint64_t max_states = kMaxStates);

  const Goal& goal() const { return goal_; }
  const LineTable& row_table() const { return *rows_; }
  const LineTable& column_table() const { return *columns_; }
  std::size_t size() const;

  LineTable::Entry row_entry(const Tiles& tiles) const;
  LineTable::Entry column_entry(const Tiles& tiles) const;

 private:
  Goal goal_;
  std::shared_ptr<const LineTable> rows_;
  std::shared_ptr<const LineTable> columns_;  // the same as rows_ where both are alike
};

}  // namespace taquin
