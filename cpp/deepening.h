#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "board.h"
#include "checkpoint.h"
#include "crew.h"
#include "fringe.h"
#include "heartbeat.h"
#include "idastar.h"
#include "move_pruning.h"

namespace taquin {

// f in whole numbers: a move costs `step`, a unit of the heuristic `weight`.
struct Cost {
  std::int64_t step = 1;
  std::int64_t weight = 1;
};

// A board from which a search dives, and the way to it.
struct Root {
  Tiles tiles;
  std::size_t blank;
  unsigned moves;  // as bits; the move back is left out
  std::string path;
  MovePruning::State state = MovePruning::kStart;  // after the path, for divers that prune moves
};

// The greatest h that a board may have, by its depth; negative at the end.
using Allowance = std::vector<std::int32_t>;

// For answers of at most cost.weight / cost.step times `length`.
inline Allowance allowance_of(const Cost& cost, std::int64_t length) {
  Allowance allowance;
  const std::int64_t budget = length * cost.weight;
  for (std::int64_t depth = 0; allowance.empty() || allowance.back() >= 0; ++depth) {
    const std::int64_t left = budget - depth * cost.step;
    allowance.push_back(left < 0 ? -1 : static_cast<std::int32_t>(left / cost.weight));
  }
  return allowance;
}

inline std::uint8_t direction_of(char letter) {
  return static_cast<std::uint8_t>(std::string_view(kLetters).find(letter));
}

// Iterative deepening: dives within bounds that grow until an answer is found, on one or
// several threads. A diver looks below a root for the goal, and may keep a fringe.
template <class Diver>
class Deepening {
 public:
  struct Options {
    Cost cost;
    std::size_t threads = 1;
    std::int64_t known = 0;            // the length of an answer at hand, if there is one
    std::int64_t bound = 0;            // no answer is shorter than this
    std::uint64_t pause = 0;           // ends after a bound if more was expanded; 0 for never
    Checkpoint* checkpoint = nullptr;  // where an earlier run stopped
  };

  Deepening(const Goal& goal, const std::function<Diver()>& make, const Options& options,
            Heartbeat& heart)
      : goal_(goal), options_(options), heart_(heart) {
    for (std::size_t i = 0; i < options.threads; ++i) divers_.push_back(make());
  }

  Report run(const Tiles& tiles) {
    const std::size_t blank = blank_cell(tiles);
    roots_.push_back({tiles, blank, goal_.moves(blank), ""});
    lower_bound_ = options_.bound;
    for (Diver& diver : divers_) lower_bound_ = std::max(lower_bound_, diver.begin(tiles));
    announce();
    if (options_.checkpoint != nullptr) {
      split();
      continue_from(*options_.checkpoint);
    }
    // A move changes g by one and h by one, so lengths differ by two. An answer of
    // length `lower_bound_` keeps f within weight * lower_bound_ all the way: when an
    // iteration finds none, the next length that can be right is two more.
    while (!report_.moves && !heart_.halted() && !is_known() && !pauses()) iterate();
    report_.settle(heart_, lower_bound_);
    return std::move(report_);
  }

 private:
  static constexpr bool kHasFringe = requires(Diver& diver) { diver.fringe(); };
  static constexpr bool kPrunesMoves = requires(Diver& diver) { diver.pruning(); };
  static constexpr std::size_t kRootsPerThread = 2048;
  static constexpr std::size_t kRootsOfCheckpoint = 20000;
  static constexpr std::size_t kDeepestSplit = 40;
  // An iteration's fringe is a hundredth of its boards, which are about eight times as many
  // as those of the one before. Looking on from there costs a tenth of the iteration.
  static constexpr std::uint64_t kBoardsPerFringe = 12;
  static constexpr std::uint64_t kLeastFringe = 32;
  static constexpr std::uint64_t kMostFringe = std::uint64_t{1} << 19U;
  // After an iteration of so many boards the next one is divided: for other threads, which
  // are not worth their start before, or to tell how far it is.
  static constexpr std::uint64_t kWorthThreads = 100'000;
  static constexpr std::uint64_t kLongIteration = 20'000'000;
  static constexpr std::size_t kJobsWorthThreads = 256;

