#include "exact_table.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "layer_search.h"

namespace taquin {

namespace {

// No board is farther: twice the longest way to a corner goal, that of 2x6.
constexpr std::size_t kFarthest = 160;

std::size_t bytes_per_blank(const Ranking& ranking) {
  return (ranking.boards_per_blank() + 63) / 64 * 8;
}

void check_size(const Goal& goal, std::size_t size) {
  if (size != ExactTable::bytes(goal)) {
    throw std::invalid_argument("the exact table of " + std::to_string(goal.rows()) + "x" +
                                std::to_string(goal.cols()) + " boards has " +
                                std::to_string(ExactTable::bytes(goal)) + " bytes, not " +
                                std::to_string(size));
  }
}

}  // namespace

std::size_t ExactTable::bytes(const Goal& goal) {
  return goal.cells() * bytes_per_blank(Ranking(LayerSearch::checked(goal)));
}

std::vector<std::uint64_t> ExactTable::build(const Goal& goal, std::span<std::uint8_t> out,
                                             std::int64_t threads, Heartbeat& heart) {
  check_size(goal, out.size());
  LayerSearch search(goal);
  heart.beat();
  const std::size_t stride = bytes_per_blank(search.ranking());
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  heart.beat();
  return search.run(threads, heart, [&](int distance, std::size_t blank, const BoardSet& boards) {
    if (distance % 4 < 2) return;
    std::uint8_t* bytes = out.data() + blank * stride;
    for (std::uint64_t word : boards) {
      for (int i = 0; i < 8; ++i, word >>= 8U) *bytes++ |= static_cast<std::uint8_t>(word);
    }
  });
}

std::vector<Tiles> ExactTable::at(const Goal& goal, int distance, std::size_t limit,
                                  std::int64_t threads, Heartbeat& heart) {
  LayerSearch search(goal);
  const Ranking& ranking = search.ranking();
  std::vector<std::vector<Tiles>> found(goal.cells());
  search.run(
      threads, heart,
      [&](int depth, std::size_t blank, const BoardSet& boards) {
        if (depth != distance) return;
        for_each_board(boards, [&](std::size_t place) {
          if (found[blank].size() >= limit) return;
          Tiles tiles(goal.cells());
          ranking.unrank(blank * ranking.boards_per_blank() + place, tiles.data());
          found[blank].push_back(std::move(tiles));
        });
      },
      distance);
  std::vector<Tiles> all;
  for (auto& boards : found) all.insert(all.end(), boards.begin(), boards.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

ExactTable::ExactTable(const Goal& goal, std::span<const std::uint8_t> data)
    : goal_(LayerSearch::checked(goal)), ranking_(goal), data_(data) {
  check_size(goal, data.size());
}

std::string ExactTable::moves(Tiles tiles) const {
  goal_.require_reachable_from(tiles);
  const Tiles target = goal_.tiles();
  std::string letters;
  std::size_t blank = blank_cell(tiles);
  unsigned here = modulo_4(tiles, blank);
  while (tiles != target) {
    for (unsigned moves = goal_.moves(blank);; moves &= moves - 1) {
      if (moves == 0 || letters.size() > kFarthest)
        throw std::invalid_argument("the exact table is damaged");
      const auto direction = static_cast<Direction>(std::countr_zero(moves));
      const std::size_t source = goal_.source(blank, direction);
      std::swap(tiles[blank], tiles[source]);
      if (modulo_4(tiles, source) == (here + 3) % 4) {
        letters += kLetters[direction];
        blank = source;
        break;
      }
      std::swap(tiles[blank], tiles[source]);
    }
    here = (here + 3) % 4;
  }
  return letters;
}

unsigned ExactTable::modulo_4(const Tiles& tiles, std::size_t blank) const {
  const std::uint64_t place = ranking_.rank(tiles.data()) - blank * ranking_.boards_per_blank();
  const std::uint8_t byte = data_[blank * bytes_per_blank(ranking_) + place / 8];
  const std::size_t colours =
      goal_.row(blank) + goal_.col(blank) + goal_.row(goal_.blank()) + goal_.col(goal_.blank());
  return 2U * (byte >> place % 8 & 1U) + colours % 2;
}

}  // namespace taquin
