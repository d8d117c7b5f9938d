#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "audit.h"
#include "checksum.h"
#include "crew.h"
#include "distance_table.h"
#include "exact_table.h"
#include "fast.h"
#include "heuristics.h"
#include "idastar.h"
#include "move_pruning.h"
#include "multi_idastar.h"
#include "pattern_table.h"
#include "patterns.h"
#include "walking.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace taquin;

namespace {

using Numbers = std::vector<std::int64_t>;
using PyTiles = nb::typed<nb::tuple, int, nb::ellipsis>;
using PyHook = std::optional<nb::typed<nb::callable, bool(int, int, int, int, double)>>;

// Runs in the thread that made the native call, so Ctrl-C works even without a hook.
Hook make_hook(const PyHook& hook) {
  const nb::handle callable = hook ? nb::handle(*hook) : nb::handle();
  return [callable](const Progress& progress) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callable.is_valid()) return false;
    const nb::object stop = callable(progress.expanded, progress.generated, progress.bound,
                                     progress.lower_bound, progress.share);
    const int truth = PyObject_IsTrue(stop.ptr());
    if (truth < 0) throw nb::python_error();
    return truth == 1;
  };
}

PyTiles to_tuple(const Tiles& tiles) {
  nb::list list;
  for (const Tile tile : tiles) list.append(tile);
  return nb::cast<PyTiles>(nb::tuple(list));
}

std::vector<PyTiles> to_tuples(const std::vector<Tiles>& boards) {
  std::vector<PyTiles> tuples;
  for (const Tiles& tiles : boards) tuples.push_back(to_tuple(tiles));
  return tuples;
}

// Anything with the buffer protocol: bytes, bytearray, memoryview, mmap ...
class PyBuffer : public nb::object {
 public:
  NB_OBJECT(PyBuffer, nb::object, "typing_extensions.Buffer", PyObject_CheckBuffer)
};

