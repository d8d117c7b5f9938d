#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

  // Paths to boards of the same h, all equally long, one after the other. A path is a byte for
  // each move; or what a search notes instead, always so many bytes.
  using Paths = std::vector<std::uint8_t>;

  // Some of the paths, in the order in which they were found.
  struct Piece {
    const Paths& paths;
    std::size_t length;  // of the way
    std::size_t bytes;   // of what is kept of it
    bool is_noted = false;

    std::size_t count() const { return paths.size() / bytes; }
    const std::uint8_t* path(std::size_t i) const { return paths.data() + i * bytes; }
  };

  // Of paths, or of notes of so many bytes.
  explicit Fringe(std::size_t note_bytes = 0) : note_bytes_(note_bytes) {}
  std::size_t note_bytes() const { return note_bytes_; }

  // Keeps about so many paths to boards whose f is `bound` and whose h is at most `farthest`.
  void reset(std::int64_t bound, std::size_t capacity, std::int64_t farthest) {
    bound_ = bound;
    capacity_ = capacity;
    size_ = 0;
    farthest_ = std::min(bound - 1, farthest);
    shells_.assign(static_cast<std::size_t>(farthest_ + 1), {});
  }

  // The greatest h that is still wanted.
  std::int64_t farthest() const { return farthest_; }

  void add(const std::uint8_t* path, std::int64_t h) {
    const std::size_t bytes = bytes_of(h);
    Shell& shell = shells_[static_cast<std::size_t>(h)];
    if (shell.pieces.empty() || shell.pieces.back().size() >= kPathsOfPiece * bytes) {
      shell.pieces.emplace_back().reserve(kPathsOfPiece * bytes);
    }
    Paths& last = shell.pieces.back();
    last.insert(last.end(), path, path + bytes);
    counted(shell, 1);
  }

  // Paths of an h that another one has kept.
  void add(Paths paths, std::int64_t h) {
    Shell& shell = shells_[static_cast<std::size_t>(h)];
    const std::size_t count = paths.size() / bytes_of(h);
    shell.pieces.push_back(std::move(paths));
    counted(shell, count);
  }

  // All that another one of the same kind has kept of the same iteration. However that is shared,
  // together they keep the same boards.
  void join(Fringe other) {
    while (farthest_ > other.farthest_) drop_farthest();
    for (std::int64_t h = 0; h <= farthest_; ++h) {
      for (Paths& paths : other.shells_[static_cast<std::size_t>(h)].pieces) {
        add(std::move(paths), h);
      }
    }
  }

  std::size_t size() const { return size_; }

  // All paths, those nearest to the goal first.
  std::vector<Piece> pieces() const {
    std::vector<Piece> all;
    for (std::int64_t h = 0; h <= farthest_; ++h) {
      for (const Paths& paths : shells_[static_cast<std::size_t>(h)].pieces) {
        all.push_back({paths, length_of(h), bytes_of(h), note_bytes_ > 0});
      }
    }
    return all;
  }

 private:
  // Small enough to be shared among threads, and large enough that this costs nothing.
  static constexpr std::size_t kPathsOfPiece = 64;

  // The boards of an h. In pieces, as a vector that grows moves what it has.
  struct Shell {
    std::vector<Paths> pieces;
    std::size_t count = 0;
  };

  std::size_t length_of(std::int64_t h) const { return static_cast<std::size_t>(bound_ - h); }
  std::size_t bytes_of(std::int64_t h) const {
    return note_bytes_ > 0 ? note_bytes_ : length_of(h);
  }

  // What is farther goes as soon as the nearer ones suffice.
  void counted(Shell& shell, std::size_t more) {
    shell.count += more;
    size_ += more;
    while (farthest_ >= 0 && size_ - farthest_shell().count >= capacity_) drop_farthest();
  }
  void drop_farthest() {
    size_ -= farthest_shell().count;
    farthest_shell() = {};
    --farthest_;
  }
  Shell& farthest_shell() { return shells_[static_cast<std::size_t>(farthest_)]; }

  std::size_t note_bytes_;
  std::int64_t bound_ = 0;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::int64_t farthest_ = -1;
  std::vector<Shell> shells_;  // by h
};

}  // namespace taquin
