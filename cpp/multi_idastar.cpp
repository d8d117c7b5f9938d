#include "multi_idastar.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crew.h"

namespace taquin {

namespace {

constexpr std::size_t kRootsPerThread = 128;
constexpr std::size_t kDeepestSplit = 24;
// After an iteration of so many expansions, the next ones are worth the larger tables.
constexpr std::uint64_t kPatience = 4'000'000;

// A board from which a search dives, the axis of the next move and the way to it.
struct MultiRoot {
  Tiles tiles;
  Axis next;
  std::int64_t depth;
  std::string path;
};

// Depth-first search below a root for the goal, within a number of moves. The boards to
// visit wait on a stack; the board itself is moved from one to the next.
template <class Bound>
class MultiDiver {
 public:
  using Value = typename Bound::Value;

  MultiDiver(const Goal& goal, const Bound& bound) : slides_(goal), bound_(bound) {}

  // True when it found the goal; false also when the pulse told it to stop.
  bool dive(const MultiRoot& root, std::int64_t budget, Pulse& pulse) {
    const Value value = bound_.start(root.tiles);
    if (!bound_.within(value, root.next, budget)) return false;
    tiles_ = root.tiles;
    first_ = root.next;
    trail_.assign(1, static_cast<std::uint32_t>(blank_cell(tiles_)));
    stack_.assign(1, {value, 0, trail_.front()});
    while (!stack_.empty()) {
      const Frame frame = stack_.back();
      stack_.pop_back();
      enter(frame);
      const Axis next = axis_at(frame.depth);
      if (bound_.within(frame.value, next, 0)) return true;
      if (!pulse.tick(slides_.count(next, frame.blank))) return false;
      expand(frame, next, budget - frame.depth - 1);
    }
    return false;
  }

  // The letters from the root to the goal.
  std::string path() const {
    std::string letters;
    for (std::size_t i = 1; i < trail_.size(); ++i) {
      const Axis axis = axis_at(i - 1);
      const auto [low, high] = std::minmax(trail_[i - 1], trail_[i]);
      letters.append((high - low) / slides_.step(axis),
                     kLetters[Slides::direction(axis, trail_[i] == high)]);
    }
    return letters;
  }

 private:
  struct Frame {
    Value value;
    std::uint32_t depth;
    std::uint32_t blank;
  };

  Axis axis_at(std::size_t depth) const { return (first_ + depth) & 1U; }

  // Goes back to the parent, at depth - 1, and on to the board with the blank there.
  void enter(const Frame& frame) {
    if (frame.depth == 0) return;
    while (trail_.size() > frame.depth) {
      const std::size_t left = trail_.back();
      trail_.pop_back();
      slides_.slide(tiles_, axis_at(trail_.size() - 1), left, trail_.back());
    }
    slides_.slide(tiles_, axis_at(frame.depth - 1), trail_.back(), frame.blank);
    trail_.push_back(frame.blank);
  }

  void expand(const Frame& frame, Axis axis, std::int64_t left) {
    Value value = frame.value;
    slides_.for_each(
        axis, frame.blank, [&](Direction direction, std::size_t source, std::size_t run) {
          if (run == 1) value = frame.value;
          value = bound_.after(value, direction, tiles_[source], source);
          if (!bound_.within(value, 1 - axis, left)) return;
          stack_.push_back({value, frame.depth + 1, static_cast<std::uint32_t>(source)});
        });
  }

  const Slides slides_;
  const Bound& bound_;
  Axis first_ = 0;  // of the moves below the root
  Tiles tiles_;
  std::vector<std::uint32_t> trail_;  // the blank's cells from the root to here
  std::vector<Frame> stack_;
};

template <class Bound>
class MultiSearch {
 public:
  MultiSearch(const Goal& goal, const MultiMeans& means, Heartbeat& heart)
      : goal_(goal), slides_(goal), means_(means), heart_(heart), bound_(goal, means, heart) {
    for (std::size_t i = 0; i < means.threads; ++i) divers_.emplace_back(goal_, bound_);
  }

  Report run(const Tiles& tiles) {
    for (const Axis next : {0U, 1U}) roots_.push_back({tiles, next, 0, ""});
    lower_bound_ = least_distance(tiles);
    heart_.set_bounds(lower_bound_, lower_bound_);
    if (divers_.size() > 1) split();
    while (!report_.moves && !heart_.halted()) iterate();
    report_.settle(heart_, lower_bound_);
    return std::move(report_);
  }

