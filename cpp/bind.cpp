#include "bind.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "audit.h"
#include "checkpoint.h"
#include "checksum.h"
#include "crew.h"
#include "distance_table.h"
#include "exact_table.h"
#include "heuristics.h"
#include "idastar.h"
#include "move_pruning.h"
#include "pattern_table.h"
#include "patterns.h"
#include "walking.h"

using namespace nanobind::literals;
using namespace taquin;

namespace {

PyTiles to_tuple(const Tiles& tiles) {
  auto tuple = nb::steal<PyTiles>(PyTuple_New(static_cast<Py_ssize_t>(tiles.size())));
  if (!tuple.is_valid()) throw nb::python_error();
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    PyObject* const tile = PyLong_FromUnsignedLong(tiles[cell]);
    if (tile == nullptr) throw nb::python_error();
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(cell), tile);
  }
  return tuple;
}

std::vector<PyTiles> to_tuples(const std::vector<Tiles>& boards) {
  std::vector<PyTiles> tuples;
  for (const Tiles& tiles : boards) tuples.push_back(to_tuple(tiles));
  return tuples;
}

bool reads_in_order(const Numbers& goal) {
  std::int64_t last = 0;
  return std::all_of(goal.begin(), goal.end(),
                     [&](std::int64_t tile) { return tile == 0 || tile == ++last; });
}

// What is known of a board at once comes in few steps, so that looks are far apart anyway.
constexpr std::chrono::milliseconds kBetweenLooks(10);

// Tiles under the names that make the goal's read 1, 2, 3 ... around its blank.
PyTiles renamed(const PyTiles& board, const Numbers& goal, const PyHook& hook) {
  if (reads_in_order(goal)) return board;
  Heartbeat heart(make_hook(hook), {}, kBetweenLooks);
  const auto look = [&] {
    if (hook) heart.beat_or_stop();
  };
  look();
  const auto numbers = nb::cast<Numbers>(board);
  look();
  Tiles names(goal.size(), 0);
  const auto name_of = [&](std::int64_t tile) -> Tile& {
    if (tile < 0 || tile >= static_cast<std::int64_t>(names.size())) {
      throw std::invalid_argument("tile " + std::to_string(tile) + " is not from 0 to " +
                                  std::to_string(names.size() - 1));
    }
    return names[static_cast<std::size_t>(tile)];
  };
  Tile last = 0;
  for (const std::int64_t tile : goal) {
    if (tile != 0) name_of(tile) = ++last;
  }
  Tiles tiles;
  tiles.reserve(numbers.size());
  for (const std::int64_t tile : numbers) tiles.push_back(name_of(tile));
  look();
  return to_tuple(tiles);
}

bool reaches(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& numbers,
             const PyHook& hook) {
  Heartbeat heart(make_hook(hook), {}, kBetweenLooks);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  return goal.reachable_from(goal.board(numbers), hook ? &heart : nullptr);
}

std::uint64_t run_inversions(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                             const Numbers& numbers, const PyHook& hook) {
  Heartbeat heart(make_hook(hook), {}, kBetweenLooks);
  const nb::gil_scoped_release no_gil;
  return inversions(Goal(rows, cols, blank).board(numbers), hook ? &heart : nullptr);
}

std::int64_t run_linear_conflict(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                                 const Numbers& numbers, const PyHook& hook) {
  Heartbeat heart(make_hook(hook), {}, kBetweenLooks);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  return linear_conflict(goal, goal.board(numbers), hook ? &heart : nullptr);
}

void bind_board(nb::module_& module) {
  module.def("renamed", &renamed, "tiles"_a, "goal"_a, "hook"_a = nb::none(),
             "A board's tiles under the names that make the goal's read 1, 2, 3 ... around its\n"
             "blank; Stopped when the hook returns true.");
  module.def(
      "reaches", &reaches, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "hook"_a = nb::none(),
      "Whether any moves lead from the board to the goal; Stopped when the hook returns true.");
  module.def(
      "inversions", &run_inversions, "rows"_a, "cols"_a, "blank"_a, "tiles"_a,
      "hook"_a = nb::none(),
      "How many pairs of tiles stand in another reading order than in the goal; Stopped when\n"
      "the hook returns true.");
  module.def("linear_conflict", &run_linear_conflict, "rows"_a, "cols"_a, "blank"_a, "tiles"_a,
             "hook"_a = nb::none(),
             "At least so many moves lead from the board to the goal: the distances of the tiles\n"
             "from home, and two for each that has to leave its line so that others get past it;\n"
             "Stopped when the hook returns true.");
  module.attr("MAX_CELLS") = Goal::kMaxCells;
}

