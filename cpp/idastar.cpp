#include "idastar.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <set>
#include <stdexcept>

#include "crew.h"
#include "diver.h"
#include "heuristics.h"

namespace taquin {

namespace {

// Above it a depth-first search gets lost in detours; its answers keep any looser promise.
constexpr double kMostWeight = 4.0;
constexpr std::size_t kRootsPerThread = 128;
constexpr std::size_t kDeepestSplit = 24;

// Rounding the weight down keeps the promise made for the real one.
Cost cost_of(double weight) {
  if (weight == 1.0) return {};
  constexpr std::int64_t step = std::int64_t{1} << 20U;
  return {step,
          static_cast<std::int64_t>(std::min(weight, kMostWeight) * static_cast<double>(step))};
}

template <class Heuristic, class Boards>
class Search {
 public:
  using Value = typename Heuristic::Value;

  Search(const Goal& goal, Heuristic heuristic, Cost cost, std::int64_t threads, Heartbeat& heart)
      : goal_(goal), heuristic_(std::move(heuristic)), cost_(cost), heart_(heart) {
    for (std::int64_t i = 0; i < threads; ++i) divers_.emplace_back(goal_, heuristic_, cost_);
  }

  Report run(const Tiles& tiles) {
    const std::size_t blank = blank_cell(tiles);
    const Value value = heuristic_.start(tiles);
    roots_.push_back({tiles, blank, value, goal_.moves(blank), ""});
    lower_bound_ = heuristic_.distance(value);
    announce();
    if (divers_.size() > 1) split();
    // A move changes g by one and h by one, so lengths differ by two. An answer of
    // length `lower_bound_` keeps f within weight * lower_bound_ all the way: when an
    // iteration finds none, the next length that can be right is two more.
    while (!report_.moves && !heart_.halted()) {
      announce();
      const std::uint64_t before = heart_.expanded();
      iterate();
      report_.iterations.emplace_back(threshold(), heart_.expanded() - before);
      if (!report_.moves && !heart_.halted()) lower_bound_ += 2;
    }
    report_.expanded = heart_.expanded();
    report_.generated = heart_.generated();
    report_.lower_bound = lower_bound_;
    report_.limit_reached = heart_.limit_reached();
    return std::move(report_);
  }

 private:
  std::int64_t threshold() const { return lower_bound_ * cost_.weight / cost_.step; }
  void announce() { heart_.set_bounds(threshold(), lower_bound_); }

  void iterate() {
    std::atomic<std::size_t> next{0};
    if (divers_.size() == 1) {
      Pulse pulse(heart_);
      take_roots(divers_.front(), next, pulse);
      return;
    }
    Crew crew(heart_, divers_.size() - 1, [&](std::size_t worker) {
      Pulse pulse(heart_, Pulse::Role::worker);
      take_roots(divers_[worker + 1], next, pulse);
    });
    {
      Pulse pulse(heart_);
      take_roots(divers_.front(), next, pulse);
    }
    crew.join();
  }

  void take_roots(Diver<Heuristic, Boards>& diver, std::atomic<std::size_t>& next, Pulse& pulse) {
    while (!heart_.halted()) {
      const std::size_t index = next++;
      if (index >= roots_.size()) return;
      const Root<Value>& root = roots_[index];
      const auto depth = static_cast<std::int64_t>(root.path.size());
      const std::int64_t budget = lower_bound_ * cost_.weight - depth * cost_.step;
      if (diver.dive(root, budget, pulse)) answer(root.path + diver.path());
    }
  }

  void answer(std::string moves) {
    const std::lock_guard lock(mutex_);
    if (!report_.moves) report_.moves = std::move(moves);
    heart_.finish();
  }

  // Replaces the one root by the boards some moves away, each of them once: every
  // shortest solution passes one.
  void split() {
    Pulse pulse(heart_);
    std::set<Tiles> seen{roots_.front().tiles};
    const std::size_t enough = kRootsPerThread * divers_.size();
    for (std::size_t depth = 0; depth < kDeepestSplit && roots_.size() < enough; ++depth) {
      std::vector<Root<Value>> deeper;
      for (const Root<Value>& root : roots_) {
        if (heuristic_.distance(root.value) == 0) {
          lower_bound_ = static_cast<std::int64_t>(depth);  // breadth first: none is shorter
          return answer(root.path);
        }
        if (!pulse.tick(static_cast<unsigned>(std::popcount(root.moves)))) return;
        expand(root, seen, deeper);
      }
      roots_ = std::move(deeper);
    }
    std::stable_sort(roots_.begin(), roots_.end(), [](const auto& a, const auto& b) {
      return Heuristic::distance(a.value) < Heuristic::distance(b.value);
    });
  }

  void expand(const Root<Value>& root, std::set<Tiles>& seen, std::vector<Root<Value>>& deeper) {
    for (unsigned moves = root.moves; moves != 0; moves &= moves - 1) {
      const auto direction = static_cast<Direction>(std::countr_zero(moves));
      const std::size_t source = goal_.source(root.blank, direction);
      Tiles tiles = root.tiles;
      std::swap(tiles[root.blank], tiles[source]);
      if (!seen.insert(tiles).second) continue;
      const Value value = heuristic_.after(root.value, direction, root.tiles[source], source);
      deeper.push_back({std::move(tiles), source, value,
                        goal_.moves(source) & ~(1U << opposite(direction)),
                        root.path + kLetters[direction]});
    }
  }

  const Goal& goal_;
  const Heuristic heuristic_;
  const Cost cost_;
  Heartbeat& heart_;
  std::vector<Diver<Heuristic, Boards>> divers_;
  std::vector<Root<Value>> roots_;
  std::int64_t lower_bound_ = 0;
  std::mutex mutex_;
  Report report_;
};

void check(const Goal& goal, const Tiles& tiles, const WalkingDistance* walking, double weight,
           std::int64_t threads) {
  goal.require_reachable_from(tiles);
  if (walking != nullptr && !(walking->goal() == goal)) {
    throw std::invalid_argument("the walking distance is for another shape or goal");
  }
  if (!(weight >= 1.0)) {
    throw std::invalid_argument("weight must be 1 or more, not " + std::to_string(weight));
  }
  checked_threads(threads);
}

template <class Heuristic>
Report search(const Goal& goal, const Tiles& tiles, Heuristic heuristic, Cost cost,
              std::int64_t threads, Heartbeat& heart) {
  if (goal.cells() <= PackedBoards::kMaxCells) {
    return Search<Heuristic, PackedBoards>(goal, std::move(heuristic), cost, threads, heart)
        .run(tiles);
  }
  return Search<Heuristic, SharedBoard>(goal, std::move(heuristic), cost, threads, heart)
      .run(tiles);
}

}  // namespace

Report idastar(const Goal& goal, const Tiles& tiles, const WalkingDistance* walking, double weight,
               std::int64_t threads, Heartbeat& heart) {
  check(goal, tiles, walking, weight, threads);
  const Cost cost = cost_of(weight);
  if (walking != nullptr) return search(goal, tiles, Walking(*walking), cost, threads, heart);
  return search(goal, tiles, Manhattan(goal), cost, threads, heart);
}

}  // namespace taquin
