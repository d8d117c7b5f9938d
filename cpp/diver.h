#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "board.h"
#include "deepening.h"
#include "heartbeat.h"
#include "roots.h"

namespace taquin {

// Two ways to hold the board of a dive. Small boards travel with each stack frame;
// of a large one there is a single copy, which enter() moves to the next frame.

class PackedBoards {
 public:
  using Board = std::uint64_t;  // four bits for each cell
  using Cell = std::uint16_t;
  static constexpr std::size_t kMaxCells = 16;

  Board start(const Tiles& tiles, std::uint32_t) {
    Board board = 0;
    for (std::size_t cell = tiles.size(); cell-- > 0;) board = board << 4U | tiles[cell];
    return board;
  }
  void enter(std::uint32_t, std::uint32_t) {}
  Tile tile(Board board, std::uint32_t cell) const {
    return static_cast<Tile>(board >> 4U * cell & 15U);
  }
  Board slide(Board board, Tile tile, std::uint32_t source, std::uint32_t blank) const {
    const std::uint64_t bits = tile;
    return board ^ bits << 4U * source ^ bits << 4U * blank;
  }
};

class SharedBoard {
 public:
  struct Board {};
  using Cell = std::uint32_t;

  Board start(const Tiles& tiles, std::uint32_t blank) {
    tiles_ = tiles;
    trail_.assign(1, blank);
    return {};
  }
  // Goes back to the parent, at depth - 1, and on to the board with the blank here.
  void enter(std::uint32_t depth, std::uint32_t blank) {
    if (depth == 0) return;
    while (trail_.size() > depth) {
      const std::uint32_t left = trail_.back();
      trail_.pop_back();
      tiles_[left] = tiles_[trail_.back()];
    }
    tiles_[trail_.back()] = tiles_[blank];
    trail_.push_back(blank);
  }
  Tile tile(Board, std::uint32_t cell) const { return tiles_[cell]; }
  Board slide(Board, Tile, std::uint32_t, std::uint32_t) const { return {}; }

 private:
  Tiles tiles_;
  std::vector<std::uint32_t> trail_;  // the blank's cells from the root to here
};

// Depth-first search below a root for the goal. Boards with an allowed h wait on an explicit stack:
// solutions of large boards have hundreds of thousands of moves, too many for recursion.
template <class Heuristic, class Boards>
class Diver {
 public:
  using Value = typename Heuristic::Value;

  Diver(const Goal& goal, const Heuristic& heuristic)
      : heuristic_(heuristic), cols_(static_cast<std::uint32_t>(goal.cols())) {
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      moves_.push_back(static_cast<std::uint8_t>(goal.moves(cell)));
    }
  }

  // The distance to the goal, at least.
  std::int64_t begin(const Tiles& tiles) const {
    return heuristic_.distance(heuristic_.start(tiles));
  }

  // True when it found the goal; false also when the pulse told it to stop.
  bool dive(const Root& root, const Allowance& allowance, Pulse& pulse) {
    const Value value = heuristic_.start(root.tiles);
    const std::size_t depth = root.path.size();
    if (heuristic_.distance(value) > allowance[depth]) return false;
    allowance_ = allowance.data() + depth;
    prefix_ = root.path;
    const auto blank = static_cast<std::uint32_t>(root.blank);
    stack_.resize(kRoom);
    stack_[0] = {value,
                 boards_.start(root.tiles, blank),
                 0,
                 static_cast<typename Boards::Cell>(blank),
                 static_cast<std::uint8_t>(root.moves),
                 0};
    return search(pulse);
  }

  // The letters from the start to the goal, or to the board where the pulse told it to stop.
  std::string path() const { return prefix_ + path_; }

  // What a dive from a root has left when the pulse told it to stop.
  std::vector<std::string> rest(const SearchTree& tree, const Root& root) const {
    return tree.rest(root, path());
  }

