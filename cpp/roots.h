#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "move_pruning.h"

namespace taquin {

// A board from which a search dives, and the way to it.
struct Root {
  Tiles tiles;
  std::size_t blank;
  unsigned moves;  // as bits; the move back is left out
  std::string path;
  MovePruning::State state = MovePruning::kStart;  // after the path, for divers that prune moves
};

inline std::uint8_t direction_of(char letter) {
  return static_cast<std::uint8_t>(std::string_view(kLetters).find(letter));
}

// An order of roots at the same depth: those first that some ways pass.
class RootOrder {
 public:
  explicit RootOrder(const std::vector<Root>& roots)
      : depth_(roots.front().path.size()), seen_(roots.size()) {
    for (std::size_t i = 0; i < roots.size(); ++i) add(roots[i].path, i);
  }

  // Ways of a byte for each move to a root, one after the other.
  void pass(const std::vector<std::uint8_t>& ways) {
    for (std::size_t begin = 0; begin < ways.size(); begin += depth_) follow(&ways[begin]);
  }

  // The numbers of all roots, those that no way passed in the order before.
  std::vector<std::size_t> then(const std::vector<std::size_t>& before) {
    for (const std::size_t root : before) take(root);
    return std::move(order_);
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  // By moves, what comes after a board on the way to roots; after the last one, their numbers.
  using Branches = std::array<std::size_t, kDirections>;
  static constexpr Branches kNoBranches = {kNone, kNone, kNone, kNone};

  void add(std::string_view path, std::size_t root) {
    std::size_t here = 0;
    for (const char letter : path.substr(0, path.size() - 1)) {
      std::size_t& next = tree_[here][direction_of(letter)];
      if (next != kNone) {
        here = next;
      } else {
        here = next = tree_.size();
        tree_.push_back(kNoBranches);
      }
    }
    tree_[here][direction_of(path.back())] = root;
  }

  void follow(const std::uint8_t* way) {
    std::size_t here = 0;
    for (std::size_t i = 0; i < depth_ && here != kNone; ++i) here = tree_[here][way[i]];
    if (here != kNone) take(here);
  }

  void take(std::size_t root) {
    if (!seen_[root]) order_.push_back(root);
    seen_[root] = true;
  }

  const std::size_t depth_;
  std::vector<Branches> tree_{kNoBranches};
  std::vector<std::size_t> order_;
  std::vector<bool> seen_;
};

// The tree of a search, whose subtrees can be searched apart: by threads, after a checkpoint, or on
// other machines. It is the same for the same board and goal, and for the same automaton if moves
// are pruned.
class SearchTree {
 public:
  // So many roots, or a little more, are enough for anyone who shares a long search.
  static constexpr std::size_t kManyRoots = 20000;
  // Of large boards there are fewer, for the memory that all their tiles take.
  static constexpr std::size_t kMostTiles = std::size_t{1} << 22U;

  SearchTree(const Goal& goal, const MovePruning* pruning) : goal_(goal), pruning_(pruning) {}

  Root start(const Tiles& tiles) const {
    const std::size_t blank = blank_cell(tiles);
    return {tiles, blank, goal_.moves(blank), ""};
  }

  // The root at the end of a path; std::invalid_argument if the tree has none there.
  Root at(const Tiles& tiles, std::string_view path) const {
    Root root = start(tiles);
    for (const char letter : path) {
      const Direction direction = direction_of(letter);
      if (direction >= kDirections || (root.moves >> direction & 1U) == 0) {
        throw std::invalid_argument("this search has no subtree " + std::string(path));
      }
      root = child(root, direction);
    }
    return root;
  }

  // Whether a dive may go such a way, a byte for each move, from where the blank is.
  bool goes(std::size_t blank, std::span<const std::uint8_t> way) const {
    MovePruning::State state = MovePruning::kStart;
    unsigned moves = goal_.moves(blank);
    for (const std::uint8_t direction : way) {
      if (direction >= kDirections || (moves >> direction & 1U) == 0) return false;
      blank = goal_.source(blank, direction);
      moves = moves_after(direction, blank, state);
    }
    return true;
  }

  struct Roots {
    std::vector<Root> all;
    bool solved = false;  // then the first one is the goal, and none was nearer
  };

  // Boards some moves away, as many as are enough if possible: every shortest solution passes one.
  // They are in the order in which a dive would come to them.
  Roots split(const Tiles& tiles, std::size_t enough, Pulse& pulse) const {
    enough = std::min(enough, kMostTiles / goal_.cells());
    Roots roots{{start(tiles)}};
    std::set<Tiles> seen{tiles};
    const Tiles solved = goal_.tiles();
    for (std::size_t depth = 0; depth < kDeepestSplit && roots.all.size() < enough; ++depth) {
      std::vector<Root> deeper;
      for (Root& root : roots.all) {
        if (root.tiles == solved) return {{std::move(root)}, true};
        if (!pulse.look() || !pulse.tick(static_cast<unsigned>(std::popcount(root.moves)))) {
          return roots;
        }
        expand(root, seen, deeper);
      }
      roots.all = std::move(deeper);
    }
    return roots;
  }

  // What is left of a subtree when a dive has stopped at the end of a path: that board, and what
  // comes after the boards on the way to it. As paths.
  std::vector<std::string> rest(const Root& root, std::string_view path) const {
    std::vector<std::string> after;
    Root here = root;
    for (const char letter : path.substr(root.path.size())) {
      const Direction taken = direction_of(letter);
      bool passed = false;
      std::vector<std::string> siblings;
      for (const Direction direction : kSearchOrder) {
        if (passed && (here.moves >> direction & 1U)) {
          siblings.push_back(here.path + kLetters[direction]);
        }
        passed = passed || direction == taken;
      }
      // What is deeper comes first.
      after.insert(after.begin(), siblings.begin(), siblings.end());
      here = child(here, taken);
    }
    after.insert(after.begin(), here.path);
    return after;
  }

 private:
  static constexpr std::size_t kDeepestSplit = 40;

  // Where moves are pruned, the roots must be those of the pruned tree, with duplicates: which
  // of them is left out below another one depends on the way there.
  void expand(const Root& root, std::set<Tiles>& seen, std::vector<Root>& deeper) const {
    for (const Direction direction : kSearchOrder) {
      if ((root.moves >> direction & 1U) == 0) continue;
      Root next = child(root, direction);
      if (pruning_ != nullptr || seen.insert(next.tiles).second) deeper.push_back(std::move(next));
    }
  }

  Root child(const Root& root, Direction direction) const {
    const std::size_t source = goal_.source(root.blank, direction);
    Root next{root.tiles, source, 0, root.path + kLetters[direction], root.state};
    std::swap(next.tiles[root.blank], next.tiles[source]);
    next.moves = moves_after(direction, source, next.state);
    return next;
  }

  // The moves that a dive may make then, with the blank there; brings the state up to date.
  unsigned moves_after(Direction direction, std::size_t blank, MovePruning::State& state) const {
    const unsigned moves = goal_.moves(blank) & ~(1U << opposite(direction));
    if (pruning_ == nullptr) return moves;
    state = pruning_->after(state, direction);
    return moves & pruning_->allowed(state);
  }

  const Goal& goal_;
  const MovePruning* const pruning_;
};

}  // namespace taquin
