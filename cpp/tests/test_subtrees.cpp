#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "idastar.h"
#include "pattern_kit.h"
#include "play.h"
#include "roots.h"
#include "subtrees.h"

using namespace taquin;

namespace {

using Paths = std::vector<std::string>;

// One bound of a search of 3×4 cells, with weak patterns or none.
class Case {
 public:
  explicit Case(bool with_patterns) : kit_(Goal(3, 4, 0), {PatternKit::cut(Goal(3, 4, 0), 2)}) {
    if (with_patterns) knowledge_ = {nullptr, &kit_.patterns(), &pruning_};
    std::mt19937 random(3);
    start_ = wander(kit_.goal(), 400, random);
    Heartbeat heart;
    optimum_ = static_cast<std::int64_t>(
        idastar(kit_.goal(), start_, knowledge_, {}, heart).moves->size());
  }

  std::int64_t optimum() const { return optimum_; }

  Paths all() const {
    Heartbeat heart;
    return subtrees(kit_.goal(), start_, knowledge_.pruning, heart);
  }

  Portion search(const Paths& paths, std::int64_t bound,
                 std::optional<std::uint64_t> most = {}) const {
    Heartbeat heart({}, most);
    return search_subtrees(kit_.goal(), start_, knowledge_, paths, {bound, {100'000}, bound + 2},
                           heart);
  }

  void checks_out(const Portion& portion) const {
    CHECK(portion.moves && static_cast<std::int64_t>(portion.moves->size()) == optimum_);
    CHECK(play(kit_.goal(), start_, *portion.moves) == kit_.goal().tiles());
  }

  Portion on_from(const FringePaths& fringe) const {
    Heartbeat heart;
    return look_on(kit_.goal(), start_, knowledge_, fringe, optimum_, heart);
  }

 private:
  MovePruning pruning_{9};
  PatternKit kit_;
  Knowledge knowledge_;
  Tiles start_;
  std::int64_t optimum_ = 0;
};

// However often it is stopped, it expands as many boards in all.
void pieces_make_up_the_whole(const Case& board) {
  const Paths paths = board.all();
  CHECK(paths == board.all());
  const std::int64_t bound = board.optimum() - 2;
  const Portion whole = board.search(paths, bound);
  CHECK(!whole.moves && whole.rest.empty() && whole.sizes.size() == paths.size());
  std::mt19937 random(5);
  std::uint64_t expanded = 0;
  for (Paths waiting = paths; !waiting.empty();) {
    const std::uint64_t most = 1 + random() % (whole.expanded / 10 + 1);
    const Portion found = board.search(waiting, bound, most);
    CHECK(!found.moves && found.expanded <= most);
    expanded += found.expanded;
    const auto done = static_cast<std::ptrdiff_t>(found.sizes.size());
    Paths left(found.rest);
    left.insert(left.end(), waiting.begin() + done + (found.rest.empty() ? 0 : 1), waiting.end());
    waiting = std::move(left);
  }
  CHECK(expanded == whole.expanded);
}

void an_answer_is_found(const Case& board) {
  board.checks_out(board.search(board.all(), board.optimum()));
}

void an_answer_is_found_beyond_the_bound(const Case& board) {
  const Portion below = board.search(board.all(), board.optimum() - 2);
  CHECK(!below.fringe.empty());
  board.checks_out(board.on_from(below.fringe));
}

void misuse_is_refused(const Case& board) {
  CHECK_THROWS(std::invalid_argument, board.search({"LR"}, 30));
  CHECK_THROWS(std::invalid_argument, board.search({"?"}, 30));
  CHECK_THROWS(std::invalid_argument, board.search({board.all().front()}, 1));
}

void ways_give_roots_their_order() {
  std::vector<Root> roots(5);
  const std::vector<std::string> paths{"UU", "UL", "DR", "LL", "RD"};
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i].path = paths[i];
  const auto after = [&](const std::string& moves, const std::vector<std::size_t>& before) {
    std::vector<std::uint8_t> ways;
    for (const char move : moves) ways.push_back(direction_of(move));
    RootOrder order(roots);
    order.pass(ways);
    return order.then(before);
  };
  using Order = std::vector<std::size_t>;
  CHECK(after("", {0, 1, 2, 3, 4}) == Order({0, 1, 2, 3, 4}));
  CHECK(after("LLDRLLUDDR", {0, 1, 2, 3, 4}) == Order({3, 2, 0, 1, 4}));
  CHECK(after("RD", {3, 2, 0, 1, 4}) == Order({4, 3, 2, 0, 1}));
}

// However long it takes to make a root of a large board.
void a_stop_is_heard_between_roots() {
  const Goal goal(30, 30, 0);
  std::mt19937 random(2);
  const Tiles start = wander(goal, 100, random);
  int calls = 0;
  Heartbeat heart([&](const Progress&) { return ++calls == 9; }, {}, std::chrono::milliseconds(0));
  {
    Pulse pulse(heart);
    SearchTree(goal, nullptr).split(start, SearchTree::kManyRoots, pulse);
  }
  CHECK(heart.halted() && calls == 9 && heart.expanded() < 9);
}

}  // namespace

int main() {
  a_stop_is_heard_between_roots();
  ways_give_roots_their_order();
  for (const bool with_patterns : {true, false}) {
    const Case board(with_patterns);
    pieces_make_up_the_whole(board);
    an_answer_is_found(board);
    misuse_is_refused(board);
    if (with_patterns) an_answer_is_found_beyond_the_bound(board);
  }
}
