#include "fast.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "beam.h"
#include "construct.h"
#include "polish.h"
#include "stages.h"

namespace taquin {

namespace {

// What a beam can hold in view at once, a wide one more than a narrow one; the rest of a
// larger board goes by stages. Where it strays nevertheless, it tries again with less.
constexpr std::array<std::size_t, 3> kCoreCells = {49, 36, 16};
constexpr std::size_t kWide = 2000;
constexpr std::size_t kLongestStage = 10;
// A narrower beam strays or dies out on large boards.
constexpr std::size_t kLeastWidth = 64;

// The windows that polish an answer, and the least that is worth trying in each.
constexpr std::array<std::size_t, 2> kWindows = {30, 42};
constexpr std::uint64_t kLeastNodes = 100;
constexpr std::size_t kWindowsOverlap = 4;

// What a move of an answer takes, here and with who has asked for it.
constexpr std::uint64_t kBytesOfMove = 16;

class Improver {
 public:
  Improver(const Goal& goal, const Tiles& tiles, std::uint64_t effort, std::uint64_t memory,
           Heartbeat& heart)
      : goal_(goal), tiles_(tiles), effort_(effort), memory_(memory), heart_(heart) {}

  std::string improve(std::string moves) const {
    if (goal_.is_line() || moves.empty()) return moves;
    if (auto better = by_beam(moves.size())) moves = std::move(*better);
    return polished(std::move(moves));
  }

 private:
  std::optional<std::string> by_beam(std::size_t length) const {
    if (!beam_takes(goal_)) return {};
    const auto width =
        static_cast<std::size_t>(std::min(effort_ / length, memory_ / beam_bytes(goal_, length)));
    if (width < kLeastWidth && goal_.cells() > kCoreCells.front()) return {};
    if (width == 0) return {};
    // A long and thin core is as bad as a large one.
    const std::size_t side = std::min(goal_.rows(), goal_.cols());
    const std::size_t compact = 2 * side * side;
    std::optional<std::size_t> tried;
    for (const std::size_t core : kCoreCells) {
      if (core == kCoreCells.front() && width < kWide) continue;
      const Stages stages = plan_stages(goal_, std::min(core, compact), kLongestStage);
      if (stages.count == tried) continue;
      tried = stages.count;
      auto found = beam(goal_, tiles_, stages, width, length - 1, heart_);
      if (found || heart_.halted()) return found;
    }
    return {};
  }

  std::string polished(std::string moves) const {
    for (const std::size_t window : kWindows) {
      const std::uint64_t nodes = effort_ / (1 + kWindowsOverlap * moves.size() / window);
      if (nodes < kLeastNodes || heart_.halted()) break;
      moves = polish(goal_, tiles_, moves, window, nodes, heart_);
    }
    return moves;
  }

  const Goal& goal_;
  const Tiles& tiles_;
  const std::uint64_t effort_;
  const std::uint64_t memory_;
  Heartbeat& heart_;
};

}  // namespace

Report fast(const Goal& goal, const Tiles& tiles, std::uint64_t effort, std::uint64_t memory,
            Heartbeat& heart) {
  Report report;
  try {
    report.moves = construct(goal, tiles, memory / kBytesOfMove, heart);
    report.moves = Improver(goal, tiles, effort, memory, heart).improve(*std::move(report.moves));
  } catch (const Stopped&) {
    // It was too early to have anything.
  }
  report.settle(heart, 0);
  return report;
}

}  // namespace taquin