void bind_errors(nb::module_& module) {
  nb::exception<Stopped>(module, "Stopped", PyExc_RuntimeError).attr("__doc__") =
      "The hook stopped the building of a table.";
  nb::exception<WalkingTooLarge>(module, "WalkingTooLarge", PyExc_ValueError).attr("__doc__") =
      "A walking distance table would need more states than allowed.";
}

using Answer = std::optional<std::string>;

// The answers to many boards, a byte for each tile; each is replayed.
template <class Table>
std::vector<Answer> answers(const Table& table, const nb::bytes& boards, const PyHook& hook) {
  const Goal& goal = table.goal();
  if (goal.cells() > 256 || boards.size() % goal.cells() != 0) {
    throw std::invalid_argument("the boards must be a byte for each cell");
  }
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(boards.c_str());
  std::vector<Answer> found;
  found.reserve(boards.size() / goal.cells());
  for (const auto* next = bytes; next != bytes + boards.size(); next += goal.cells()) {
    heart.beat();
    if (heart.halted()) throw Stopped("the lookup was stopped");
    const Tiles tiles = goal.board(Numbers(next, next + goal.cells()));
    Answer& answer = found.emplace_back();
    if (!goal.reachable_from(tiles)) continue;
    answer = table.moves(tiles);
    if (!goal.solved_by(tiles, *answer)) throw std::logic_error("a table gave a wrong answer");
  }
  return found;
}

constexpr const char* kAnswersDoc =
    "The letters of a shortest way for each board, all replayed; None for those that can't\n"
    "reach the goal. `boards` has a byte for each tile, one board after the other.";

void bind_distance_table(nb::module_& module) {
  nb::class_<DistanceTable>(
      module, "DistanceTable",
      "The exact distance of every board that reaches the goal 1, 2, 3, ... with the blank in\n"
      "cell `blank`, for boards of at most 10 cells.")
      .def(
          "__init__",
          [](DistanceTable* self, std::int64_t rows, std::int64_t cols, std::int64_t blank,
             const PyHook& hook) {
            Heartbeat heart(make_hook(hook));
            const nb::gil_scoped_release no_gil;
            new (self) DistanceTable(Goal(rows, cols, blank), heart);
          },
          "rows"_a, "cols"_a, "blank"_a, "hook"_a = nb::none(),
          "Searches breadth-first from the goal; Stopped when the hook returns true.")
      .def(
          "distance",
          [](const DistanceTable& self, const Numbers& tiles) {
            return self.distance(self.goal().board(tiles));
          },
          "tiles"_a, "The least number of moves to the goal.")
      .def(
          "moves",
          [](const DistanceTable& self, const Numbers& tiles) {
            return self.moves(self.goal().board(tiles));
          },
          "tiles"_a, "A shortest way to the goal, as letters U D L R: the way each tile slides.")
      .def("answers", &answers<DistanceTable>, "boards"_a, "hook"_a = nb::none(), kAnswersDoc)
      .def("layers", &DistanceTable::layers, "How many boards there are at distance 0, 1, 2, ...")
      .def(
          "at",
          [](const DistanceTable& self, int distance, std::size_t limit) {
            return to_tuples(self.at(distance, limit));
          },
          "distance"_a, "limit"_a, "The first `limit` boards, in rank order, at that distance.")
      .def(
          "distances",
          [](const DistanceTable& self) {
            return nb::bytes(self.distances().data(), self.distances().size());
          },
          "All distances in rank order, one byte each.")
      .def(
          "rank",
          [](const DistanceTable& self, const Numbers& tiles) {
            return self.rank(self.goal().board(tiles));
          },
          "tiles"_a,
          "The board's number: blank cell * (n-1)!/2 + half the lexicographic rank of the\n"
          "other tiles; on a line just the blank's cell.")
      .def(
          "unrank",
          [](const DistanceTable& self, std::uint64_t rank) { return to_tuple(self.unrank(rank)); },
          "rank"_a, "The board with that number.")
      .def(
          "__len__", [](const DistanceTable& self) { return self.distances().size(); },
          "How many boards reach the goal.");
}

