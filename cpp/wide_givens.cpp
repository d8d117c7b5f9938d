#include "wide_givens.h"

#include <algorithm>
#include <vector>

namespace taquin::wide {

Givens::Givens(const Patterns& all, const MovePruning& pruning)
    : patterns(all), allowed(pruning.allowed()), next(pruning.next()) {
  prepare_moves();
  prepare_growing();
  prepare_board();
  prepare_tables();
  for (std::size_t tile = 1; tile < all.goal().cells(); ++tile) prepare_tile(tile);
}

std::uintptr_t Givens::first_address(const Patterns& patterns) {
  std::uintptr_t first = UINTPTR_MAX;
  for (const Patterns::Part& part : patterns.parts()) {
    for (const PatternUse& use : part.uses) first = std::min(first, address(use));
  }
  return first;
}

void Givens::prepare_moves() {
  for (unsigned moves = 0; moves < lanes_of_.size(); ++moves) {
    unsigned lanes = 0;
    for (std::size_t lane = 0; lane < kDirections; ++lane) {
      lanes |= (moves >> direction_of_lane(lane) & 1U) << lane;
    }
    lanes_of_[moves] = static_cast<std::uint8_t>(lanes);
  }
}

// What depends on which of the partitions grow.
void Givens::prepare_growing() {
  for (const unsigned grows : {0x00U, 0x01U, 0x10U, 0x11U}) {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      flips[grows][slot] = (grows >> slot / WideSearch::kMostPatterns * kDirections & 1U) << 31U;
    }
    deeper[grows] = (Brief{1} << kDepthAt) - (Brief{grows & 1U} << kSlackAt) -
                    (Brief{grows >> kDirections} << kSlackOfSecondAt);
  }
}

void Givens::prepare_board() {
  const Goal& goal = patterns.goal();
  cols = static_cast<std::uint32_t>(goal.cols());
  for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
    const std::uint32_t bit = 1U << cell;
    board |= bit;
    if (goal.col(cell) > 0) not_first |= bit;
    if (goal.col(cell) + 1 < goal.cols()) not_last |= bit;
    spot[cell][cell] = 0xff;
    prepare_cell(cell);
  }
}

void Givens::prepare_cell(std::size_t at) {
  const Goal& goal = patterns.goal();
  Cell& cell = cells[at];
  moves_[at] = static_cast<std::uint8_t>(goal.moves(at));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const Direction direction = direction_of_lane(lane % kDirections);
    const bool can = (goal.moves(at) >> direction & 1U) != 0;
    const std::size_t source = can ? goal.source(at, direction) : at;
    cell.source[lane] = 0x01000101U * static_cast<std::uint32_t>(source) | direction << 16U;
    cell.toggled[lane] = 1U << at ^ 1U << source;
    cell.alone[lane] = PatternSpace::kind_of_single(source, goal.rows(), goal.cols());
    for (Direction after = 0; after < kDirections; ++after) {
      if ((goal.moves(source) >> after & 1U) == 0) continue;
      cell.around[lane] |= 1U << goal.source(source, after);
    }
  }
}

void Givens::prepare_tables() {
  const std::uintptr_t first = first_address(patterns);
  words = reinterpret_cast<const Word*>(first);
  std::uint64_t stride = 1;
  for (std::uint32_t& each : strides) {
    each = static_cast<std::uint32_t>(stride);
    stride *= patterns.goal().cells();
  }
  for (std::size_t p = 0; p < WideSearch::kParts; ++p) {
    const std::vector<PatternUse>& uses = patterns.parts()[p].uses;
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const std::size_t slot = slot_in(p, i);
      offsets[slot] = static_cast<std::uint32_t>((address(uses[i]) - first) / sizeof(Word));
      const Gaps& gaps = uses[i].table->space().gaps();
      gap_size[slot] = static_cast<std::uint32_t>(gaps.size());
      gaps_per_index[slot] = static_cast<float>(gaps.per_index());
      first_gaps[slot] = static_cast<float>(gaps.first());
    }
  }
}

// A tile's patterns and its place in them, and where its slides lead in their tables' boards.
void Givens::prepare_tile(std::size_t tile) {
  lane_of_slot[tile].fill(kOther);
  for (std::size_t p = 0; p < WideSearch::kParts; ++p) {
    const std::size_t slot = slot_of(p, tile);
    const std::vector<std::int64_t>& tiles = use_of(slot).tiles;
    const auto at = std::find(tiles.rbegin(), tiles.rend(), static_cast<std::int64_t>(tile));
    const auto digit = static_cast<std::size_t>(at - tiles.rbegin());
    lane_of_slot[tile][slot] = static_cast<std::uint32_t>(p * kDirections);
    slot_and_digit[p * kRoom + tile] = static_cast<std::uint8_t>(slot << 2U | digit << 5U);
    for (std::size_t lane = 0; lane < kDirections; ++lane) {
      const auto slide =
          static_cast<std::int64_t>(patterns.parts()[p].slide[direction_of_lane(lane)][tile]);
      slides[slot * kDirections + lane] =
          static_cast<std::int8_t>(slide / std::int64_t{strides[digit]});
    }
  }
}

}  // namespace taquin::wide
