#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
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
#include "roots.h"

namespace taquin {

// f in whole numbers: a move costs `step`, a unit of the heuristic `weight`.
struct Cost {
  std::int64_t step = 1;
  std::int64_t weight = 1;
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

// The automaton of a diver, if it has one.
template <class Diver>
const MovePruning* pruning_of(const Diver& diver) {
  if constexpr (requires { diver.pruning(); }) {
    return &diver.pruning();
  } else {
    return nullptr;
  }
}

// The ways to boards of a diver's fringe just beyond a bound.
template <class Diver>
FringePaths ways_beyond(const Diver& diver, std::int64_t bound,
                        const std::vector<Fringe::Piece>& pieces) {
  FringePaths ways;
  for (const Fringe::Piece& piece : pieces) {
    const auto moves = static_cast<std::int64_t>(piece.length);
    diver.spell(piece, piece.length, ways[bound + 2 - moves]);
  }
  return ways;
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
    LastBound last;                    // before that
    std::uint64_t pause = 0;           // ends after a bound if more was expanded; 0 for never
    Checkpoint* checkpoint = nullptr;  // where an earlier run stopped
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  // bytes for the fringe
  };

  Deepening(const Goal& goal, const std::function<Diver()>& make, const Options& options,
            Heartbeat& heart)
      : options_(options),
        last_(options.last),
        heart_(heart),
        divers_(made(make, options.threads)),
        tree_(goal, pruning_of(divers_.front())) {}

  Report run(const Tiles& tiles) {
    roots_.push_back(tree_.start(tiles));
    lower_bound_ = options_.bound;
    for (Diver& diver : divers_) lower_bound_ = std::max(lower_bound_, diver.begin(tiles));
    announce();
    if (options_.checkpoint != nullptr) {
      split();
      continue_from(*options_.checkpoint, blank_cell(tiles));
    }
    // A move changes g by one and h by one, so lengths differ by two. An answer of
    // length `lower_bound_` keeps f within weight * lower_bound_ all the way: when an
    // iteration finds none, the next length that can be right is two more.
    while (!report_.moves && !heart_.halted() && !is_known() && !pauses()) iterate();
    report_.settle(heart_, lower_bound_);
    report_.last = last_;
    return std::move(report_);
  }

 private:
  static constexpr bool kHasFringe = requires(Diver& diver) { diver.fringe(); };
  static constexpr std::size_t kRootsPerThread = 2048;
  // After an iteration of so many boards the next one is divided: for other threads, which
  // are not worth their start before, or to tell how far it is, or where a fringe can give the
  // parts an order.
  static constexpr std::uint64_t kWorthThreads = 20'000;
  static constexpr std::uint64_t kLongIteration = kHasFringe ? 200'000 : 20'000'000;
  static constexpr std::size_t kJobsWorthThreads = 256;
  // So often, at least, a thread takes new roots in an iteration; and after so many boards of the
  // last one, as only what is done counts when the time left is told.
  static constexpr std::size_t kTurnsOfThread = 4;
  static constexpr std::uint64_t kLongTurn = 250'000;
  static constexpr std::size_t kMostRootsOfTurn = 4096;
  static constexpr std::size_t kLargeFringe = 1000;
  // So many boards of a fringe, and no more, tell the order of the roots in a moment.
  static constexpr std::size_t kMostWays = 100'000;
  // After so many boards a thread tells a checkpoint what its fringe has.
  static constexpr std::uint64_t kWorthKeeping = 50'000'000;
  // Pieces of a fringe that a thread takes at once.
  static constexpr std::size_t kPiecesOfTurn = 16;

  std::int64_t threshold() const {
    return lower_bound_ * options_.cost.weight / options_.cost.step;
  }
  void announce() { heart_.set_bounds(threshold(), lower_bound_); }
  bool pauses() const { return options_.pause > 0 && heart_.expanded() > options_.pause; }
  bool is_known() const { return options_.known > 0 && lower_bound_ >= options_.known; }