// An exact table together with the buffer it reads.
class BufferedTable {
 public:
  BufferedTable(const Goal& goal, const PyBuffer& buffer)
      : bytes_(buffer, PyBUF_SIMPLE), table_(goal, bytes_.span()) {}
  const ExactTable* operator->() const { return &table_; }
  const ExactTable& table() const { return table_; }

 private:
  Bytes bytes_;
  ExactTable table_;
};

std::vector<std::uint64_t> build_exact(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                                       const PyBuffer& out, std::int64_t threads,
                                       const PyHook& hook) {
  const Bytes bytes(out, PyBUF_WRITABLE);
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  return ExactTable::build(Goal(rows, cols, blank), bytes.span(), threads, heart);
}

std::vector<PyTiles> boards_at(const BufferedTable& table, int distance, std::size_t limit,
                               const PyHook& hook, std::int64_t threads) {
  Heartbeat heart(make_hook(hook));
  std::vector<Tiles> boards;
  {
    const nb::gil_scoped_release no_gil;
    boards = ExactTable::at(table->goal(), distance, limit, threads, heart);
  }
  return to_tuples(boards);
}

void bind_exact_table(nb::module_& module) {
  module.def(
      "exact_bytes",
      [](std::int64_t rows, std::int64_t cols) { return ExactTable::bytes(Goal(rows, cols, 0)); },
      "rows"_a, "cols"_a, "The size of the exact table of a shape: about a bit for each board.");
  module.def(
      "build_exact", &build_exact, "rows"_a, "cols"_a, "blank"_a, "out"_a, "threads"_a = 1,
      "hook"_a = nb::none(),
      "Fills `out`, a writable buffer of `exact_bytes` bytes, with the exact table of all\n"
      "boards of at most 12 cells, and returns how many boards there are at distance 0, 1,\n"
      "2, ... The hook hears of the boards done so far and of the distance; Stopped when it\n"
      "returns true.");
  nb::class_<BufferedTable>(
      module, "ExactTable",
      "The exact distance of every board that reaches the goal 1, 2, 3, ... with the blank in\n"
      "cell `blank`, read from a buffer that `build_exact` has filled.")
      .def(
          "__init__",
          [](BufferedTable* self, std::int64_t rows, std::int64_t cols, std::int64_t blank,
             const PyBuffer& buffer) { new (self) BufferedTable(Goal(rows, cols, blank), buffer); },
          "rows"_a, "cols"_a, "blank"_a, "buffer"_a,
          "Keeps hold of the buffer; ValueError when it has the wrong length.")
      .def(
          "distance",
          [](const BufferedTable& self, const Numbers& tiles) {
            return self->distance(self->goal().board(tiles));
          },
          "tiles"_a, "The least number of moves to the goal.")
      .def(
          "moves",
          [](const BufferedTable& self, const Numbers& tiles) {
            return self->moves(self->goal().board(tiles));
          },
          "tiles"_a, "A shortest way to the goal, as letters U D L R: the way each tile slides.")
      .def(
          "answers",
          [](const BufferedTable& self, const nb::bytes& boards, const PyHook& hook) {
            return answers(self.table(), boards, hook);
          },
          "boards"_a, "hook"_a = nb::none(), kAnswersDoc)
      .def("at", &boards_at, "distance"_a, "limit"_a, "hook"_a = nb::none(), "threads"_a = 1,
           "The first `limit` boards, in rank order, at that distance. It searches anew up to\n"
           "there, so it may take as long as the building; Stopped when the hook returns true.");
}

