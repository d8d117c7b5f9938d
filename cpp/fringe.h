#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "ways.h"

namespace taquin {

// How many boards a fringe keeps. With `enough` of them no farther ones are wanted, but all of the
// same h: so they may be more, but never more than `most`.
struct FringeSize {
  std::size_t enough = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

// How far from the goal boards are still wanted, when about so many of the nearest ones are.
class FringeQuota {
 public:
  void reset(FringeSize wanted, std::int64_t farthest) {
    wanted_ = wanted;
    size_ = 0;
    counts_.assign(static_cast<std::size_t>(farthest + 1), 0);
  }

  // The greatest h that is still wanted.
  std::int64_t farthest() const { return static_cast<std::int64_t>(counts_.size()) - 1; }
  std::size_t size() const { return size_; }

  // So many more of an h. What is farther goes as soon as the nearer ones suffice, or when all are
  // too many: in whatever order they come, in the end the same are left.
  void count(std::int64_t h, std::size_t more) {
    counts_[static_cast<std::size_t>(h)] += more;
    size_ += more;
    while (!counts_.empty() && (size_ - counts_.back() >= wanted_.enough || size_ > wanted_.most)) {
      drop_farthest();
    }
  }
  void stop_at(std::int64_t farthest) {
    while (this->farthest() > farthest) drop_farthest();
  }

 private:
  void drop_farthest() {
    size_ -= counts_.back();
    counts_.pop_back();
  }

  FringeSize wanted_;
  std::size_t size_ = 0;
  std::vector<std::size_t> counts_;  // by h
};

// What the fringes of several threads share, so that none keeps what the others' boards have made
// superfluous.
class SharedQuota {
 public:
  void reset(FringeSize wanted, std::int64_t farthest) { quota_.reset(wanted, farthest); }

  // So many more of an h; the greatest h that is then still wanted.
  std::int64_t count(std::int64_t h, std::size_t more) {
    const std::lock_guard lock(mutex_);
    if (h <= quota_.farthest()) quota_.count(h, more);
    return quota_.farthest();
  }

 private:
  std::mutex mutex_;
  FringeQuota quota_;
};

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

  // A board of a piece.
  struct Kept {
    const Piece* piece;
    std::size_t number;

    const std::uint8_t* path() const { return piece->path(number); }
  };

  // Calls use(boards) with some boards of these pieces at a time, until it returns false. They are
  // so many that it is rare for a search to run out of boards that it can expand together.
  template <class Use>
  static void some_at_a_time(std::span<const Piece> pieces, const Use& use) {
    constexpr std::size_t some = 1024;
    std::vector<Kept> boards;
    for (const Piece& piece : pieces) {
      for (std::size_t i = 0; i < piece.count(); ++i) {
        boards.push_back({&piece, i});
        if (boards.size() < some) continue;
        if (!use(boards)) return;
        boards.clear();
      }
    }
    if (!boards.empty()) use(boards);
  }

  // Of paths, or of notes of so many bytes.
  explicit Fringe(std::size_t note_bytes = 0) : note_bytes_(note_bytes) {}
  std::size_t note_bytes() const { return note_bytes_; }

  // Keeps so many paths to boards whose f is `bound` and whose h is at most `farthest`. With a
  // quota that others share, all of them together keep so many.
  void reset(std::int64_t bound, FringeSize wanted, std::int64_t farthest,
             SharedQuota* shared = nullptr) {
    bound_ = bound;
    quota_.reset(wanted, std::min(bound - 1, farthest));
    shared_ = shared;
    shells_.assign(static_cast<std::size_t>(quota_.farthest() + 1), {});
  }

  // The greatest h that is still wanted.
  std::int64_t farthest() const { return quota_.farthest(); }

  void add(const std::uint8_t* path, std::int64_t h) {
    const std::size_t bytes = bytes_of(h);
    Shell& shell = shells_[static_cast<std::size_t>(h)];
    if (shell.empty() || shell.back().size() >= kPathsOfPiece * bytes) {
      if (!shell.empty() && shared_ != nullptr) ask_others(h);
      if (h > farthest()) return;
      shell.emplace_back().reserve(kPathsOfPiece * bytes);
    }
    shell.back().insert(shell.back().end(), path, path + bytes);
    counted(h, 1);
  }

  // Keeps all these ways to boards whose f is `bound`.
  void keep(std::int64_t bound, const FringePaths& ways) {
    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    reset(bound, {all, all}, bound - 1);
    for (const auto& [h, same] : ways) {
      const std::size_t piece = kPathsOfPiece * bytes_of(h);
      for (std::size_t i = 0; i < same.size(); i += piece) {
        const auto begin = same.begin() + static_cast<std::ptrdiff_t>(i);
        const auto size = static_cast<std::ptrdiff_t>(std::min(piece, same.size() - i));
        add(Paths(begin, begin + size), h);
      }
    }
  }

  // Paths of an h that another one has kept.
  void add(Paths paths, std::int64_t h) {
    const std::size_t count = paths.size() / bytes_of(h);
    shells_[static_cast<std::size_t>(h)].push_back(std::move(paths));
    counted(h, count);
  }

  // All that another one of the same kind has kept of the same iteration. However that is shared,
  // together they keep the same boards.
  void join(Fringe other) {
    stop_at(other.farthest());
    for (std::int64_t h = 0; h <= farthest(); ++h) {
      for (Paths& paths : other.shells_[static_cast<std::size_t>(h)]) {
        if (h <= farthest()) add(std::move(paths), h);
      }
    }
  }

  std::size_t size() const { return quota_.size(); }

  // All paths, or so many, those nearest to the goal first.
  std::vector<Piece> pieces(std::size_t most = std::numeric_limits<std::size_t>::max()) const {
    std::vector<Piece> all;
    for (std::int64_t h = 0; h <= farthest(); ++h) {
      for (const Paths& paths : shells_[static_cast<std::size_t>(h)]) {
        const Piece piece{paths, length_of(h), bytes_of(h), note_bytes_ > 0};
        if (piece.count() > most) return all;
        most -= piece.count();
        all.push_back(piece);
      }
    }
    return all;
  }

 private:
  // Small enough to be shared among threads, and large enough that this costs nothing.
  static constexpr std::size_t kPathsOfPiece = 64;

  // The boards of an h. In pieces, as a vector that grows moves what it has.
  using Shell = std::vector<Paths>;

  std::size_t length_of(std::int64_t h) const { return static_cast<std::size_t>(bound_ - h); }
  std::size_t bytes_of(std::int64_t h) const {
    return note_bytes_ > 0 ? note_bytes_ : length_of(h);
  }

  void counted(std::int64_t h, std::size_t more) {
    quota_.count(h, more);
    shells_.resize(static_cast<std::size_t>(farthest() + 1));
  }
  void stop_at(std::int64_t farthest) {
    quota_.stop_at(farthest);
    shells_.resize(static_cast<std::size_t>(this->farthest() + 1));
  }
  // After each full piece.
  void ask_others(std::int64_t h) { stop_at(shared_->count(h, kPathsOfPiece)); }

  std::size_t note_bytes_;
  std::int64_t bound_ = 0;
  FringeQuota quota_;
  SharedQuota* shared_ = nullptr;
  std::vector<Shell> shells_;  // by h
};

}  // namespace taquin
