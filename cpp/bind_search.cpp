#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.h"
#include "checkpoint.h"
#include "fast.h"
#include "fringe.h"
#include "idastar.h"
#include "multi_idastar.h"
#include "subtrees.h"
#include "walking.h"

using namespace nanobind::literals;

namespace taquin {

namespace {

void bind_search_report(nb::module_& module) {
  nb::class_<LastBound>(module, "LastBound", "How the last bound of a search went.")
      .def_ro("expanded", &LastBound::expanded, "Boards expanded within it.")
      .def_ro("reach", &LastBound::reach, "The greatest h that the next fringe would want.");
  nb::class_<Report>(module, "SearchReport", "What a native search found, and what it cost.")
      .def_ro("moves", &Report::moves, "The solution's letters; None when the run was stopped.")
      .def_ro("expanded", &Report::expanded, "Boards whose neighbours were generated.")
      .def_ro("generated", &Report::generated, "Boards generated as neighbours of others.")
      .def_ro("lower_bound", &Report::lower_bound, "No solution has fewer moves: proven.")
      .def_ro("limit_reached", &Report::limit_reached, "Whether `max_expanded` ended the run.")
      .def_ro("iterations", &Report::iterations, "The threshold and expansions of each iteration.")
      .def_ro("last", &Report::last, "By which another run goes on from this one.");
}

// A fringe by h, as Python has it.
using Ways = std::vector<std::pair<std::int64_t, nb::bytes>>;

FringePaths to_paths(const Ways& fringe) {
  FringePaths paths;
  for (const auto& [h, bytes] : fringe) paths[h] = to_vector(bytes);
  return paths;
}

Ways from_paths(const FringePaths& paths) {
  Ways fringe;
  for (const auto& [h, bytes] : paths) fringe.emplace_back(h, to_bytes(bytes));
  return fringe;
}

void bind_checkpoint(nb::module_& module) {
  nb::class_<Checkpoint>(
      module, "Checkpoint",
      "How far an optimal search has come: a search that is given it leaves out what is done.")
      .def(
          "__init__",
          [](Checkpoint* self, std::int64_t bound, const nb::bytes& done,
             std::vector<std::uint64_t> sizes, std::vector<std::uint64_t> found,
             std::vector<std::size_t> order, const Ways& fringe) {
            new (self) Checkpoint(bound, to_vector(done), std::move(sizes), std::move(found),
                                  std::move(order), to_paths(fringe));
          },
          "bound"_a = 0, "done"_a = nb::bytes("", 0), "sizes"_a = std::vector<std::uint64_t>(),
          "found"_a = std::vector<std::uint64_t>(), "order"_a = std::vector<std::size_t>(),
          "fringe"_a = Ways())
      .def_prop_ro("bound", &Checkpoint::bound, "No solution is shorter.")
      .def_prop_ro(
          "done", [](const Checkpoint& self) { return to_bytes(self.done()); },
          "One byte for each subtree of the search within the bound: 1 if it is done.")
      .def_prop_ro("sizes", &Checkpoint::sizes,
                   "About how many boards each subtree had within the bound before, and 1 more.")
      .def_prop_ro("found", &Checkpoint::found,
                   "The same within the bound, and 0 for subtrees that are not done.")
      .def_prop_ro("order", &Checkpoint::order, "The subtrees that come first within the bound.")
      .def_prop_ro(
          "fringe", [](const Checkpoint& self) { return from_paths(self.fringe()); },
          "Boards just beyond the bound, for `look_on`: pairs of h and bytes, by h.")
      .def(
          "open", &Checkpoint::open, "subtrees"_a, "bound"_a, "expanded"_a = 0,
          "Begins or goes on with a search of so many subtrees, and tells its bound; ValueError\n"
          "when the search it comes from had another number. One that begins has expanded so many\n"
          "boards within the bound before.")
      .def("begin", &Checkpoint::begin, "bound"_a, "order"_a,
           "Nothing is done within this bound so far.")
      .def("finish", &Checkpoint::finish, "subtree"_a, "size"_a,
           "This subtree is done; so many boards were expanded.");
}

// The board and what is known, as all native searches take them.
struct Task {
  Goal goal;
  Tiles tiles;
  Knowledge knowledge;

