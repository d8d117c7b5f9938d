#include "audit.h"

#include <mutex>
#include <thread>
#include <utility>

#include "layer_search.h"

namespace taquin {

namespace {

constexpr std::uint64_t kBoardsPerBeat = 1024;

class Auditor {
 public:
  Auditor(const Goal& goal, const std::function<std::int64_t(const Tiles&)>& value,
          Heartbeat& heart)
      : goal_(goal), value_(value), heart_(heart), search_(goal) {}

  Audit run(std::int64_t threads) {
    const auto visit = [this](int distance, std::size_t blank, const BoardSet& boards) {
      add(compare(distance, blank, boards));
    };
    search_.run(threads, heart_, visit);
    return std::move(audit_);
  }

 private:
  Audit compare(int distance, std::size_t blank, const BoardSet& boards) const {
    const std::uint64_t first = blank * search_.ranking().boards_per_blank();
    Audit found;
    Tiles tiles(goal_.cells());
    for_each_board(boards, [&](std::size_t place) {
      if (heart_.halted()) return;
      search_.ranking().unrank(first + place, tiles.data());
      const std::int64_t value = value_(tiles);
      if (value > distance && !found.wrong) found.wrong = tiles;
      found.missing += static_cast<std::uint64_t>(value > distance ? 0 : distance - value);
      if (++found.boards % kBoardsPerBeat == 0) beat();
    });
    return found;
  }

  // The hook is for the thread that came here.
  void beat() const {
    if (std::this_thread::get_id() == caller_) heart_.beat();
  }

  void add(Audit found) {
    const std::lock_guard lock(mutex_);
    audit_.boards += found.boards;
    audit_.missing += found.missing;
    if (!audit_.wrong) audit_.wrong = std::move(found.wrong);
  }

  const Goal& goal_;
  const std::function<std::int64_t(const Tiles&)>& value_;
  Heartbeat& heart_;
  LayerSearch search_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::mutex mutex_;
  Audit audit_;
};

}  // namespace

Audit audit(const Goal& goal, const std::function<std::int64_t(const Tiles&)>& value,
            std::int64_t threads, Heartbeat& heart) {
  return Auditor(goal, value, heart).run(threads);
}

}  // namespace taquin
