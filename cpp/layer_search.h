#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "ranking.h"

namespace taquin {

// Boards with the blank in one cell, a bit for each, in the order of their ranks.
using BoardSet = std::vector<std::uint64_t>;

template <class Visit>
void for_each_board(const BoardSet& boards, Visit visit) {
  for (std::size_t i = 0; i < boards.size(); ++i) {
    for (std::uint64_t word = boards[i]; word != 0; word &= word - 1) {
      visit(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

// How a vertical move changes ranks. A tile that crosses cols - 1 others changes only the
// digits of the rank at those places, its "window". So ranks are cut into blocks that agree
// in the digits before the window, and each block into runs that agree in the window: runs
// of a block change places. The parity of the digits before fixes the order of the last two
// tiles, which the rank leaves out: there are two arrangements, one for each parity.
class VerticalMove {
 public:
  // Between the blank in `upper` and in the cell below.
  VerticalMove(const Goal& goal, const Ranking& ranking, std::size_t upper);

  void add_down(const BoardSet& from, BoardSet& to) const { add(from, to, down_); }
  void add_up(const BoardSet& from, BoardSet& to) const { add(from, to, up_); }

 private:
  using Arrangement = std::vector<std::uint32_t>;  // a run's place to its next place
  using Arrangements = std::array<Arrangement, 2>;

  void arrange(const Goal& goal, const Ranking& ranking, std::size_t upper, unsigned parity);
  void add(const BoardSet& from, BoardSet& to, const Arrangements& arrangements) const;
  unsigned parity(std::uint64_t block) const;

  std::uint64_t boards_;
  std::uint64_t block_;
  std::uint64_t run_;
  std::vector<std::uint64_t> radices_;  // of the digits before the window
  Arrangements down_;
  Arrangements up_;
};

// Breadth-first search from the goal over all boards of a small shape, a bit for each
// board. A move changes the colour of the blank's cell, so a layer and the one before
// it share one set of bits, and what is next to a layer and not in the layer before it
// is the layer after it.
class LayerSearch {
 public:
  static constexpr std::size_t kMaxCells = 12;
  // Is told the boards of a layer with the blank in one cell, in any thread.
  using Visit = std::function<void(int distance, std::size_t blank, const BoardSet&)>;

  // Throws std::invalid_argument for boards above kMaxCells.
  static const Goal& checked(const Goal& goal);
  explicit LayerSearch(const Goal& goal);

  const Ranking& ranking() const { return ranking_; }

  // How many boards there are at distance 0, 1, 2, ... up to `last`; Stopped if the
  // hook stops it.
  std::vector<std::uint64_t> run(std::int64_t threads, Heartbeat& heart, const Visit& visit,
                                 int last = std::numeric_limits<int>::max());

 private:
  std::vector<std::size_t> cells_at(int distance) const;
  std::uint64_t advance(int distance, Heartbeat& heart, const Visit& visit);
  std::uint64_t settle(int distance, std::size_t blank, BoardSet& near, const Visit& visit);
  void find_near(std::size_t blank, BoardSet& near) const;

  Goal goal_;
  Ranking ranking_;
  std::vector<VerticalMove> vertical_;  // by the upper cell
  std::vector<BoardSet> layer_;         // by the blank's cell
  std::vector<BoardSet> near_;          // by thread
};

}  // namespace taquin