  void iterate() {
    const std::uint64_t enough = divers_.size() > 1 ? kWorthThreads : kLongIteration;
    if (roots_.size() == 1 && last_.expanded > enough) split();
    announce();
    const std::int64_t tried = threshold();
    const std::uint64_t before = heart_.expanded();
    allowance_ = allowance_of(options_.cost, lower_bound_);
    prepare_fringe();
    for_each_root();
    const std::uint64_t expanded = heart_.expanded() - before;
    if (report_.moves || heart_.halted()) {
      last_.expanded = std::max(last_.expanded, expanded);
    } else {
      lower_bound_ += 2;
      announce();
      look_on();
      last_ = {expanded, last_.reach, sizes_, order_};
      if (options_.checkpoint != nullptr) begin_anew(*options_.checkpoint);
    }
    report_.iterations.emplace_back(tried, heart_.expanded() - before);
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
    next_root_ = 0;
    work_left_ = 0;
    for (std::size_t i = 0; i < roots_.size(); ++i) work_left_ += work_of(i);
    heart_.set_work(work_left_);
    on_all_threads(roots_.size(), [&](Diver& diver, Pulse& pulse) {
      std::uint64_t kept = pulse.expanded();
      while (!heart_.halted()) {
        const auto [begin, end] = next_roots();
        if (begin == end) break;
        search_roots(diver, begin, end, pulse);
        if (pulse.expanded() - kept < kWorthKeeping) continue;
        keep_fringe(diver);
        kept = pulse.expanded();
      }
      keep_fringe(diver);
    });
  }

  // So that another run can look on from there.
  void keep_fringe(Diver& diver) {
    if constexpr (kHasFringe) {
      if (options_.checkpoint == nullptr) return;
      const auto thread = static_cast<OnPagesOfItsOwn*>(&diver) - divers_.data();
      options_.checkpoint->keep(
          static_cast<std::size_t>(thread),
          ways_beyond(diver, lower_bound_, diver.fringe().pieces(Checkpoint::kMostBoards)));
    }
  }

  // Neighbours ask for much of the same memory, so a thread takes several at once. Towards the end
  // they are single ones, so that no thread waits long for another. By their places in the order.
  std::pair<std::size_t, std::size_t> next_roots() {
    const std::lock_guard lock(mutex_);
    const std::size_t begin = next_root_;
    const std::uint64_t most = std::min(work_left_ / (kTurnsOfThread * divers_.size()), kLongTurn);
    const std::size_t last = std::min(roots_.size(), begin + kMostRootsOfTurn);
    for (std::uint64_t work = 0; next_root_ < last; ++next_root_) {
      const std::uint64_t more = work_of(order_[next_root_]);
      if (next_root_ > begin && work + more > most) break;
      work += more;
      work_left_ -= more;
    }
    return {begin, next_root_};
  }

  // Boards below a root, as far as that is known.
  std::uint64_t work_of(std::size_t index) const { return is_done(index) ? 0 : sizes_[index]; }

  bool is_done(std::size_t index) const {
    return options_.checkpoint != nullptr && options_.checkpoint->is_done(index);
  }

  // All at once if the diver can, unless it matters which of them are done.
  void search_roots(Diver& diver, std::size_t begin, std::size_t end, Pulse& pulse) {
    if constexpr (requires { diver.is_wide(allowance_); }) {
      if (options_.checkpoint == nullptr && diver.is_wide(allowance_)) {
        return search_together(diver, begin, end, pulse);
      }
    }
    for (std::size_t i = begin; i < end && !heart_.halted(); ++i) {
      search_root(diver, order_[i], pulse);
    }
  }

  void search_together(Diver& diver, std::size_t begin, std::size_t end, Pulse& pulse) {
    const std::uint64_t before = pulse.expanded();
    std::vector<const Root*> roots;
    for (std::size_t i = begin; i < end; ++i) roots.push_back(&roots_[order_[i]]);
    if (diver.dive_together(roots, allowance_, pulse)) return answer(diver.path());
    if (heart_.halted()) return;
    const std::vector<std::uint64_t> sizes = shares(diver, pulse.expanded() - before, roots.size());
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t& size = sizes_[order_[i]];
      heart_.work_done(size);
      size = sizes[i - begin] + 1;
    }
  }