// The bytes of a buffer, which stay where they are as long as this lives.
class Bytes {
 public:
  Bytes(const PyBuffer& buffer, int flags) {
    if (PyObject_GetBuffer(buffer.ptr(), &view_, flags) != 0) throw nb::python_error();
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { PyBuffer_Release(&view_); }

  std::span<std::uint8_t> span() const {
    return {static_cast<std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_;
};

void bind_errors(nb::module_& module) {
  nb::exception<Stopped>(module, "Stopped", PyExc_RuntimeError).attr("__doc__") =
      "The hook stopped the building of a table.";
  nb::exception<WalkingTooLarge>(module, "WalkingTooLarge", PyExc_ValueError).attr("__doc__") =
      "A walking distance table would need more states than allowed.";
}

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

void bind_search_report(nb::module_& module) {
  nb::class_<Report>(module, "SearchReport", "What a native search found, and what it cost.")
      .def_ro("moves", &Report::moves, "The solution's letters; None when the run was stopped.")
      .def_ro("expanded", &Report::expanded, "Boards whose neighbours were generated.")
      .def_ro("generated", &Report::generated, "Boards generated as neighbours of others.")
      .def_ro("lower_bound", &Report::lower_bound, "No solution has fewer moves: proven.")
      .def_ro("limit_reached", &Report::limit_reached, "Whether `max_expanded` ended the run.")
      .def_ro("iterations", &Report::iterations, "The threshold and expansions of each iteration.");
}

// For what takes long enough to be felt by other threads.
template <class Make>
auto while_others_run(const Make& make) {
  const nb::gil_scoped_release no_gil;
  return make();
}

// A pattern table together with the buffer it reads.
class BufferedPattern {
 public:
  BufferedPattern(Pattern pattern, const PyBuffer& buffer)
      : bytes_(buffer, PyBUF_SIMPLE),
        table_(while_others_run([&] { return PatternTable(std::move(pattern), bytes_.span()); })) {}
  const PatternTable& table() const { return table_; }

 private:
  Bytes bytes_;
  PatternTable table_;
};

void build_pattern(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& cells,
                   const PyBuffer& out, std::int64_t threads, const PyHook& hook) {
  const Bytes bytes(out, PyBUF_WRITABLE);
  Heartbeat heart(make_hook(hook));
  const nb::gil_scoped_release no_gil;
  const Pattern pattern(Goal(rows, cols, blank), cells);
  PatternTable::build(pattern, bytes.span(), checked_threads(threads), heart);
}

void bind_pattern_table(nb::module_& module) {
  module.def(
      "pattern_sizes",
      [](std::int64_t rows, std::int64_t cols, std::int64_t tiles) {
        const nb::gil_scoped_release no_gil;
        const Goal shape(rows, cols, 0);
        const PatternSpace space(shape.rows(), shape.cols(), static_cast<std::size_t>(tiles));
        return std::tuple(space.places(), PatternTable::bytes(space),
                          PatternTable::working_bytes(space));
      },
      "rows"_a, "cols"_a, "tiles"_a,
      "How many places of tiles and blank a pattern of so many tiles has, the bytes of its table,\n"
      "and the bytes of memory that building takes beside it.");
  module.def(
      "build_pattern", &build_pattern, "rows"_a, "cols"_a, "blank"_a, "cells"_a, "out"_a,
      "threads"_a = 1, "hook"_a = nb::none(),
      "Fills `out`, a writable buffer as large as `pattern_sizes` says, with the table of the "
      "tiles\n"
      "that are at home in `cells`. The hook hears of the places settled so far and of their\n"
      "distance; Stopped when it returns true.");
  nb::class_<BufferedPattern>(
      module, "PatternTable",
      "The least moves of the tiles of a pattern, read from a buffer that `build_pattern` filled.")
      .def(
          "__init__",
          [](BufferedPattern* self, std::int64_t rows, std::int64_t cols, std::int64_t blank,
             const Numbers& cells, const PyBuffer& buffer) {
            new (self) BufferedPattern(Pattern(Goal(rows, cols, blank), cells), buffer);
          },
          "rows"_a, "cols"_a, "blank"_a, "cells"_a, "buffer"_a,
          "Keeps hold of the buffer; ValueError when it has the wrong length.")
      .def(
          "value",
          [](const BufferedPattern& self, const Numbers& cells, std::int64_t blank) {
            return self.table().value(cells, blank);
          },
          "cells"_a, "blank"_a,
          "The value for tiles in these cells, in the order of their home cells, and a blank.");
}

// Patterns together with the tables that they read.
class TabledPatterns {
 public:
  using Use = std::tuple<nb::typed<nb::object, BufferedPattern>, Numbers, Numbers>;

  TabledPatterns(const Goal& goal, const std::vector<std::vector<Use>>& partitions)
      : patterns_(while_others_run(
            [&, adopted = adopt(partitions)] { return Patterns(goal, adopted); })) {}
  const Patterns& patterns() const { return patterns_; }

 private:
  std::vector<Partition> adopt(const std::vector<std::vector<Use>>& partitions) {
    std::vector<Partition> adopted;
    for (const auto& uses : partitions) {
      Partition& partition = adopted.emplace_back();
      for (const auto& [object, tiles, cells] : uses) {
        partition.push_back({&nb::cast<const BufferedPattern&>(object).table(), tiles, cells});
        tables_.push_back(object);
      }
    }
    return adopted;
  }

  std::vector<nb::object> tables_;
  Patterns patterns_;
};

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
          "tiles"_a, "No solution has fewer moves.");
  nb::class_<MovePruning>(module, "MovePruning",
                          "An automaton that leaves out moves which lead to the same boards.")
      .def(
          "__init__",
          [](MovePruning* self, std::size_t moves, const PyHook& hook) {
            Heartbeat heart(make_hook(hook));
            const nb::gil_scoped_release no_gil;
            new (self) MovePruning(moves, heart);
          },
          "moves"_a = MovePruning::kMostMoves, "hook"_a = nb::none(),
          "Knows all sequences of at most so many moves; Stopped when the hook returns true.")
      .def("__len__", &MovePruning::states, "How many states it has.");
}

void bind_checkpoint(nb::module_& module) {
  nb::class_<Checkpoint>(
      module, "Checkpoint",
      "How far an optimal search has come: a search that is given it leaves out what is done.")
      .def(
          "__init__",
          [](Checkpoint* self, std::int64_t bound, const nb::bytes& done) {
            const auto* data = reinterpret_cast<const std::uint8_t*>(done.c_str());
            new (self) Checkpoint(bound, {data, data + done.size()});
          },
          "bound"_a = 0, "done"_a = nb::bytes("", 0))
      .def_prop_ro("bound", &Checkpoint::bound, "No solution is shorter.")
      .def_prop_ro(
          "done",
          [](const Checkpoint& self) {
            const std::vector<std::uint8_t> done = self.done();
            return nb::bytes(done.data(), done.size());
          },
          "One byte for each part of the search within the bound: 1 if it is done.");
}

Report run_idastar(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& tiles,
                   const WalkingDistance* walking, const TabledPatterns* patterns,
                   const MovePruning* pruning, double weight, std::int64_t threads,
                   std::int64_t known, std::int64_t bound, std::uint64_t pause,
                   Checkpoint* checkpoint, std::optional<std::uint64_t> max_expanded,
                   const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  const Knowledge knowledge{walking, patterns == nullptr ? nullptr : &patterns->patterns(),
                            pruning};
  return idastar(goal, goal.board(tiles), knowledge,
                 {weight, threads, known, bound, pause, checkpoint}, heart);
}

Answers run_all_answers(std::int64_t rows, std::int64_t cols, std::int64_t blank,
                        const Numbers& tiles, const TabledPatterns& patterns, std::int64_t length,
                        std::size_t most, const PyHook& hook) {
  Heartbeat heart(make_hook(hook));
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
      "length"_a, "most"_a, "hook"_a = nb::none(),
      "All solutions of `length` moves, which must be the least: how many there are, and the\n"
      "first `most` of them.");
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
                       memory.value_or(std::numeric_limits<std::uint64_t>::max()), threads, heart);
}