  Task(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& numbers,
       const WalkingDistance* walking, const TabledPatterns* patterns, const MovePruning* pruning)
      : goal(rows, cols, blank),
        tiles(goal.board(numbers)),
        knowledge{walking, patterns == nullptr ? nullptr : &patterns->patterns(), pruning} {}
};

// Answers of large boards have millions of moves: so many can be dealt with in a moment.
constexpr std::size_t kMovesAtOnce = std::size_t{1} << 20U;

bool is_solved_by(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& numbers,
                  std::string_view moves, const PyHook& hook) {
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  Tiles tiles = goal.board(numbers);
  for (; !moves.empty(); moves.remove_prefix(std::min(kMovesAtOnce, moves.size()))) {
    if (!goal.make(moves.substr(0, kMovesAtOnce), tiles)) return false;
    heart.beat_or_stop();
  }
  return tiles == goal.tiles();
}

nb::typed<nb::tuple, nb::any, nb::ellipsis> spelled(
    std::string_view letters, const nb::typed<nb::dict, nb::str, nb::any>& meanings,
    const PyHook& hook) {
  std::array<PyObject*, 256> meaning_of{};
  for (const auto [letter, meaning] : meanings)
    meaning_of[static_cast<unsigned char>(nb::cast<char>(letter))] = meaning.ptr();
  Heartbeat heart(make_hook(hook));
  nb::tuple result;
  for (std::size_t done = 0; done < letters.size();) {
    // It grows bit by bit, as room for all at once is made ready in one go.
    const std::size_t end = std::min(letters.size(), done + kMovesAtOnce);
    PyObject* grown = result.release().ptr();
    if (_PyTuple_Resize(&grown, static_cast<Py_ssize_t>(end)) != 0) throw nb::python_error();
    result = nb::steal<nb::tuple>(grown);
    for (; done < end; ++done) {
      PyObject* meaning = meaning_of[static_cast<unsigned char>(letters[done])];
      if (meaning == nullptr) throw nb::key_error(("letter " + std::to_string(done + 1)).c_str());
      PyTuple_SET_ITEM(grown, static_cast<Py_ssize_t>(done), Py_NewRef(meaning));
    }
    heart.beat_or_stop();
  }
  return result;
}

std::vector<std::string> run_subtrees(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                                      const Numbers& tiles, const WalkingDistance* walking,
                                      const TabledPatterns* patterns, const MovePruning* pruning,
                                      const PyHook& hook) {
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  const Task task(rows, cols, blank, tiles, walking, patterns, pruning);
  return subtrees(task.goal, task.tiles, pruning, heart);
}

// Parts of a search are short, and end as soon as another one has the answer.
constexpr std::chrono::milliseconds kPartInterval(10);

Portion run_search_subtrees(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                            const Numbers& tiles, const std::vector<std::string>& paths,
                            std::int64_t bound, const WalkingDistance* walking,
                            const TabledPatterns* patterns, const MovePruning* pruning,
                            std::size_t fringe, std::optional<std::size_t> most_fringe,
                            std::int64_t reach, std::optional<std::uint64_t> max_expanded,
                            const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded, kPartInterval);
  const nb::gil_scoped_release no_gil;
  const Task task(rows, cols, blank, tiles, walking, patterns, pruning);
  const FringeSize size{fringe, most_fringe.value_or(FringeSize().most)};
  return search_subtrees(task.goal, task.tiles, task.knowledge, paths, {bound, size, reach}, heart);
}

Portion run_look_on(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& tiles,
                    const Ways& fringe, std::int64_t bound, const WalkingDistance* walking,
                    const TabledPatterns* patterns, const MovePruning* pruning,
                    std::optional<std::uint64_t> max_expanded, const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded, kPartInterval);
  const FringePaths paths = to_paths(fringe);
  const nb::gil_scoped_release no_gil;
  const Task task(rows, cols, blank, tiles, walking, patterns, pruning);
  return look_on(task.goal, task.tiles, task.knowledge, paths, bound, heart);
}

nb::bytes pack_ways(const nb::bytes& ways) {
  return to_bytes(packed_ways(to_vector(ways)));
}