 private:
  struct Frame {
    Value value;
    [[no_unique_address]] typename Boards::Board board;
    std::uint32_t depth;
    typename Boards::Cell blank;
    std::uint8_t moves;
    std::uint8_t last;  // the move that led here
  };
  static constexpr std::size_t kRoom = 1024;

  bool search(Pulse& pulse) {
    for (std::size_t size = 1; size > 0;) {
      if (stack_.size() < size + kDirections) stack_.resize(2 * stack_.size());
      Frame* const top = stack_.data() + size - 1;
      const Frame frame = *top;
      boards_.enter(frame.depth, frame.blank);
      record(frame);
      if (heuristic_.distance(frame.value) == 0) {
        path_.resize(frame.depth);
        return true;
      }
      if (!pulse.tick(kChildren[frame.moves])) {
        path_.resize(frame.depth);
        return false;
      }
      size = static_cast<std::size_t>(expand(frame, top) - stack_.data());
    }
    return false;
  }

  void record(const Frame& frame) {
    if (frame.depth == 0) return;
    if (path_.size() < frame.depth) path_.resize(2 * std::size_t{frame.depth});
    path_[frame.depth - 1] = kLetters[frame.last];
  }

  // Puts the children within the budget on the stack. One jump to code without
  // branches: what moves there are can't be predicted.
  Frame* expand(const Frame& frame, Frame* top) const {
    switch (frame.moves) {
      case 1:
        return push<1>(frame, top);
      case 2:
        return push<2>(frame, top);
      case 3:
        return push<3>(frame, top);
      case 4:
        return push<4>(frame, top);
      case 5:
        return push<5>(frame, top);
      case 6:
        return push<6>(frame, top);
      case 7:
        return push<7>(frame, top);
      case 8:
        return push<8>(frame, top);
      case 9:
        return push<9>(frame, top);
      case 10:
        return push<10>(frame, top);
      case 11:
        return push<11>(frame, top);
      case 12:
        return push<12>(frame, top);
      case 13:
        return push<13>(frame, top);
      case 14:
        return push<14>(frame, top);
      case 15:
        return push<15>(frame, top);
      default:
        return top;
    }
  }

  // The last one on the stack comes first.
  template <unsigned moves>
  [[gnu::always_inline]] Frame* push(const Frame& frame, Frame* top) const {
    top = push_if<moves, kSearchOrder[3]>(frame, top);
    top = push_if<moves, kSearchOrder[2]>(frame, top);
    top = push_if<moves, kSearchOrder[1]>(frame, top);
    return push_if<moves, kSearchOrder[0]>(frame, top);
  }

  template <unsigned moves, Direction direction>
  [[gnu::always_inline]] Frame* push_if(const Frame& frame, Frame* top) const {
    if constexpr ((moves >> direction & 1U) != 0) return push_child<direction>(frame, top);
    return top;
  }

  template <Direction direction>
  [[gnu::always_inline]] Frame* push_child(const Frame& frame, Frame* top) const {
    const std::uint32_t step = direction < 2 ? cols_ : 1;
    const std::uint32_t source = direction & 1U ? frame.blank - step : frame.blank + step;
    const Tile tile = boards_.tile(frame.board, source);
    const Value value = heuristic_.after(frame.value, direction, tile, source);
    *top = {value,
            boards_.slide(frame.board, tile, source, frame.blank),
            frame.depth + 1,
            static_cast<typename Boards::Cell>(source),
            static_cast<std::uint8_t>(moves_[source] & ~(1U << opposite(direction))),
            direction};
    return top + (heuristic_.distance(value) <= allowance_[frame.depth + 1] ? 1 : 0);
  }

  static constexpr unsigned kChildren[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

  const Heuristic& heuristic_;
  const std::uint32_t cols_;
  std::vector<std::uint8_t> moves_;
  Boards boards_;
  std::vector<Frame> stack_;
  const std::int32_t* allowance_ = nullptr;
  std::string prefix_;
  std::string path_;
};

}  // namespace taquin
