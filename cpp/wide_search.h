#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fringe.h"
#include "heartbeat.h"
#include "move_pruning.h"
#include "patterns.h"

namespace taquin {

namespace wide {
class Core;
}

// Depth-first search with two partitions that expands many boards at once. The moves of a board,
// in both partitions, are the lanes of a vector register; what all boards of a batch look up is
// asked of memory together; and a branch is foretold wrong once in a batch, not several times a
// board. It takes a processor with AVX2, and two boards to a register where that has registers of
// 512 bits. It ends a bound after the same boards as PatternDiver, in another order.
class WideSearch {
 public:
  static constexpr std::size_t kParts = 2;
  static constexpr std::size_t kMostPatterns = 4;  // of a partition
  static constexpr std::size_t kMostCells = 30;
  static constexpr std::int64_t kMostMoves = 128;  // that a bound may allow
  static constexpr std::size_t kNoteBytes = 136;   // that a fringe notes of each board

  // How many boards this processor's registers hold: two, one, or none if it can't search so.
  static std::size_t most_abreast();
  // Whether patterns can be searched so at all.
  static bool suits(const Patterns& patterns);

  // With so many boards in a register; std::invalid_argument if the processor has no such ones.
  WideSearch(const Patterns& patterns, const MovePruning& pruning, std::size_t abreast);
  WideSearch(WideSearch&&) noexcept;
  ~WideSearch();

  // A board to begin with. Patterns are numbered from 0 in the first partition and from
  // `kMostPatterns` in the second.
  struct Board {
    std::array<std::uint8_t, kMostCells> tiles{};
    std::size_t blank = 0;
    std::array<std::uint32_t, kParts * kMostPatterns> index{};
    std::array<std::uint32_t, kParts * kMostPatterns> count{};  // of the value down, modulo four
    std::array<std::int32_t, kParts> values{};
    MovePruning::State state = MovePruning::kStart;
    std::span<const std::uint8_t> path;
    std::uint16_t number = 0;  // that all boards below it have, too
  };

  // Forgets all boards; answers are to have at most `bound` moves. There will be so many numbers.
  void begin(std::int64_t bound, std::size_t numbers = 1);
  // std::length_error if they are more than some ten thousand.
  void add(const Board& board);
  // A board that a fringe has noted for this bound.
  void add(const std::uint8_t* note);
  // Adds the first moves of the way to it to others.
  static void spell(const std::uint8_t* note, std::size_t moves, std::vector<std::uint8_t>& ways);
  // Notes a board that is just beyond the bound.
  void keep(const Board& board, Fringe& fringe) const;

  enum class Outcome { found, none, stopped };
  // Searches below all boards that were added, and keeps those just beyond the bound.
  Outcome run(Pulse& pulse, Fringe& fringe);
  // How many boards of each number there were among some that were expanded.
  const std::vector<std::uint64_t>& sampled() const;
  // The way to the goal that was found, as directions.
  std::vector<std::uint8_t> path() const;
  // The ways to all boards that are still to be expanded, the next one first.
  std::vector<std::vector<std::uint8_t>> left() const;

 private:
  std::unique_ptr<wide::Core> core_;
};

}  // namespace taquin