nb::bytes unpack_ways(const nb::bytes& packed, std::size_t moves) {
  return to_bytes(unpacked_ways(to_vector(packed), moves));
}

void bind_subtrees(nb::module_& module) {
  nb::class_<Portion>(module, "Portion", "What came of a part of one bound of an optimal search.")
      .def_ro("moves", &Portion::moves, "The letters of a solution within the bound.")
      .def_ro("sizes", &Portion::sizes, "Boards expanded in each subtree that is done, in order.")
      .def_ro("rest", &Portion::rest, "What is left of the next subtree, if that was begun.")
      .def_prop_ro(
          "fringe", [](const Portion& self) { return from_paths(self.fringe); },
          "Boards just beyond the bound, for `look_on`: pairs of h and bytes, by h.")
      .def_ro("expanded", &Portion::expanded, "Boards whose neighbours were generated.")
      .def_ro("generated", &Portion::generated, "Boards generated as neighbours of others.");
  module.def("pack_ways", &pack_ways, "ways"_a, "The bytes of a fringe in a quarter of the space.");
  module.def("unpack_ways", &unpack_ways, "packed"_a, "moves"_a,
             "So many of these bytes again; ValueError if they are not as many.");
  module.def(
      "subtrees", &run_subtrees, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "walking"_a = nb::none(),
      "patterns"_a = nb::none(), "pruning"_a = nb::none(), "hook"_a = nb::none(),
      "The subtrees into which an optimal search with a checkpoint is divided, as paths to their\n"
      "roots; none if the goal is nearer. They depend on the board, the goal and the pruning.");
  module.def(
      "search_subtrees", &run_search_subtrees, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "paths"_a,
      "bound"_a, "walking"_a = nb::none(), "patterns"_a = nb::none(), "pruning"_a = nb::none(),
      "fringe"_a = 0, "most_fringe"_a = nb::none(), "reach"_a = 0, "max_expanded"_a = nb::none(),
      "hook"_a = nb::none(),
      "Searches subtrees for solutions of at most `bound` moves, one after the other. What is "
      "left\n"
      "of the one at hand when the run is stopped comes back as subtrees, too. About `fringe`\n"
      "boards beyond the bound are kept, and never more than `most_fringe`: those of the least h,\n"
      "which is at most `reach`.");
  module.def("look_on", &run_look_on, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "fringe"_a,
             "bound"_a, "walking"_a = nb::none(), "patterns"_a = nb::none(),
             "pruning"_a = nb::none(), "max_expanded"_a = nb::none(), "hook"_a = nb::none(),
             "Searches on from the boards that `search_subtrees` kept beyond the bound before.");
  module.def("fringe_size", &Fringe::size_after, "expanded"_a,
             "How many boards to keep beyond a bound, after one that took so many expansions.");
}

constexpr std::uint64_t kBoundless = std::numeric_limits<std::uint64_t>::max();

Report run_idastar(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& tiles,
                   const WalkingDistance* walking, const TabledPatterns* patterns,
                   const MovePruning* pruning, double weight, std::int64_t threads,
                   std::int64_t known, std::int64_t bound, const std::optional<LastBound>& last,
                   std::uint64_t pause, Checkpoint* checkpoint, std::optional<std::uint64_t> memory,
                   std::optional<std::uint64_t> max_expanded, const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded);
  const nb::gil_scoped_release no_gil;
  const Task task(rows, cols, blank, tiles, walking, patterns, pruning);
  return idastar(task.goal, task.tiles, task.knowledge,
                 {weight, threads, known, bound, last.value_or(LastBound{}), pause, checkpoint,
                  memory.value_or(kBoundless)},
                 heart);
}

Answers run_all_answers(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                        const Numbers& tiles, const TabledPatterns& patterns, std::int64_t length,
                        std::size_t most, std::optional<std::uint64_t> max_expanded,
                        const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  return all_answers(goal, goal.board(tiles), patterns.patterns(), length, most, heart);
}

void bind_all_answers(nb::module_& module) {
  nb::class_<Answers>(module, "Answers", "All shortest solutions of a board.")
      .def_ro("count", &Answers::count, "How many there are.")
      .def_ro("first", &Answers::first, "The letters of the first ones.")
      .def_ro("complete", &Answers::complete, "False when the run was stopped.");
  module.def(
      "all_answers", &run_all_answers, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "patterns"_a,
      "length"_a, "most"_a, "max_expanded"_a = nb::none(), "hook"_a = nb::none(),
      "All solutions of `length` moves, which must be the least: how many there are, and the\n"
      "first `most` of them.");
}

