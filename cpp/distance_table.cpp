#include "distance_table.h"

#include <bit>
#include <stdexcept>
#include <utility>

#include "layer_search.h"

namespace taquin {

namespace {

constexpr std::uint8_t kUnknown = 255;

const Goal& small(const Goal& goal) {
  if (goal.cells() > DistanceTable::kMaxCells) {
    throw std::invalid_argument("a distance table holds boards of at most " +
                                std::to_string(DistanceTable::kMaxCells) + " cells, not " +
                                std::to_string(goal.cells()));
  }
  return goal;
}

// Calls visit(direction, neighbour's rank); the tiles are as before afterwards.
template <class Visit>
void for_each_neighbour(const Goal& goal, const Ranking& ranking, std::uint64_t rank, Tile* tiles,
                        Visit visit) {
  const std::size_t blank = rank / ranking.boards_per_blank();
  for (unsigned moves = goal.moves(blank); moves != 0; moves &= moves - 1) {
    const auto direction = static_cast<Direction>(std::countr_zero(moves));
    const std::size_t source = goal.source(blank, direction);
    // A tile that slides along its row stays in place among the others.
    if (goal.row(source) == goal.row(blank)) {
      visit(direction, rank + (source - blank) * ranking.boards_per_blank());
      continue;
    }
    std::swap(tiles[blank], tiles[source]);
    visit(direction, ranking.rank(tiles));
    std::swap(tiles[blank], tiles[source]);
  }
}

}  // namespace

DistanceTable::DistanceTable(const Goal& goal, Heartbeat& heart)
    : goal_(small(goal)), ranking_(goal), distances_(ranking_.size(), kUnknown) {
  build(heart);
}

void DistanceTable::build(Heartbeat& heart) {
  LayerSearch(goal_).run(1, heart, [&](int distance, std::size_t blank, const BoardSet& boards) {
    std::uint8_t* const distances = &distances_[blank * ranking_.boards_per_blank()];
    for_each_board(
        boards, [&](std::size_t place) { distances[place] = static_cast<std::uint8_t>(distance); });
  });
}

std::vector<std::uint64_t> DistanceTable::layers() const {
  std::vector<std::uint64_t> counts;
  for (const std::uint8_t distance : distances_) {
    if (distance >= counts.size()) counts.resize(distance + 1U, 0);
    ++counts[distance];
  }
  return counts;
}

std::string DistanceTable::moves(Tiles tiles) const {
  std::string letters;
  for (std::uint64_t here = rank(tiles); distances_[here] != 0;) {
    Direction best = 0;
    std::uint64_t nearer = here;
    for_each_neighbour(goal_, ranking_, here, tiles.data(),
                       [&](Direction direction, std::uint64_t other) {
                         if (distances_[other] >= distances_[nearer]) return;
                         best = direction;
                         nearer = other;
                       });
    letters += kLetters[best];
    here = nearer;
    ranking_.unrank(here, tiles.data());
  }
  return letters;
}

std::vector<Tiles> DistanceTable::at(int distance, std::size_t limit) const {
  std::vector<Tiles> boards;
  for (std::uint64_t rank = 0; rank < distances_.size() && boards.size() < limit; ++rank) {
    if (distances_[rank] == distance) boards.push_back(unrank(rank));
  }
  return boards;
}

std::uint64_t DistanceTable::rank(const Tiles& tiles) const {
  goal_.require_reachable_from(tiles);
  return ranking_.rank(tiles.data());
}

Tiles DistanceTable::unrank(std::uint64_t rank) const {
  if (rank >= ranking_.size()) {
    throw std::invalid_argument("rank must be from 0 to " + std::to_string(ranking_.size() - 1) +
                                ", not " + std::to_string(rank));
  }
  Tiles tiles(goal_.cells());
  ranking_.unrank(rank, tiles.data());
  return tiles;
}

}  // namespace taquin
