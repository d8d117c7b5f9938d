#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include "check.h"
#include "checkpoint.h"
#include "idastar.h"
#include "pattern_kit.h"
#include "play.h"
#include "ways.h"

using namespace taquin;

namespace {

using Done = std::vector<std::uint8_t>;

// Searches of one board of 3×4 cells, with weak patterns so that there is something to do.
class Case {
 public:
  explicit Case(unsigned seed)
      : kit_(Goal(3, 4, 0), {PatternKit::cut(Goal(3, 4, 0), 2)}), start_(some_board(seed)) {
    optimum_ = static_cast<std::int64_t>(run({}).moves->size());
    CHECK(play(kit_.goal(), start_, *run({}).moves) == kit_.goal().tiles());
  }

  std::int64_t optimum() const { return optimum_; }
  std::int64_t bound() const { return kit_.patterns().distance(start_); }

  Report run(const SearchOptions& options, std::optional<std::uint64_t> limit = {},
             Hook hook = {}) const {
    Heartbeat heart(std::move(hook), limit);
    const Report report =
        idastar(kit_.goal(), start_, {nullptr, &kit_.patterns(), &pruning_}, options, heart);
    if (report.moves) CHECK(play(kit_.goal(), start_, *report.moves) == kit_.goal().tiles());
    return report;
  }

  Report run(Checkpoint& checkpoint, int threads = 1, std::int64_t known = 0,
             std::optional<std::uint64_t> limit = {}, Hook hook = {}) const {
    SearchOptions options;
    options.threads = threads;
    options.known = known;
    options.checkpoint = &checkpoint;
    return run(options, limit, std::move(hook));
  }

  // What dividing the search costs each time, and into how many roots.
  std::uint64_t split_cost() const { return all_done().first; }
  std::size_t roots() const { return all_done().second; }

  // What all of it costs.
  std::uint64_t whole() const {
    Checkpoint checkpoint;
    return run(checkpoint).expanded - split_cost();
  }

  // What one bound costs for the roots that are left: the known answer ends it there.
  std::uint64_t cost(std::int64_t bound, const Done& done) const {
    Checkpoint checkpoint(bound, done);
    const Report report = run(checkpoint, 1, bound + 2);
    CHECK(!report.moves && report.lower_bound == bound + 2);
    return report.expanded - split_cost();
  }

 private:
  Tiles some_board(unsigned seed) const {
    std::mt19937 random(seed);
    return wander(kit_.goal(), 400, random);
  }

  std::pair<std::uint64_t, std::size_t> all_done() const {
    if (split_.second == 0) {
      Checkpoint checkpoint;
      const Report report = run(checkpoint, 1, 1);
      CHECK(!report.moves);
      split_ = {report.expanded, checkpoint.done().size()};
    }
    return split_;
  }