void bind_walking_distance(nb::module_& module) {
  nb::class_<WalkingDistance>(
      module, "WalkingDistance",
      "Takahashi's walking distance to the goal 1, 2, 3, ... with the blank in cell `blank`:\n"
      "a lower bound that is never below the Manhattan distance.")
      .def(
          "__init__",
          [](WalkingDistance* self, std::int64_t rows, std::int64_t cols, std::int64_t blank,
             const PyHook& hook, std::uint64_t max_states) {
            Heartbeat heart(make_hook(hook));
            const nb::gil_scoped_release no_gil;
            new (self) WalkingDistance(Goal(rows, cols, blank), heart, max_states);
          },
          "rows"_a, "cols"_a, "blank"_a, "hook"_a = nb::none(),
          "max_states"_a = WalkingDistance::kMaxStates,
          "Builds the tables; WalkingTooLarge when one needs more than `max_states` states,\n"
          "Stopped when the hook returns true.")
      .def(
          "rows",
          [](const WalkingDistance& self, const Numbers& tiles) {
            return LineTable::distance(self.row_entry(self.goal().board(tiles)));
          },
          "tiles"_a, "The part of the moves between rows.")
      .def(
          "columns",
          [](const WalkingDistance& self, const Numbers& tiles) {
            return LineTable::distance(self.column_entry(self.goal().board(tiles)));
          },
          "tiles"_a, "The part of the moves between columns.")
      .def(
          "distance",
          [](const WalkingDistance& self, const Numbers& tiles) {
            const Tiles board = self.goal().board(tiles);
            return LineTable::distance(self.row_entry(board)) +
                   LineTable::distance(self.column_entry(board));
          },
          "tiles"_a, "Rows and columns together: no solution has fewer moves.")
      .def("__len__", &WalkingDistance::size, "How many states the tables hold.");
}

void build_pattern(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& cells,
                   const PyBuffer& out, std::int64_t threads, const PyHook& hook) {
  const Bytes bytes(out, PyBUF_WRITABLE);
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  const Pattern pattern(Goal(rows, cols, blank), cells);
  PatternTable::build(pattern, bytes.span(), checked_threads(threads), heart);
}

void bind_pattern_table(nb::module_& module) {
  nb::class_<PatternSpace>(module, "PatternSpace",
                           "Where the tiles of a pattern can be, and the blank among them. It "
                           "takes a moment to make, and\n"
                           "all tables of as many tiles on boards of a shape can share it.")
      .def(
          "__init__",
          [](PatternSpace* self, std::int64_t rows, std::int64_t cols, std::int64_t tiles) {
            const nb::gil_scoped_release no_gil;
            const Goal shape(rows, cols, 0);
            new (self) PatternSpace(shape.rows(), shape.cols(), static_cast<std::size_t>(tiles));
          },
          "rows"_a, "cols"_a, "tiles"_a)
      .def_prop_ro("places", &PatternSpace::places, "How many places of tiles and blank there are.")
      .def(
          "table_bytes",
          [](const PatternSpace& self, std::int64_t blank, const Numbers& cells) {
            const Goal goal(static_cast<std::int64_t>(self.rows()),
                            static_cast<std::int64_t>(self.cols()), blank);
            return PatternTable::bytes(Pattern(goal, cells), self);
          },
          "blank"_a, "cells"_a, "The size of the table of the tiles that are at home in `cells`.")
      .def_prop_ro("working_bytes", &PatternTable::working_bytes,
                   "The memory that building takes beside it.");
  module.def(
      "build_pattern", &build_pattern, "rows"_a, "cols"_a, "blank"_a, "cells"_a, "out"_a,
      "threads"_a = 1, "hook"_a = nb::none(),
      "Fills `out`, a writable buffer as large as a `PatternSpace` says, with the table of the "
      "tiles\n"
      "that are at home in `cells`. The hook hears of the places settled so far and of their\n"
      "distance; Stopped when it returns true.");
  nb::class_<BufferedPattern>(
      module, "PatternTable",
      "The least moves of the tiles of a pattern, read from a buffer that `build_pattern` filled.")
      .def(
          "__init__",
          [](BufferedPattern* self, std::shared_ptr<PatternSpace> space, std::int64_t blank,
             const Numbers& cells, const PyBuffer& buffer) {
            const Goal goal(static_cast<std::int64_t>(space->rows()),
                            static_cast<std::int64_t>(space->cols()), blank);
            new (self) BufferedPattern(Pattern(goal, cells), std::move(space), buffer);
          },
          "space"_a, "blank"_a, "cells"_a, "buffer"_a,
          "Keeps hold of the buffer; ValueError when it has the wrong length.")
      .def(
          "value",
          [](const BufferedPattern& self, const Numbers& cells, std::int64_t blank) {
            return self.table().value(cells, blank);
          },
          "cells"_a, "blank"_a,
          "The value for tiles in these cells, in the order of their home cells, and a blank.");
}

