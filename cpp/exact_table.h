#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "ranking.h"

namespace taquin {

// The exact distance of every board of up to 12 cells, in one bit each. The blank's
// colour tells whether a distance is even; the bit tells the distance modulo 4 then,
// and neighbours are one nearer or one farther: so a way downhill can be followed to the
// goal, and its length is the distance.
//
// Bytes: for each cell of the blank a bit for each board in rank order, lowest bit first,
// filled up to a whole number of 8 bytes.
class ExactTable {
 public:
  static std::size_t bytes(const Goal& goal);
  // Fills `out` and returns how many boards there are at distance 0, 1, 2, ...
  static std::vector<std::uint64_t> build(const Goal& goal, std::span<std::uint8_t> out,
                                          std::int64_t threads, Heartbeat& heart);
  // The first `limit` boards, in rank order, at a distance; takes as long as to build.
  static std::vector<Tiles> at(const Goal& goal, int distance, std::size_t limit,
                               std::int64_t threads, Heartbeat& heart);

  // Throws std::invalid_argument for data of the wrong size; the data must stay.
  ExactTable(const Goal& goal, std::span<const std::uint8_t> data);

  const Goal& goal() const { return goal_; }
  int distance(const Tiles& tiles) const { return static_cast<int>(moves(tiles).size()); }
  // A shortest way to the goal, in move letters.
  std::string moves(Tiles tiles) const;

 private:
  unsigned modulo_4(const Tiles& tiles, std::size_t blank) const;

  Goal goal_;
  Ranking ranking_;
  std::span<const std::uint8_t> data_;
};

}  // namespace taquin