  // What each of some roots took of so many expansions, as far as the diver can tell; or else they
  // are taken to be equal.
  static std::vector<std::uint64_t> shares(const Diver& diver, std::uint64_t expanded,
                                           std::size_t roots) {
    std::vector<std::uint64_t> sizes(roots, 1);
    if constexpr (requires { diver.sampled(); }) sizes = diver.sampled();
    std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    if (all == 0) {
      sizes.assign(roots, 1);
      all = roots;
    }
    const double each = static_cast<double>(expanded) / static_cast<double>(all);
    for (std::uint64_t& size : sizes)
      size = static_cast<std::uint64_t>(static_cast<double>(size) * each);
    return sizes;
  }

  void search_root(Diver& diver, std::size_t index, Pulse& pulse) {
    if (is_done(index)) return;
    const std::uint64_t before = pulse.expanded();
    if (diver.dive(roots_[index], allowance_, pulse)) return answer(diver.path());
    if (heart_.halted()) return;
    heart_.work_done(sizes_[index]);
    sizes_[index] = pulse.expanded() - before + 1;
    if (options_.checkpoint != nullptr) options_.checkpoint->finish(index, sizes_[index]);
  }

  void answer(std::string moves) {
    const std::lock_guard lock(mutex_);
    if (!report_.moves) report_.moves = std::move(moves);
    heart_.finish();
  }

  bool keeps_fringe() const { return options_.cost.weight == options_.cost.step; }

  void prepare_fringe() {
    if constexpr (kHasFringe) {
      if (!keeps_fringe()) return;
      const std::int64_t bound = lower_bound_ + 2;
      const FringeSize size = fringe_size(bound);
      quota_.reset(size, std::min(bound, last_.reach));
      SharedQuota* const shared = divers_.size() > 1 ? &quota_ : nullptr;
      for (Diver& diver : divers_) diver.fringe().reset(bound, size, last_.reach, shared);
    }
  }

  // Of boards that are kept for a bound.
  FringeSize fringe_size(std::int64_t bound) {
    const std::size_t note = divers_.front().fringe().note_bytes();
    const std::uint64_t bytes = note > 0 ? note : static_cast<std::uint64_t>(bound);
    return {Fringe::size_after(last_.expanded), options_.memory / bytes};
  }

  // Before the next iteration, from the boards of its fringe that are nearest to the goal.
  void look_on() {
    if constexpr (kHasFringe) {
      if (!keeps_fringe()) return;
      Fringe fringe(divers_.front().fringe().note_bytes());
      fringe.reset(lower_bound_, fringe_size(lower_bound_), last_.reach);
      for (Diver& diver : divers_)
        fringe.join(std::exchange(diver.fringe(), Fringe(fringe.note_bytes())));
      // The next iteration will hardly want boards that are farther away. Of many it wants nearer
      // ones still, and those that it notes in vain cost more than a few that are missed.
      last_.reach = fringe.farthest();
      if (fringe.size() > kLargeFringe) last_.reach = std::max<std::int64_t>(0, last_.reach - 2);
      if (is_known()) return;
      allowance_ = allowance_of(options_.cost, lower_bound_);
      const std::vector<Fringe::Piece> pieces = nearest_first(before_, fringe);
      look_on(pieces);
      if (!report_.moves) order_roots(pieces);
      before_ = Fringe();
    }
  }

  // The longer the way to boards just beyond a bound, the nearer they are.
  static std::vector<Fringe::Piece> nearest_first(const Fringe& one, const Fringe& other) {
    const std::vector<Fringe::Piece> some = one.pieces(), others = other.pieces();
    std::vector<Fringe::Piece> all;
    std::merge(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(all),
               [](const Fringe::Piece& a, const Fringe::Piece& b) { return a.length > b.length; });
    return all;
  }

  // An answer is likely where boards came nearest to the goal, so the next iteration begins there.
  void order_roots(const std::vector<Fringe::Piece>& pieces) {
    if (roots_.size() == 1) return;
    const std::size_t depth = roots_.front().path.size();
    RootOrder order(roots_);
    std::size_t left = kMostWays;
    for (const Fringe::Piece& piece : pieces) {
      if (piece.count() > left) break;
      left -= piece.count();
      Fringe::Paths ways;
      divers_.front().spell(piece, depth, ways);
      order.pass(ways);
    }
    order_ = order.then(order_);
  }