void bind_patterns(nb::module_& module) {
  nb::class_<TabledPatterns>(
      module, "Patterns",
      "The largest of several partitions' sums. A partition is a list of patterns: a table, the\n"
      "tiles in the order of the table's home cells, and the table's cell for each cell of the\n"
      "board, since a turned or mirrored board can use the same table.")
      .def(
          "__init__",
          [](TabledPatterns* self, std::int64_t rows, std::int64_t cols, std::int64_t blank,
             const std::vector<std::vector<TabledPatterns::Use>>& partitions) {
            new (self) TabledPatterns(Goal(rows, cols, blank), partitions);
          },
          "rows"_a, "cols"_a, "blank"_a, "partitions"_a)
      .def(
          "distance",
          [](const TabledPatterns& self, const Numbers& tiles) {
            return self.patterns().distance(self.patterns().goal().board(tiles));
          },
          "tiles"_a, "No solution has fewer moves.")
      .def(
          "only",
          [](const TabledPatterns& self, const Numbers& numbers) {
            return TabledPatterns(self, numbers);
          },
          "numbers"_a, "Some of the partitions, by their numbers. A search looks up four at most.")
      .def(
          "__len__", [](const TabledPatterns& self) { return self.patterns().parts().size(); },
          "How many partitions there are.");
  nb::class_<MovePruning>(module, "MovePruning",
                          "An automaton that leaves out moves which lead to the same boards.")
      .def(nb::init<>(),
           "Knows all sequences up to the length for which it was made with the core.")
      .def("__len__", &MovePruning::states, "How many states it has.");
}

Audit run_audit(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                const TabledPatterns* patterns, const WalkingDistance* walking,
                std::int64_t threads, const PyHook& hook) {
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  if (patterns != nullptr && patterns->patterns().goal() == goal) {
    const SpelledPatterns spelled(patterns->patterns());
    const auto value = [&](const Tiles& tiles) { return spelled.distance(tiles); };
    return audit(goal, value, threads, heart);
  }
  if (walking != nullptr && walking->goal() == goal) {
    const Walking heuristic(*walking);
    const auto value = [&](const Tiles& tiles) {
      return Walking::distance(heuristic.start(tiles));
    };
    return audit(goal, value, threads, heart);
  }
  throw std::invalid_argument("an audit needs patterns or a walking distance for the goal");
}

void bind_audit(nb::module_& module) {
  nb::class_<Audit>(module, "Audit", "A heuristic against the exact distances of all boards.")
      .def_ro("boards", &Audit::boards, "How many boards there are.")
      .def_ro("missing", &Audit::missing, "The moves by which the values fall short, in all.")
      .def_ro("wrong", &Audit::wrong, "The tiles of a board whose value exceeds its distance.");
  module.def(
      "audit", &run_audit, "rows"_a, "cols"_a, "blank"_a, "patterns"_a = nb::none(),
      "walking"_a = nb::none(), "threads"_a = 1, "hook"_a = nb::none(),
      "Compares the values of one heuristic with the distances of all boards, of at most 12\n"
      "cells; Stopped when the hook returns true.");
}

std::uint64_t run_checksum(const PyBuffer& buffer, const PyHook& hook) {
  const Bytes bytes(buffer, PyBUF_SIMPLE);
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  return checksum(bytes.span(), heart);
}

}  // namespace

NB_MODULE(_native, module) {
  module.doc() =
      "The native core. Goals are canonical: 1, 2, 3, ... in reading order with the blank (0) in\n"
      "cell `blank`; tiles are given in reading order. A hook is called about every 50 ms as\n"
      "hook(expanded, generated, bound, lower_bound, share), in the thread that made the call;\n"
      "share is the part of the work on this bound that is done, as far as that is known. It\n"
      "returns true to stop the run. What it raises comes out of the call.";
  bind_errors(module);
  bind_board(module);
  bind_distance_table(module);
  bind_exact_table(module);
  bind_pattern_table(module);
  bind_patterns(module);
  bind_audit(module);
  bind_walking_distance(module);
  bind_search(module);
  module.def("checksum", &run_checksum, "buffer"_a, "hook"_a = nb::none(),
             "64 bits that change if anything in the buffer does; Stopped when the hook returns\n"
             "true.");
  std::string order;
  for (const Direction direction : kSearchOrder) order += kLetters[direction];
  module.attr("SEARCH_ORDER") = order;
  module.attr("MAX_THREADS") = kMaxThreads;
  module.attr("MAX_PARTITIONS") = kMostParts;
  module.attr("MOST_KEPT") = Checkpoint::kMostBoards;
}