Report run_multi_idastar(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                         const Numbers& tiles, std::int64_t threads, MultiTables* tables,
                         std::optional<std::uint64_t> memory,
                         std::optional<std::uint64_t> max_expanded, const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  if (tables != nullptr && !(tables->goal() == goal)) {
    throw std::invalid_argument("the tables are for another shape or goal");
  }
  MultiTables own(goal);
  return multi_idastar(goal.board(tiles), tables == nullptr ? own : *tables,
                       memory.value_or(kBoundless), threads, heart);
}

Report run_fast(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& tiles,
                std::uint64_t effort, std::optional<std::uint64_t> memory,
                std::optional<std::uint64_t> max_expanded, const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  return fast(goal, goal.board(tiles), effort, memory.value_or(kBoundless), heart);
}

}  // namespace

void bind_search(nb::module_& module) {
  bind_checkpoint(module);
  bind_search_report(module);
  bind_all_answers(module);
  bind_subtrees(module);
  module.def(
      "idastar", &run_idastar, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "walking"_a = nb::none(),
      "patterns"_a = nb::none(), "pruning"_a = nb::none(), "weight"_a = 1.0, "threads"_a = 1,
      "known"_a = 0, "bound"_a = 0, "last"_a = nb::none(), "pause"_a = 0,
      "checkpoint"_a = nb::none(), "memory"_a = nb::none(), "max_expanded"_a = nb::none(),
      "hook"_a = nb::none(),
      "Iterative deepening A* with patterns and a MovePruning, with the walking distance, or\n"
      "with the Manhattan distance if there is neither. The answer has at most `weight`\n"
      "times the least length. It begins with answers of length `bound`, and ends without one\n"
      "when none is shorter than `known`, or after a bound for which more than `pause` boards\n"
      "were expanded. `last` is that of a run from which this one goes on. What it keeps of\n"
      "boards beyond the bound takes at most `memory` bytes.\n"
      "`max_expanded` is never exceeded, and exact with one thread.");
  module.def("multi_idastar", &run_multi_idastar, "rows"_a, "cols"_a, "blank"_a, "tiles"_a,
             "threads"_a = 1, "tables"_a = nb::none(), "memory"_a = nb::none(),
             "max_expanded"_a = nb::none(), "hook"_a = nb::none(),
             "Iterative deepening A* in the multi-tile metric: tiles that slide together along a\n"
             "row or column are one move. The lower bound and the thresholds count such moves,\n"
             "while the letters name each tile's slide. The tables it needs are taken from\n"
             "`tables` and kept there, or made anew; it asks for at most `memory` bytes of them.");
  nb::class_<MultiTables>(module, "MultiTables",
                          "The tables of a goal in the multi-tile metric, as searches need them.")
      .def(
          "__init__",
          [](MultiTables* self, std::int64_t rows, std::int64_t cols, std::int64_t blank) {
            new (self) MultiTables(Goal(rows, cols, blank));
          },
          "rows"_a, "cols"_a, "blank"_a);
  module.def("fast", &run_fast, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "effort"_a,
             "memory"_a = nb::none(), "max_expanded"_a = nb::none(), "hook"_a = nb::none(),
             "An answer at once on a board of any size: a constructed one, bettered as long as\n"
             "about `effort` expansions last. The same effort gives the same answer. A run that\n"
             "is stopped gives the best answer so far; None if there is none yet, or none that\n"
             "`memory` bytes suffice for.");
  module.def("is_solved_by", &is_solved_by, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "moves"_a,
             "hook"_a = nb::none(),
             "Whether these letters are moves that can all be made, and lead to the goal; Stopped\n"
             "when the hook returns true.");
  module.def(
      "spelled", &spelled, "letters"_a, "meanings"_a, "hook"_a = nb::none(),
      "What each of the letters means; KeyError if one means nothing, Stopped when the hook\n"
      "returns true.");
}

}  // namespace taquin
