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

  using State = std::vector<std::uint8_t>;  // lines x goal lines counts, then the blank's line
  // Throws std::invalid_argument for a state that the goal can't reach.
  Entry find(const State& state) const;

  // Where to look for the state after a tile of `goal_line` crossed into the blank's
  // line: towards lower lines (an even direction) or towards higher ones (an odd one).
  std::size_t slot(Direction direction, std::size_t goal_line) const {
    return (direction & 1U) * lines_ + goal_line;
  }
  Entry after(Entry entry, std::size_t slot) const {
    return next_[(entry >> 8U) * 2 * lines_ + slot];
  }

 private:
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

  LineTable::Entry row_entry(const Tiles& tiles) const { return entry(*rows_, row_lines_, tiles); }
  LineTable::Entry column_entry(const Tiles& tiles) const {
    return entry(*columns_, column_lines_, tiles);
  }

 private:
  // The line of each cell, and of each tile's home.
  struct Lines {
    Lines(const Goal& goal, std::size_t (Goal::*line)(std::size_t) const);
    std::vector<std::uint16_t> of_cell;
    std::vector<std::uint16_t> of_tile;
  };
  static LineTable::Entry entry(const LineTable& table, const Lines& lines, const Tiles& tiles);

  Goal goal_;
  Lines row_lines_;
  Lines column_lines_;
  std::shared_ptr<const LineTable> rows_;
  std::shared_ptr<const LineTable> columns_;  // the same as rows_ where both are alike
};

}  // namespace taquin