  std::int64_t threshold() const {
    return lower_bound_ * options_.cost.weight / options_.cost.step;
  }
  void announce() { heart_.set_bounds(threshold(), lower_bound_); }
  bool pauses() const { return options_.pause > 0 && heart_.expanded() > options_.pause; }
  bool is_known() const { return options_.known > 0 && lower_bound_ >= options_.known; }

  void iterate() {
    const std::uint64_t enough = divers_.size() > 1 ? kWorthThreads : kLongIteration;
    if (roots_.size() == 1 && last_expanded_ > enough) split();
    announce();
    const std::int64_t tried = threshold();
    const std::uint64_t before = heart_.expanded();
    allowance_ = allowance_of(options_.cost, lower_bound_);
    prepare_fringe();
    for_each_root();
    const std::uint64_t expanded = heart_.expanded() - before;
    if (!report_.moves && !heart_.halted()) {
      next_bound();
      look_on();
    }
    report_.iterations.emplace_back(tried, heart_.expanded() - before);
    last_expanded_ = expanded;
  }

  void next_bound() {
    lower_bound_ += 2;
    if (options_.checkpoint != nullptr) options_.checkpoint->begin(lower_bound_);
    announce();
  }

  // Runs `work(diver, pulse)`, which shares some jobs, on all threads if it is worth that.
  void on_all_threads(std::size_t jobs, const std::function<void(Diver&, Pulse&)>& work) {
    const auto caller = [&] {
      Pulse pulse(heart_);
      work(divers_.front(), pulse);
    };
    if (divers_.size() == 1 || jobs < kJobsWorthThreads) return caller();
    Crew crew(heart_, divers_.size() - 1, [&](std::size_t worker) {
      Pulse pulse(heart_, Pulse::Role::worker);
      work(divers_[worker + 1], pulse);
    });
    caller();
    crew.join();
  }

  void for_each_root() {
    std::uint64_t all = 0;
    for (const std::uint64_t size : sizes_) all += size;
    heart_.set_work(all);
    std::atomic<std::size_t> next{0};
    on_all_threads(roots_.size(), [&](Diver& diver, Pulse& pulse) {
      while (!heart_.halted()) {
        const std::size_t index = next++;
        if (index >= roots_.size()) return;
        search_root(diver, index, pulse);
      }
    });
  }

  void search_root(Diver& diver, std::size_t index, Pulse& pulse) {
    Checkpoint* const checkpoint = options_.checkpoint;
    if (checkpoint == nullptr || !checkpoint->is_done(index)) {
      const std::uint64_t before = pulse.expanded();
      if (diver.dive(roots_[index], allowance_, pulse)) return answer(diver.path());
      if (heart_.halted()) return;
      if (checkpoint != nullptr) checkpoint->finish(index);
      heart_.work_done(sizes_[index]);
      sizes_[index] = pulse.expanded() - before + 1;
      return;
    }
    heart_.work_done(sizes_[index]);
  }

  void answer(std::string moves) {
    const std::lock_guard lock(mutex_);
    if (!report_.moves) report_.moves = std::move(moves);
    heart_.finish();
  }

  void prepare_fringe() {
    if constexpr (kHasFringe) {
      if (options_.cost.weight != options_.cost.step) return;
      const std::uint64_t size =
          std::clamp(last_expanded_ / kBoardsPerFringe, kLeastFringe, kMostFringe);
      for (Diver& diver : divers_) {
        diver.fringe().reset(lower_bound_ + 2, size / divers_.size() + 1, reach_, Diver::kNotes);
      }
    }
  }

