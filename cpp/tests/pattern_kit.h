#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "idastar.h"

namespace taquin {

inline std::uint64_t bytes_of(const Pattern& pattern) {
  return PatternTable::bytes(pattern,
                             PatternSpace(pattern.rows, pattern.cols, pattern.homes.size()));
}

inline std::vector<std::uint8_t> built(const Pattern& pattern, std::size_t threads = 1) {
  Heartbeat heart;
  std::vector<std::uint8_t> bytes(bytes_of(pattern));
  PatternTable::build(pattern, bytes, threads, heart);
  return bytes;
}

// Partitions of a goal's tiles, given by their home cells, with tables built on the spot. They lie
// close together, as those of a process do that maps them from files.
class PatternKit {
 public:
  using Cells = std::vector<std::int64_t>;

  // If told, every second partition has tables of the board turned around.
  explicit PatternKit(const Goal& goal, const std::vector<std::vector<Cells>>& partitions,
                      bool turns = false)
      : goal_(goal), memory_(bytes_of(partitions)), patterns_(goal, adopt(partitions, turns)) {}
  PatternKit(const PatternKit&) = delete;

  const Goal& goal() const { return goal_; }
  const Patterns& patterns() const { return patterns_; }

  // Of one tile after the other as many as told, in reading order.
  static std::vector<Cells> cut(const Goal& goal, std::size_t tiles) {
    std::vector<Cells> partition;
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      if (cell == goal.blank()) continue;
      if (partition.empty() || partition.back().size() == tiles) partition.emplace_back();
      partition.back().push_back(static_cast<std::int64_t>(cell));
    }
    return partition;
  }

  // The same, column by column.
  static std::vector<Cells> cut_columns(const Goal& goal, std::size_t tiles) {
    std::vector<Cells> partition;
    for (std::size_t i = 0; i < goal.cells(); ++i) {
      const std::size_t cell = i % goal.rows() * goal.cols() + i / goal.rows();
      if (cell == goal.blank()) continue;
      if (partition.empty() || partition.back().size() == tiles) partition.emplace_back();
      Cells& cells = partition.back();
      const auto number = static_cast<std::int64_t>(cell);
      cells.insert(std::lower_bound(cells.begin(), cells.end(), number), number);
    }
    return partition;
  }

 private:
  std::vector<Partition> adopt(const std::vector<std::vector<Cells>>& partitions, bool turns) {
    std::vector<Partition> adopted;
    for (const auto& patterns : partitions) {
      const bool turned = turns && adopted.size() % 2 == 1;
      Partition& partition = adopted.emplace_back();
      for (const Cells& cells : patterns) partition.push_back(adopt(cells, turned));
    }
    return adopted;
  }

  PatternUse adopt(const Cells& cells, bool turned) {
    const auto last = static_cast<std::int64_t>(goal_.cells()) - 1;
    const auto there = [&](std::int64_t cell) { return turned ? last - cell : cell; };
    const auto blank = static_cast<std::int64_t>(goal_.blank());
    const Goal goal(static_cast<std::int64_t>(goal_.rows()),
                    static_cast<std::int64_t>(goal_.cols()), there(blank));
    Cells homes, tiles, all;
    for (const std::int64_t cell : cells) homes.push_back(there(cell));
    std::sort(homes.begin(), homes.end());
    for (const std::int64_t home : homes) {
      tiles.push_back(goal_.tile_for(static_cast<std::size_t>(there(home))));
    }
    for (std::int64_t cell = 0; cell <= last; ++cell) all.push_back(there(cell));
    return {&build(Pattern(goal, homes)), tiles, all};
  }

  static std::uint64_t rounded_up(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

  std::uint64_t bytes_of(const std::vector<std::vector<Cells>>& partitions) const {
    std::uint64_t bytes = 0;
    for (const auto& patterns : partitions) {
      for (const Cells& cells : patterns) {
        bytes += rounded_up(taquin::bytes_of(Pattern(goal_, cells)));
      }
    }
    return bytes;
  }

  const PatternTable& build(const Pattern& pattern) {
    Heartbeat heart;
    const std::span bytes(memory_.data() + used_, taquin::bytes_of(pattern));
    used_ += rounded_up(bytes.size());
    PatternTable::build(pattern, bytes, 1, heart);
    return tables_.emplace_back(pattern, bytes);
  }

  Goal goal_;
  std::vector<std::uint8_t> memory_;
  std::size_t used_ = 0;
  std::deque<PatternTable> tables_;
  Patterns patterns_;
};

}  // namespace taquin
