#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "slides.h"

namespace taquin {

// Lower bounds in the multi-tile metric. Two slides along one line are no better than one,
// so vertical and horizontal moves alternate, and every bound is for boards from which the
// next move has a given axis.

// The exact number of moves that bring some tiles and the blank to their cells.
class MultiPattern {
 public:
  static constexpr std::size_t kMostCells = 32;

  // Reads a hook in the calling thread only; throws Stopped when the heart halts.
  MultiPattern(const Goal& goal, std::vector<Tile> tiles, Heartbeat& heart, bool calling_thread);

  static unsigned bits_per_cell(const Goal& goal);
  // Of a pattern of so many tiles.
  static std::uint64_t bytes(const Goal& goal, std::size_t tiles);

  // An index holds the blank's cell in its lowest bits and then the cell of each tile.
  unsigned shift(Tile tile) const;  // kAbsent for tiles of no interest
  static constexpr unsigned kAbsent = 32;
  const std::uint8_t* distances(Axis next) const { return distances_[next].data(); }

 private:
  using Layer = std::vector<std::uint32_t>;

  void build(const Goal& goal, Heartbeat& heart, bool calling_thread);
  void expand(const Slides& slides, std::uint32_t index, Axis axis, std::uint8_t distance,
              Layer& deeper);

  std::vector<Tile> tiles_;
  unsigned bits_;
  std::array<std::vector<std::uint8_t>, 2> distances_;  // by the axis of the next move
};

// The patterns of a goal that were built, for the searches to come. Several can use it at once.
class MultiTables {
 public:
  explicit MultiTables(const Goal& goal) : goal_(goal) {}

  const Goal& goal() const { return goal_; }
  // From the shelf, or else built; see MultiPattern.
  std::shared_ptr<const MultiPattern> obtain(const std::vector<Tile>& tiles, Heartbeat& heart,
                                             bool calling_thread);

 private:
  const Goal goal_;
  std::mutex mutex_;
  std::map<std::vector<Tile>, std::shared_ptr<const MultiPattern>> built_;
};

// What a bound may use: tables of at most so many bytes.
struct MultiMeans {
  MultiTables& tables;
  std::uint64_t most_bytes;
  std::size_t threads;
};

// The largest of several pattern distances. The patterns are tiles in reading order and
// tiles in column order; where the goal is its own mirror image, the latter are looked up
// in the tables of the former. `kLanes` is the most there can be.
template <std::size_t kLanes>
class PatternBound {
 public:
  using Value = std::array<std::uint32_t, kLanes>;  // an index into each table

  // The means must suffice for this.
  static std::uint64_t least_bytes(const Goal& goal);
  PatternBound(const Goal& goal, const MultiMeans& means, Heartbeat& heart);

  // Replaces the tables by larger ones, if there are any that fit.
  bool grow(const MultiMeans& means, Heartbeat& heart);

  Value start(const Tiles& tiles) const;
  Value after(Value value, Direction direction, Tile tile, std::size_t) const {
    const Value& change = changes_[direction][tile];
    for (std::size_t lane = 0; lane < kLanes; ++lane) value[lane] += change[lane];
    return value;
  }
  std::int64_t distance(const Value& value, Axis next) const {
    return std::max(most<0>(value, next), most<kLanes / 2>(value, next));
  }
  bool within(const Value& value, Axis next, std::int64_t limit) const {
    return most<0>(value, next) <= limit && most<kLanes / 2>(value, next) <= limit;
  }

 private:
  struct Lane {
    std::shared_ptr<const MultiPattern> pattern;
    bool mirrored;
  };

  // Of half the lanes. Looking at each before the next one would take more time than it saves.
  template <std::size_t first>
  std::int64_t most(const Value& value, Axis next) const {
    std::uint8_t found = 0;
    for (std::size_t lane = first; lane < first + kLanes / 2; ++lane) {
      found = std::max(found, tables_[next][lane][value[lane]]);
    }
    return found;
  }
  static std::vector<std::vector<Tile>> choose(const Goal& goal, unsigned index_bits);
  bool build(unsigned index_bits, const MultiMeans& means, Heartbeat& heart);
  void prepare_lookups();
  Tile tile_in(const Lane& lane, Tile tile) const;
  std::size_t cell_in(const Lane& lane, std::size_t cell) const;

  const Goal goal_;
  std::size_t pattern_size_ = 0;
  std::uint64_t bytes_ = 0;  // of all tables that it asked for
  std::vector<Lane> lanes_;
  std::array<std::array<const std::uint8_t*, kLanes>, 2> tables_{};
  std::array<std::vector<Value>, kDirections> changes_;  // by the tile that slides
};

// For boards too large for patterns: a move brings at most a line of tiles one step nearer.
class ReachBound {
 public:
  struct Value {
    std::array<std::int64_t, 2> steps;  // of all tiles, along each axis
  };

  explicit ReachBound(const Goal& goal);
  ReachBound(const Goal& goal, const MultiMeans&, Heartbeat&) : ReachBound(goal) {}

  bool grow(const MultiMeans&, Heartbeat&) { return false; }

  Value start(const Tiles& tiles) const;
  Value after(Value value, Direction direction, Tile tile, std::size_t source) const;
  std::int64_t distance(const Value& value, Axis next) const {
    const std::int64_t own = moves(value, next);
    const std::int64_t other = moves(value, 1 - next);
    return std::max({std::int64_t{0}, 2 * own - 1, 2 * other});
  }
  bool within(const Value& value, Axis next, std::int64_t most) const {
    return distance(value, next) <= most;
  }

 private:
  std::int64_t moves(const Value& value, Axis axis) const {
    return (value.steps[axis] + most_tiles_[axis] - 1) / most_tiles_[axis];
  }

  const Goal goal_;
  std::array<std::int64_t, 2> most_tiles_;
};

}  // namespace taquin
