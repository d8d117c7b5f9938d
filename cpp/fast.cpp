#include "fast.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "beam.h"
#include "construct.h"

namespace taquin {

namespace {

// What a beam can hold in view at once; larger boards go by stages.
constexpr std::size_t kCoreCells = 36;
constexpr std::size_t kLongestStage = 10;
// Below this width a beam is rarely better than what is constructed.
constexpr std::size_t kLeastWidth = 8;

std::optional<std::string> improve(const Goal& goal, const Tiles& tiles, std::size_t length,
                                   std::uint64_t effort, Heartbeat& heart) {
  if (goal.is_line() || length < 2) return {};
  const std::size_t width = static_cast<std::size_t>(effort / length);
  if (width < kLeastWidth) return {};
  const Stages stages = plan_stages(goal, kCoreCells, kLongestStage);
  return beam(goal, tiles, stages, width, length - 1, heart);
}

}  // namespace

Report fast(const Goal& goal, const Tiles& tiles, std::uint64_t effort, Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  Report report;
  try {
    report.moves = construct(goal, tiles, heart);
    auto better = improve(goal, tiles, report.moves->size(), effort, heart);
    if (better) report.moves = std::move(better);
  } catch (const Stopped&) {
    // It was too early to have anything.
  }
  report.expanded = heart.expanded();
  report.generated = heart.generated();
  report.limit_reached = heart.limit_reached();
  return report;
}

}  // namespace taquin
