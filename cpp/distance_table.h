#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "ranking.h"

namespace taquin {

// The exact distance of every board that reaches the goal, one byte each.
class DistanceTable {
 public:
  static constexpr std::size_t kMaxCells = 10;

  // Throws std::invalid_argument for boards above kMaxCells, Stopped if the hook stops it.
  DistanceTable(const Goal& goal, Heartbeat& heart);

  const Goal& goal() const { return goal_; }
  const std::vector<std::uint8_t>& distances() const { return distances_; }
  std::vector<std::uint64_t> layers() const;

  int distance(const Tiles& tiles) const { return distances_[rank(tiles)]; }
  // A shortest way to the goal, in move letters.
  std::string moves(Tiles tiles) const;
  // The first `limit` boards, in rank order, at the given distance.
  std::vector<Tiles> at(int distance, std::size_t limit) const;

  // Both throw std::invalid_argument for a board or number outside the table.
  std::uint64_t rank(const Tiles& tiles) const;
  Tiles unrank(std::uint64_t rank) const;

 private:
  void build(Heartbeat& heart);

  Goal goal_;
  Ranking ranking_;
  std::vector<std::uint8_t> distances_;
};

}  // namespace taquin
