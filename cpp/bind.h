#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "heartbeat.h"
#include "pattern_table.h"
#include "patterns.h"

// What the bindings share. Only bind.cpp and bind_search.cpp know Python.
namespace taquin {

namespace nb = nanobind;

using Numbers = std::vector<std::int64_t>;
using PyTiles = nb::typed<nb::tuple, int, nb::ellipsis>;
using PyHook = std::optional<nb::typed<nb::callable, bool(int, int, int, int, double)>>;

// Runs in the thread that made the native call, so Ctrl-C works even without a hook.
inline Hook make_hook(const PyHook& hook) {
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

inline std::vector<std::uint8_t> to_vector(const nb::bytes& bytes) {
  const auto* data = static_cast<const std::uint8_t*>(bytes.data());
  return {data, data + bytes.size()};
}

inline nb::bytes to_bytes(const std::vector<std::uint8_t>& vector) {
  return nb::bytes(vector.data(), vector.size());
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

// For what takes long enough to be felt by other threads.
template <class Make>
auto while_others_run(const Make& make) {
  const nb::gil_scoped_release no_gil;
  return make();
}

// A pattern table together with the buffer it reads.
class BufferedPattern {
 public:
  BufferedPattern(Pattern pattern, std::shared_ptr<const PatternSpace> space,
                  const PyBuffer& buffer)
      : bytes_(buffer, PyBUF_SIMPLE), table_(std::move(pattern), std::move(space), bytes_.span()) {}
  const PatternTable& table() const { return table_; }

 private:
  Bytes bytes_;
  PatternTable table_;
};

// Patterns together with the tables that they read.
class TabledPatterns {
 public:
  using Use = std::tuple<nb::typed<nb::object, BufferedPattern>, Numbers, Numbers>;

  TabledPatterns(const Goal& goal, const std::vector<std::vector<Use>>& partitions)
      : patterns_(while_others_run(
            [&, adopted = adopt(partitions)] { return Patterns(goal, adopted); })) {}
  // Some of the partitions of another one.
  TabledPatterns(const TabledPatterns& all, const Numbers& numbers)
      : tables_(all.tables_), patterns_(all.patterns_.only(numbers)) {}
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

// Defined in bind_search.cpp.
void bind_search(nb::module_& module);

}  // namespace taquin