  void look_on(const std::vector<Fringe::Piece>& pieces) {
    std::size_t boards = 0;
    for (const Fringe::Piece& piece : pieces) boards += piece.count();
    std::atomic<std::size_t> next{0};
    on_all_threads(boards, [&](Diver& diver, Pulse& pulse) {
      while (!heart_.halted()) {
        const std::size_t first = next.fetch_add(kPiecesOfTurn);
        if (first >= pieces.size()) return;
        const std::size_t count = std::min(kPiecesOfTurn, pieces.size() - first);
        if (diver.look_on(std::span(pieces).subspan(first, count), allowance_, pulse)) {
          answer(diver.path());
        }
      }
    });
  }

  // Replaces the one root by many that can be searched apart.
  void split() {
    Pulse pulse(heart_);
    const std::size_t enough =
        options_.checkpoint != nullptr ? SearchTree::kManyRoots : kRootsPerThread * divers_.size();
    SearchTree::Roots roots = tree_.split(roots_.front().tiles, enough, pulse);
    roots_ = std::move(roots.all);
    const auto depth = static_cast<std::int64_t>(roots_.front().path.size());
    if (roots.solved) {
      lower_bound_ = depth;  // breadth first: none is shorter
      if (!is_known()) answer(roots_.front().path);
      return;
    }
    // No answer is nearer than the roots, nor does an allowance for less reach them.
    while (lower_bound_ < depth) lower_bound_ += 2;
    if (last_.sizes.size() == roots_.size()) {
      sizes_ = last_.sizes;
      order_ = last_.order;
      return;
    }
    sizes_.assign(roots_.size(), 1);
    order_.resize(roots_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  void continue_from(Checkpoint& checkpoint, std::size_t start) {
    if (heart_.halted()) return;
    lower_bound_ = checkpoint.open(roots_.size(), lower_bound_, last_.expanded);
    take_sizes(checkpoint);
    take_order(checkpoint.order());
    take_fringe(checkpoint.fringe(), start);
    announce();
  }

  void take_fringe(const FringePaths& fringe, std::size_t start) {
    for (const auto& [h, ways] : fringe) {
      const auto moves = static_cast<std::size_t>(lower_bound_ + 2 - h);
      for (std::size_t begin = 0; begin < ways.size(); begin += moves) {
        if (moves < roots_.front().path.size() ||
            !tree_.goes(start, std::span(ways).subspan(begin, moves))) {
          throw std::invalid_argument("a way of the checkpoint is none of this search");
        }
      }
    }
    before_.keep(lower_bound_ + 2, fringe);
  }

  // Some roots first, then the others in the order before.
  void take_order(const std::vector<std::size_t>& first) {
    std::vector<std::size_t> places(roots_.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) places[first[i]] = i;
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t one, std::size_t other) {
      return places[one] < places[other];
    });
  }

  void begin_anew(Checkpoint& checkpoint) {
    checkpoint.begin(lower_bound_, order_);
    take_sizes(checkpoint);
  }

  // Of the bound before, also where other runs have searched it.
  void take_sizes(const Checkpoint& checkpoint) {
    sizes_ = checkpoint.sizes();
    last_.expanded =
        std::accumulate(sizes_.begin(), sizes_.end(), std::uint64_t{0}) - sizes_.size();
  }

  // A processor fetches ahead within a page of memory, and would take away what another one is just
  // writing there.
  struct alignas(4096) OnPagesOfItsOwn : Diver {
    explicit OnPagesOfItsOwn(Diver diver) : Diver(std::move(diver)) {}
  };
  using Divers = std::vector<OnPagesOfItsOwn>;

  static Divers made(const std::function<Diver()>& make, std::size_t threads) {
    Divers divers;
    for (std::size_t i = 0; i < threads; ++i) divers.emplace_back(make());
    return divers;
  }

  const Options options_;
  LastBound last_;
  Heartbeat& heart_;
  Divers divers_;
  const SearchTree tree_;
  std::vector<Root> roots_;
  std::vector<std::uint64_t> sizes_{1};  // boards below each root in the last iteration
  std::vector<std::size_t> order_{0};    // in which the roots are searched
  Allowance allowance_;
  SharedQuota quota_;  // of the fringe
  Fringe before_;      // what other runs have kept of it
  std::int64_t lower_bound_ = 0;
  std::mutex mutex_;
  std::size_t next_root_ = 0;  // of this iteration, as is what follows
  std::uint64_t work_left_ = 0;
  Report report_;
};

}  // namespace taquin
