#include "fast.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "beam.h"
#include "construct.h"
#include "polish.h"
#include "stages.h"

namespace taquin {

namespace {

// What a beam can hold in view at once, a wide one more than a narrow one; the rest of a
// larger board goes by stages. Where it strays nevertheless, it goes on with less.
constexpr std::array<std::size_t, 3> kCoreCells = {49, 36, 16};
constexpr std::size_t kWide = 2000;
constexpr std::size_t kLongestStage = 10;
// A narrower beam strays or dies out on large boards.
constexpr std::size_t kLeastWidth = 64;
// How many times the mean of all stages a stage may take. Those that were done took up to three.
constexpr std::size_t kPatience = 4;
// So many pairs of tiles are compared in about the time that the rest of a move takes.
constexpr std::size_t kPairsOfMove = 250;

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
    const std::size_t width = width_for(length);
    if (width < kLeastWidth && goal_.cells() > kCoreCells.front()) return {};
    if (width == 0) return {};
    try {
      return by_beam(length, width, plans_for(width));
    } catch (const Stopped&) {
      return {};
    }
  }

  // Conflicts are found by comparing all tiles that are in their own line, of which a long line of
  // a thin board has many.
  std::size_t width_for(std::size_t length) const {
    const std::size_t side = std::min(goal_.rows(), goal_.cols());
    const std::size_t in_line = std::max(goal_.rows(), goal_.cols()) / side;
    const std::uint64_t plain = effort_ / length;
    const std::uint64_t fair = plain / (1 + in_line * in_line / kPairsOfMove);
    const std::uint64_t wanted = std::max(fair, std::min<std::uint64_t>(plain, kLeastWidth));
    return static_cast<std::size_t>(std::min(wanted, memory_ / beam_bytes(goal_, length)));
  }

  // Those that are different, with the largest core first.
  std::vector<Stages> plans_for(std::size_t width) const {
    // A long and thin core is as bad as a large one.
    const std::size_t side = std::min(goal_.rows(), goal_.cols());
    const std::size_t compact = 2 * side * side;
    std::vector<Stages> plans;
    for (const std::size_t core : kCoreCells) {
      if (core == kCoreCells.front() && width < kWide) continue;
      Stages stages = plan_stages(goal_, std::min(core, compact), kLongestStage);
      if (plans.empty() || plans.back().count != stages.count) plans.push_back(std::move(stages));
    }
    return plans;
  }

  // Where the beam strays in the core, it goes on with a smaller one; in another stage, behind what
  // is constructed of it.
  std::optional<std::string> by_beam(std::size_t length, std::size_t width,
                                     const std::vector<Stages>& plans) const {
    const std::size_t patience = kPatience * length / plans.front().count;
    std::string moves;
    Tiles tiles = tiles_;
    for (auto plan = plans.begin(); plan != plans.end() && moves.size() + 1 < length;) {
      const BeamLimits limits{width, length - 1 - moves.size(), patience};
      const BeamEnd end = beam(goal_, tiles, *plan, limits, heart_);
      moves += end.moves;
      if (end.stage == plan->count) return moves;
      if (heart_.halted()) break;
      goal_.make(end.moves, tiles);
      if (end.stage + 1 == plan->count) {
        ++plan;
      } else {
        moves += construct_stage(*plan, end.stage, tiles);
      }
    }
    return {};
  }

  // Makes the moves that construct a stage.
  std::string construct_stage(const Stages& stages, std::size_t stage, Tiles& tiles) const {
    std::string moves = construct(goal_, tiles, memory_ / kBytesOfMove, heart_);
    std::size_t made = 0;
    while (stages.first_to_do(goal_, tiles.data()) <= stage) {
      goal_.make(std::string_view(moves).substr(made++, 1), tiles);
    }
    moves.resize(made);
    return moves;
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