 private:
  std::int64_t least_distance(const Tiles& tiles) {
    const auto least = [&](const auto& bound) {
      const auto value = bound.start(tiles);
      return std::min(bound.distance(value, 0), bound.distance(value, 1));
    };
    return std::max(least(bound_), least(ReachBound(goal_)));
  }

  void iterate() {
    heart_.set_bounds(lower_bound_, lower_bound_);
    const std::uint64_t before = heart_.expanded();
    share_out(heart_, divers_.size(), roots_.size(), [&](std::size_t job, std::size_t thread) {
      Pulse pulse(heart_, thread == 0 ? Pulse::Role::caller : Pulse::Role::worker);
      const MultiRoot& root = roots_[job];
      if (divers_[thread].dive(root, lower_bound_ - root.depth, pulse)) {
        answer(root.path + divers_[thread].path());
      }
    });
    const std::uint64_t expanded = heart_.expanded() - before;
    report_.iterations.emplace_back(lower_bound_, expanded);
    if (report_.moves || heart_.halted()) return;
    ++lower_bound_;
    if (expanded > kPatience) strengthen();
  }

  void strengthen() {
    try {
      bound_.grow(means_, heart_);
    } catch (const Stopped&) {
      // The heart has halted: what was found so far is reported.
    }
  }

  void answer(std::string moves) {
    const std::lock_guard lock(mutex_);
    if (!report_.moves) report_.moves = std::move(moves);
    heart_.finish();
  }

  // Replaces the roots by the boards some moves away, each of them once: every shortest
  // solution passes one.
  void split() {
    Pulse pulse(heart_);
    std::set<std::pair<Axis, Tiles>> seen;
    const std::size_t enough = kRootsPerThread * divers_.size();
    for (std::size_t depth = 0; depth < kDeepestSplit && roots_.size() < enough; ++depth) {
      std::vector<MultiRoot> deeper;
      for (const MultiRoot& root : roots_) {
        if (root.tiles == goal_.tiles()) {
          lower_bound_ = root.depth;  // breadth first: none is shorter
          return answer(root.path);
        }
        if (!pulse.tick(slides_.count(root.next, blank_cell(root.tiles)))) return;
        expand(root, seen, deeper);
      }
      roots_ = std::move(deeper);
    }
  }

  void expand(const MultiRoot& root, std::set<std::pair<Axis, Tiles>>& seen,
              std::vector<MultiRoot>& deeper) {
    const std::size_t blank = blank_cell(root.tiles);
    slides_.for_each(root.next, blank,
                     [&](Direction direction, std::size_t target, std::size_t run) {
                       Tiles tiles = root.tiles;
                       slides_.slide(tiles, root.next, blank, target);
                       if (!seen.emplace(1 - root.next, tiles).second) return;
                       deeper.push_back({std::move(tiles), 1 - root.next, root.depth + 1,
                                         root.path + std::string(run, kLetters[direction])});
                     });
  }

  const Goal& goal_;
  const Slides slides_;
  const MultiMeans means_;
  Heartbeat& heart_;
  Bound bound_;
  std::vector<MultiDiver<Bound>> divers_;
  std::vector<MultiRoot> roots_;
  std::int64_t lower_bound_ = 0;
  std::mutex mutex_;
  Report report_;
};

template <class Bound>
Report search(const Tiles& tiles, const MultiMeans& means, Heartbeat& heart) {
  try {
    return MultiSearch<Bound>(means.tables.goal(), means, heart).run(tiles);
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace

Report multi_idastar(const Tiles& tiles, MultiTables& tables, std::uint64_t most_bytes,
                     std::int64_t threads, Heartbeat& heart) {
  const Goal& goal = tables.goal();
  goal.require_reachable_from(tiles);
  const MultiMeans means{tables, most_bytes, checked_threads(threads)};
  if (goal.cells() <= 16 && PatternBound<8>::least_bytes(goal) <= most_bytes) {
    return search<PatternBound<8>>(tiles, means, heart);
  }
  if (goal.cells() <= MultiPattern::kMostCells &&
      PatternBound<16>::least_bytes(goal) <= most_bytes) {
    return search<PatternBound<16>>(tiles, means, heart);
  }
  return search<ReachBound>(tiles, means, heart);
}

}  // namespace taquin
