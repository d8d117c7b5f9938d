#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace taquin {

// How far an optimal search has come: its bound, and the roots done within it. Another run
// of the same search takes it up and leaves them out. Threads report to it while others
// read it.
class Checkpoint {
 public:
  Checkpoint() = default;
  // What another one's `bound`, `done` and `sizes` were. Sizes that don't fit are none.
  Checkpoint(std::int64_t bound, std::vector<std::uint8_t> done,
             std::vector<std::uint64_t> sizes = {});

  std::int64_t bound() const;
  // One byte a root, 1 if it is done.
  std::vector<std::uint8_t> done() const;
  // About how many boards there were below each root within the bound before, and 1 more, so that
  // none is nothing.
  std::vector<std::uint64_t> sizes() const;

  // Begins or goes on with a search that has so many roots, and tells its bound. One that begins
  // has expanded so many boards within the bound before. Throws std::invalid_argument when the
  // search it comes from had another number of roots.
  std::int64_t open(std::size_t roots, std::int64_t lower_bound, std::uint64_t expanded = 0);
  void begin(std::int64_t bound);
  // This root is done; there were so many boards below it.
  void finish(std::size_t root, std::uint64_t size);
  bool is_done(std::size_t root) const;

 private:
  mutable std::mutex mutex_;
  std::int64_t bound_ = 0;
  std::vector<std::uint8_t> done_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> found_;  // sizes within this bound, 0 where this run has not been
};

}  // namespace taquin
