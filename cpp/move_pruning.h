#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"

namespace taquin {

// An automaton that reads the moves of a path and forbids the next one where it would end a
// sequence that another, smaller one replaces: shorter, or as long and tried
// before it in the search order. The other must lead to the same board and keep the
// blank within the same rectangle, so that it can be made wherever the forbidden one can.
// Replacing makes a path smaller, which has an end: the first shortest path is never forbidden.
// States after which the same sequences are allowed are one.
// (Taylor and Korf, Pruning duplicate nodes in depth-first search, 1993.)
class MovePruning {
 public:
  using State = std::uint16_t;
  static constexpr State kStart = 0;
  static constexpr State kForbidden = 0xffff;
  static constexpr std::size_t kMostMoves = 14;

  // Knows all sequences of at most so many moves. Nine times as long are made for two moves more.
  explicit MovePruning(std::size_t moves);
  // The one that knows most, which was made when the core was built.
  MovePruning();

  std::size_t states() const { return next_.size(); }
  State after(State state, Direction direction) const { return next_[state][direction]; }
  // The directions, as bits, that are not forbidden.
  unsigned allowed(State state) const { return allowed_[state]; }
  // Both for all states.
  const std::uint8_t* allowed() const { return allowed_.data(); }
  const std::array<State, kDirections>* next() const { return next_.data(); }

  bool operator==(const MovePruning&) const = default;

 private:
  std::vector<std::uint8_t> allowed_;
  std::vector<std::array<State, kDirections>> next_;
};

}  // namespace taquin
