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
  // What another one's `bound`, `roots` and `done` were; done has one byte a root.
  Checkpoint(std::int64_t bound, std::vector<std::uint8_t> done);

  std::int64_t bound() const;
  std::vector<std::uint8_t> done() const;

  // Begins or goes on with a search that has so many roots, and tells its bound. Throws
  // std::invalid_argument when the search it comes from had another number of roots.
  std::int64_t open(std::size_t roots, std::int64_t lower_bound);
  void begin(std::int64_t bound);
  void finish(std::size_t root);
  bool is_done(std::size_t root) const;

 private:
  mutable std::mutex mutex_;
  std::int64_t bound_ = 0;
  std::vector<std::uint8_t> done_;
};

}  // namespace taquin