  MovePruning pruning_{9};
  PatternKit kit_;
  Tiles start_;
  std::int64_t optimum_ = 0;
  mutable std::pair<std::uint64_t, std::size_t> split_;
};

// Which bound a search tries, once it has roots: those are about 16 moves away.
std::int64_t first_bound(const Case& board) {
  Checkpoint checkpoint;
  board.run(checkpoint, 1, 1);
  return checkpoint.bound();
}

void what_is_done_is_left_out(const Case& board) {
  const std::int64_t bound = board.optimum() - 2;
  const Done none(board.roots(), 0);
  const Done all(board.roots(), 1);
  const std::uint64_t whole = board.cost(bound, none);
  CHECK(whole > 0 && board.cost(bound, all) == 0);
  std::mt19937 random(11);
  for (const unsigned share : {2U, 20U}) {
    Done some = none;
    for (auto& root : some) root = random() % share == 0;
    Done others = some;
    for (auto& root : others) root ^= 1U;
    CHECK(board.cost(bound, some) + board.cost(bound, others) == whole);
  }
}

// Searches bit by bit, each time from the numbers that were kept, until there is an answer.
// Gives what it cost in all.
std::uint64_t in_pieces(const Case& board, std::uint64_t piece, int threads) {
  std::uint64_t expanded = 0;
  std::int64_t bound = 0;
  Done done;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> found;
  std::vector<std::size_t> order;
  FringePaths fringe;
  for (;;) {
    Checkpoint checkpoint(bound, done, sizes, found, order, fringe);
    const Report report = board.run(checkpoint, threads, 0, board.split_cost() + piece);
    expanded += report.expanded - board.split_cost();
    CHECK(checkpoint.bound() <= board.optimum());
    CHECK(checkpoint.bound() == report.lower_bound);
    if (report.moves) {
      CHECK(static_cast<std::int64_t>(report.moves->size()) == board.optimum());
      return expanded;
    }
    CHECK(report.limit_reached);
    // It never goes back.
    CHECK(checkpoint.bound() >= bound);
    const Done before = std::exchange(done, checkpoint.done());
    if (checkpoint.bound() == bound && !before.empty()) {
      for (std::size_t root = 0; root < done.size(); ++root) CHECK(done[root] >= before[root]);
    }
    bound = checkpoint.bound();
    sizes = checkpoint.sizes();
    found = checkpoint.found();
    order = checkpoint.order();
    fringe = checkpoint.fringe();
  }
}

// What finds an answer early is kept, too: the boards just beyond a bound, and the order of roots.
void stopped_searches_go_on(const Case& board) {
  const std::uint64_t whole = board.whole();
  for (const std::uint64_t piece : {whole * 3 / 4, whole / 3, whole / 8}) {
    CHECK(in_pieces(board, piece, 1) < whole * 5 / 4);
  }
  CHECK(in_pieces(board, whole / 4, 2) < whole * 3 / 2);
}

// Only the root at hand is lost when a search is stopped.
void little_is_searched_twice(const Case& board) {
  const std::int64_t bound = board.optimum() - 2;
  const Done none(board.roots(), 0);
  const std::uint64_t whole = board.cost(bound, none);
  for (const std::uint64_t part : {10U, 4U, 2U}) {
    Checkpoint checkpoint(bound, none);
    const std::uint64_t piece = whole / part;
    const Report first = board.run(checkpoint, 1, bound + 2, board.split_cost() + piece);
    CHECK(first.limit_reached && first.expanded == board.split_cost() + piece);
    CHECK(checkpoint.bound() == bound);
    const Done done = checkpoint.done();
    CHECK(std::count(done.begin(), done.end(), 1) > 0);
    const std::uint64_t rest = board.cost(bound, done);
    CHECK(rest >= whole - piece);
    CHECK(piece + rest - whole < whole / 10);
  }
}

void the_hook_stops_between_roots(const Case& board) {
  for (const int threads : {1, 2}) {
    Checkpoint checkpoint;
    int stops = 0;
    for (bool found = false; !found; ++stops) {
      int beats = 0;
      const Report report = board.run(checkpoint, threads, 0, {}, [&](const Progress& progress) {
        CHECK(progress.share >= 0 && progress.share <= 1);
        CHECK(checkpoint.bound() <= board.optimum());  // it can be read meanwhile
        return stops < 3 && progress.expanded > board.split_cost() && ++beats > stops;
      });
      CHECK(!report.limit_reached);
      found = report.moves.has_value();
      if (found) CHECK(static_cast<std::int64_t>(report.moves->size()) == board.optimum());
    }
  }
}

// A search that is nearer to the goal than its roots would be needs no checkpoint.
void near_boards_are_solved_at_once() {
  const Goal goal(3, 3, 8);
  const PatternKit kit(goal, {PatternKit::cut(goal, 2)});
  const MovePruning pruning(9);
  std::mt19937 random(2);
  for (const int moves : {0, 1, 5, 30, 60}) {
    const Tiles tiles = wander(goal, moves, random);
    Checkpoint checkpoint;
    SearchOptions options;
    options.checkpoint = &checkpoint;
    Heartbeat heart;
    Heartbeat apart;
    const Report report =
        idastar(goal, tiles, {nullptr, &kit.patterns(), &pruning}, options, heart);
    CHECK(report.moves->size() == idastar(goal, tiles, {}, {}, apart).moves->size());
    CHECK(play(goal, tiles, *report.moves) == goal.tiles());
  }
}

void works_without_patterns_too() {
  const Goal goal(3, 4, 11);
  std::mt19937 random(4);
  const Tiles tiles = wander(goal, 60, random);
  Heartbeat plain;
  const Report whole = idastar(goal, tiles, {}, {}, plain);
  Checkpoint checkpoint;
  SearchOptions options;
  options.checkpoint = &checkpoint;
  std::optional<std::string> moves;
  for (int runs = 0; !moves; ++runs) {
    CHECK(runs < 1000);
    Heartbeat heart({}, 120'000);
    moves = idastar(goal, tiles, {}, options, heart).moves;
  }
  CHECK(moves->size() == whole.moves->size());
}

// Of all threads and the runs before, each has what it said last; the nearest boards come first.
void the_nearest_boards_are_kept() {
  const auto ways = [](std::size_t boards, std::size_t moves, std::uint8_t move) {
    return std::vector<std::uint8_t>(boards * moves, move);
  };
  Checkpoint checkpoint(10, {}, {}, {}, {}, {{3, ways(1, 9, 0)}});
  checkpoint.keep(0, {{3, ways(1, 9, 1)}, {5, ways(1, 7, 1)}});
  checkpoint.keep(0, {{2, ways(1, 10, 2)}});
  checkpoint.keep(1, {{3, ways(1, 9, 3)}, {4, ways(2 * Checkpoint::kMostBoards, 8, 3)}});
  const FringePaths kept = checkpoint.fringe();
  CHECK(kept.size() == 3 && kept.at(2) == ways(1, 10, 2));
  CHECK(kept.at(3).size() == 2 * 9 && std::count(kept.at(3).begin(), kept.at(3).end(), 0) == 9);
  CHECK(kept.at(4).size() == (Checkpoint::kMostBoards - 3) * 8);
  CHECK(Checkpoint(10, {}, {}, {}, {}, kept).fringe() == kept);
  // Another run's threads add to what those of this one have kept.
  checkpoint.open(0, 10);
  checkpoint.keep(1, {});
  CHECK(checkpoint.fringe() == kept);
  checkpoint.begin(12, {});
  CHECK(checkpoint.fringe().empty());
}

void ways_take_a_quarter_of_the_space() {
  std::mt19937 random(9);
  for (const std::size_t moves : {0U, 1U, 3U, 4U, 95U}) {
    std::vector<std::uint8_t> ways(moves);
    for (std::uint8_t& move : ways) move = random() % kDirections;
    const std::vector<std::uint8_t> packed = packed_ways(ways);
    CHECK(packed.size() == (moves + 3) / 4 && unpacked_ways(packed, moves) == ways);
    CHECK_THROWS(std::invalid_argument, unpacked_ways(packed, moves + 4));
  }
}

// A higher bound begins anew: what was done below it says nothing.
void a_higher_bound_undoes_what_was_done() {
  Checkpoint checkpoint(10, {1, 1, 0});
  CHECK(checkpoint.open(3, 8) == 10);
  CHECK((checkpoint.done() == Done{1, 1, 0}));
  CHECK(checkpoint.open(3, 12) == 12);
  CHECK((checkpoint.done() == Done{0, 0, 0}));
  checkpoint.finish(1, 5);
  CHECK(checkpoint.is_done(1) && !checkpoint.is_done(0));
  checkpoint.begin(14, {2, 0});
  CHECK(checkpoint.bound() == 14 && (checkpoint.done() == Done{0, 0, 0}));
  CHECK((checkpoint.order() == std::vector<std::size_t>{2, 0}));
  CHECK_THROWS(std::invalid_argument, checkpoint.begin(16, {3}));
}

void misuse_is_refused(const Case& board) {
  const std::int64_t bound = board.optimum() - 2;
  const auto moves = static_cast<std::size_t>(bound + 2 - 1);
  for (const std::uint8_t move : {std::uint8_t{1}, std::uint8_t{200}}) {
    Checkpoint lost(bound, {}, {}, {}, {}, {{1, std::vector<std::uint8_t>(moves, move)}});
    CHECK_THROWS(std::invalid_argument, board.run(lost));
  }
  Checkpoint too_short(bound, {}, {}, {}, {}, {{bound + 1, {0}}, {bound, {0, 0}}});
  CHECK_THROWS(std::invalid_argument, board.run(too_short));
  Checkpoint other(20, Done(7, 1));
  CHECK_THROWS(std::invalid_argument, board.run(other));
  Checkpoint checkpoint;
  SearchOptions options;
  options.checkpoint = &checkpoint;
  options.weight = 1.5;
  CHECK_THROWS(std::invalid_argument, board.run(options));
}

}  // namespace

int main() {
  const Case board(1);
  CHECK(first_bound(board) < board.optimum());
  what_is_done_is_left_out(board);
  little_is_searched_twice(board);
  stopped_searches_go_on(Case(2));
  stopped_searches_go_on(Case(13));
  the_hook_stops_between_roots(board);
  misuse_is_refused(board);
  near_boards_are_solved_at_once();
  works_without_patterns_too();
  a_higher_bound_undoes_what_was_done();
  the_nearest_boards_are_kept();
  ways_take_a_quarter_of_the_space();
}