Report run_fast(std::int64_t rows, std::int64_t cols, std::int64_t blank, const Numbers& tiles,
                std::uint64_t effort, std::optional<std::uint64_t> max_expanded,
                const PyHook& hook) {
  Heartbeat heart(make_hook(hook), max_expanded);
  const nb::gil_scoped_release no_gil;
  const Goal goal(rows, cols, blank);
  return fast(goal, goal.board(tiles), effort, heart);
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
  bind_distance_table(module);
  bind_exact_table(module);
  bind_pattern_table(module);
  bind_patterns(module);
  bind_audit(module);
  bind_walking_distance(module);
  bind_checkpoint(module);
  bind_search_report(module);
  bind_all_answers(module);
  module.def(
      "idastar", &run_idastar, "rows"_a, "cols"_a, "blank"_a, "tiles"_a, "walking"_a = nb::none(),
      "patterns"_a = nb::none(), "pruning"_a = nb::none(), "weight"_a = 1.0, "threads"_a = 1,
      "known"_a = 0, "bound"_a = 0, "pause"_a = 0, "checkpoint"_a = nb::none(),
      "max_expanded"_a = nb::none(), "hook"_a = nb::none(),
      "Iterative deepening A* with patterns and a MovePruning, with the walking distance, or\n"
      "with the Manhattan distance if there is neither. The answer has at most `weight`\n"
      "times the least length. It begins with answers of length `bound`, and ends without one\n"
      "when none is shorter than `known`, or after a bound for which more than `pause` boards\n"
      "were expanded.\n"
      "`max_expanded` is never exceeded, and exact with one thread.");
  module.def("checksum", &run_checksum, "buffer"_a, "hook"_a = nb::none(),
             "64 bits that change if anything in the buffer does; Stopped when the hook returns\n"
             "true.");
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
             "max_expanded"_a = nb::none(), "hook"_a = nb::none(),
             "An answer at once on a board of any size: a constructed one, bettered as long as\n"
             "about `effort` expansions last. The same effort gives the same answer. A run that\n"
             "is stopped gives the best answer so far; None if there is none yet.");
  module.attr("MAX_CELLS") = Goal::kMaxCells;
  module.attr("MAX_THREADS") = kMaxThreads;
}
