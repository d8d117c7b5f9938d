#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace taquin {

// Boards just beyond the bound of an iteration, those nearest to the goal: their f is the
// next bound, and where they are a few moves from the goal an answer is likely close by. A
// search from the best of them often finds at once what the next iteration would look for
// everywhere.
class Fringe {
 public:
  // How many boards to keep in an iteration, about, after one that expanded so many. An
  // iteration's fringe is a hundredth of its boards, which are about eight times as many as those
  // of the one before. Looking on from there costs a tenth of the iteration.
  static std::size_t size_after(std::uint64_t expanded) {
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(expanded / 12, 32, std::uint64_t{1} << 19U));
  }

  // A path to a board, with notes behind its moves.
  struct Path {
    const std::uint8_t* moves;
    std::size_t length;
    std::int64_t h;
  };

  // Keeps about so many paths to boards whose f is `bound` and whose h is at most `farthest`.
  // Behind each path are as many bytes of notes as told.
  void reset(std::int64_t bound, std::size_t capacity, std::int64_t farthest, std::size_t notes) {
    bound_ = bound;
    notes_ = notes;
    capacity_ = capacity;
    size_ = 0;
    farthest_ = std::min(bound, farthest);
    paths_.assign(static_cast<std::size_t>(farthest_ + 1), {});
  }

  // The greatest h that is still wanted.
  std::int64_t farthest() const { return farthest_; }

  void add(const std::uint8_t* path, std::int64_t h) {
    auto& bucket = paths_[static_cast<std::size_t>(h)];
    bucket.insert(bucket.end(), path, path + width(h));
    ++size_;
    trim();
  }

  // Paths of an h that another one has kept.
  void add(std::vector<std::uint8_t> paths, std::int64_t h) {
    auto& bucket = paths_[static_cast<std::size_t>(h)];
    size_ += paths.size() / width(h);
    if (bucket.empty()) {
      bucket = std::move(paths);
    } else {
      bucket.insert(bucket.end(), paths.begin(), paths.end());
    }
    trim();
  }

  // All that another one has kept of the same iteration. However that is shared, together they
  // keep the same boards.
  void join(Fringe other) {
    while (farthest_ > other.farthest_) drop_farthest();
    for (std::int64_t h = 0; h <= farthest_; ++h) {
      add(std::move(other.paths_[static_cast<std::size_t>(h)]), h);
    }
  }

  std::size_t size() const { return size_; }

  const std::vector<std::uint8_t>& paths(std::int64_t h) const {
    return paths_[static_cast<std::size_t>(h)];
  }
  // How many paths there are of an h.
  std::size_t count(std::int64_t h) const {
    if (h > farthest_ || h >= bound_) return 0;
    return paths_[static_cast<std::size_t>(h)].size() / width(h);
  }

  // Goes through the paths, those nearest to the goal first. Each number asked for must be greater
  // than the one before.
  class Walk {
   public:
    explicit Walk(const Fringe& fringe) : fringe_(fringe) {}

    // None after the last one.
    std::optional<Path> at(std::size_t number) {
      while (h_ <= fringe_.farthest_ && number - passed_ >= fringe_.count(h_)) {
        passed_ += fringe_.count(h_++);
      }
      if (h_ > fringe_.farthest_) return {};
      return Path{fringe_.paths(h_).data() + (number - passed_) * fringe_.width(h_),
                  fringe_.length(h_), h_};
    }

   private:
    const Fringe& fringe_;
    std::int64_t h_ = 0;
    std::size_t passed_ = 0;  // paths of less h
  };

 private:
  std::size_t length(std::int64_t h) const { return static_cast<std::size_t>(bound_ - h); }
  std::size_t width(std::int64_t h) const { return length(h) + notes_; }

  // What is farther goes as soon as the nearer ones suffice.
  void trim() {
    while (size_ - count(farthest_) >= capacity_) drop_farthest();
  }
  void drop_farthest() {
    size_ -= count(farthest_);
    paths_[static_cast<std::size_t>(farthest_--)] = {};
  }

  std::int64_t bound_ = 0;
  std::size_t notes_ = 0;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::int64_t farthest_ = -1;
  std::vector<std::vector<std::uint8_t>> paths_;  // by h; all paths of an h are equally long
};

}  // namespace taquin