  // Before the next iteration, from the boards of its fringe that are nearest to the goal.
  void look_on() {
    if constexpr (kHasFringe) {
      std::vector<Fringe> fringes;
      reach_ = 0;
      for (Diver& diver : divers_) {
        fringes.push_back(std::exchange(diver.fringe(), Fringe()));
        // The next iteration will want boards about as near as this one did.
        reach_ = std::max(reach_, fringes.back().farthest() + 2);
      }
      if (is_known()) return;
      allowance_ = allowance_of(options_.cost, lower_bound_);
      for (std::int64_t h = 1; h <= lower_bound_ && !heart_.halted(); ++h) {
        for (const Fringe& fringe : fringes) look_on(fringe, h);
      }
    }
  }

  void look_on(const Fringe& fringe, std::int64_t h) {
    const std::size_t count = fringe.count(h);
    if (count == 0 || heart_.halted()) return;
    const auto length = static_cast<std::size_t>(lower_bound_ - h);
    std::atomic<std::size_t> next{0};
    on_all_threads(count, [&](Diver& diver, Pulse& pulse) {
      while (!heart_.halted()) {
        const std::size_t number = next++;
        if (number >= count) return;
        if (diver.resume(fringe.path(h, number), length, h, allowance_, pulse)) {
          answer(diver.path());
        }
      }
    });
  }

  // Replaces the one root by the boards some moves away: every shortest solution passes one.
  void split() {
    Pulse pulse(heart_);
    std::set<Tiles> seen{roots_.front().tiles};
    const Tiles solved = goal_.tiles();
    const std::size_t enough =
        options_.checkpoint != nullptr ? kRootsOfCheckpoint : kRootsPerThread * divers_.size();
    for (std::size_t depth = 0; depth < kDeepestSplit && roots_.size() < enough; ++depth) {
      std::vector<Root> deeper;
      for (const Root& root : roots_) {
        if (root.tiles == solved) {
          lower_bound_ = static_cast<std::int64_t>(depth);  // breadth first: none is shorter
          if (!is_known()) answer(root.path);
          return;
        }
        if (!pulse.tick(static_cast<unsigned>(std::popcount(root.moves)))) return;
        expand(root, seen, deeper);
      }
      roots_ = std::move(deeper);
    }
    // No answer is nearer than the roots, nor does an allowance for less reach them.
    const auto depth = static_cast<std::int64_t>(roots_.front().path.size());
    while (lower_bound_ < depth) lower_bound_ += 2;
    sizes_.assign(roots_.size(), 1);
  }

  // Where moves are pruned, the roots must be those of the pruned tree, with duplicates: which
  // of them is left out below another one depends on the way there.
  void expand(const Root& root, std::set<Tiles>& seen, std::vector<Root>& deeper) {
    for (const Direction direction : kSearchOrder) {
      if ((root.moves >> direction & 1U) == 0) continue;
      const std::size_t source = goal_.source(root.blank, direction);
      Root next{root.tiles, source, goal_.moves(source) & ~(1U << opposite(direction)),
                root.path + kLetters[direction]};
      std::swap(next.tiles[root.blank], next.tiles[source]);
      if constexpr (kPrunesMoves) {
        const MovePruning& pruning = divers_.front().pruning();
        next.state = pruning.after(root.state, direction);
        next.moves &= pruning.allowed(next.state);
      } else {
        if (!seen.insert(next.tiles).second) continue;
      }
      deeper.push_back(std::move(next));
    }
  }

  void continue_from(Checkpoint& checkpoint) {
    if (heart_.halted()) return;
    lower_bound_ = checkpoint.open(roots_.size(), lower_bound_);
    announce();
  }

  const Goal& goal_;
  const Options options_;
  Heartbeat& heart_;
  std::vector<Diver> divers_;
  std::vector<Root> roots_;
  std::vector<std::uint64_t> sizes_{1};  // boards below each root in the last iteration
  Allowance allowance_;
  std::int64_t lower_bound_ = 0;
  std::uint64_t last_expanded_ = 0;
  std::int64_t reach_ = std::numeric_limits<std::int64_t>::max();  // of the fringe
  std::mutex mutex_;
  Report report_;
};

}  // namespace taquin
