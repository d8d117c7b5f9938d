#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "idastar.h"

namespace taquin {

inline std::uint64_t bytes_of(const Pattern& pattern) {
  return PatternTable::bytes(PatternSpace(pattern.rows, pattern.cols, pattern.homes.size()));
}

inline std::vector<std::uint8_t> built(const Pattern& pattern, std::size_t threads = 1) {
  Heartbeat heart;
  std::vector<std::uint8_t> bytes(bytes_of(pattern));
  PatternTable::build(pattern, bytes, threads, heart);
  return bytes;
}

// Partitions of a goal's tiles, given by their home cells, with tables built on the spot.
class PatternKit {
 public:
  using Cells = std::vector<std::int64_t>;

  PatternKit(const Goal& goal, const std::vector<std::vector<Cells>>& partitions)
      : goal_(goal), patterns_(goal, adopt(partitions)) {}
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
  std::vector<Partition> adopt(const std::vector<std::vector<Cells>>& partitions) {
    Cells same;
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      same.push_back(static_cast<std::int64_t>(cell));
    }
    std::vector<Partition> adopted;
    for (const auto& patterns : partitions) {
      Partition& partition = adopted.emplace_back();
      for (const Cells& cells : patterns) {
        std::vector<std::int64_t> tiles;
        for (const std::int64_t cell : cells) {
          tiles.push_back(goal_.tile_for(static_cast<std::size_t>(cell)));
        }
        partition.push_back({&build(cells), std::move(tiles), same});
      }
    }
    return adopted;
  }

  const PatternTable& build(const Cells& cells) {
    const Pattern pattern(goal_, cells);
    return tables_.emplace_back(pattern, bytes_.emplace_back(built(pattern)));
  }

  Goal goal_;
  std::deque<std::vector<std::uint8_t>> bytes_;
  std::deque<PatternTable> tables_;
  Patterns patterns_;
};

}  // namespace taquin
