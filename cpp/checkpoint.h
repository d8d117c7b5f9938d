#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "ways.h"

namespace taquin {

// How far an optimal search has come: its bound, the roots done within it, and the boards just
// beyond it that are nearest to the goal. Another run of the same search takes it up, leaves out
// what is done, and looks on from those boards. Threads report to it while others read it.
class Checkpoint {
 public:
  // With an eighth of the largest fringe a search expands a twentieth more.
  static constexpr std::size_t kMostBoards = std::size_t{1} << 16U;

  Checkpoint() = default;
  // What another one's `bound`, `done` and so on were. Sizes that don't fit are none.
  Checkpoint(std::int64_t bound, std::vector<std::uint8_t> done,
             std::vector<std::uint64_t> sizes = {}, std::vector<std::uint64_t> found = {},
             std::vector<std::size_t> order = {}, FringePaths fringe = {});

  std::int64_t bound() const;
  // One byte a root, 1 if it is done.
  std::vector<std::uint8_t> done() const;
  // About how many boards there were below each root within the bound before, and 1 more, so that
  // none is nothing.
  std::vector<std::uint64_t> sizes() const;
  // The same within the bound, and 0 for roots that are not done.
  std::vector<std::uint64_t> found() const;
  // The roots that come first within the bound.
  std::vector<std::size_t> order() const;

  // Begins or goes on with a search that has so many roots, and tells its bound. One that begins
  // has expanded so many boards within the bound before. Throws std::invalid_argument when the
  // search it comes from had another number of roots.
  std::int64_t open(std::size_t roots, std::int64_t lower_bound, std::uint64_t expanded = 0);
  void begin(std::int64_t bound, std::vector<std::size_t> order);
  // This root is done; there were so many boards below it.
  void finish(std::size_t root, std::uint64_t size);
  bool is_done(std::size_t root) const;

  // What a thread's fringe has by now, in place of what it had before.
  void keep(std::size_t thread, FringePaths fringe);
  // Of all threads and the runs before, those nearest to the goal.
  FringePaths fringe() const;

 private:
  static constexpr std::size_t kBefore = SIZE_MAX;

  void take(std::vector<std::size_t> order);
  FringePaths nearest() const;

  mutable std::mutex mutex_;
  std::int64_t bound_ = 0;
  std::vector<std::uint8_t> done_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::size_t> order_;
  std::vector<std::uint64_t> found_;
  std::map<std::size_t, FringePaths> fringes_;  // by threads, and of the runs before
};

}  // namespace taquin
