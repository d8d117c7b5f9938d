#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "board.h"
#include "stages.h"

namespace taquin {

using Score = std::int32_t;

inline constexpr std::size_t kLongestLine = 256;

// How far a board is from the goal, for a beam. There it matters less to tell the number
// of moves than to tell what will be hard to mend later. So a tile's way counts more than
// in proportion to its length, tiles that belong to the rim count more than those of the
// middle, and those of this stage and the ones before more than those yet to come. On top
// comes what it takes to sort tiles that are in their own line but in the wrong order
// (linear conflicts). The factors were found by trial.
template <class Cell>
class Scoring {
 public:
  Scoring(const Goal& goal, const Stages& stages) : goal_(goal), stages_(stages) {
    const std::size_t sides = goal.rows() + goal.cols();
    for (std::size_t way = 0; way < sides; ++way) {
      price_.push_back(static_cast<Score>(kStep * way + 2 * kStep * way * way / sides));
    }
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      row_.push_back(static_cast<std::int16_t>(goal.row(cell)));
      col_.push_back(static_cast<std::int16_t>(goal.col(cell)));
    }
    for (std::size_t tile = 0; tile < goal.cells(); ++tile) {
      const std::size_t home = goal.cell_of(static_cast<Tile>(tile));
      home_row_.push_back(row_[home]);
      home_col_.push_back(col_[home]);
      const std::size_t off_centre =
          from_middle(goal.row(home), goal.rows()) + from_middle(goal.col(home), goal.cols());
      const auto weight = static_cast<Score>(kLight + kRim * off_centre / sides);
      light_.push_back(weight);
      // On larger boards the tiles yet to come are more, so each of them must count for less.
      heavy_.push_back(weight + weight * static_cast<Score>(sides * sides) / kHeavier);
    }
  }

  bool is_home(std::size_t tile, std::size_t cell) const { return distance(tile, cell) == 0; }

  Score between(std::size_t a, std::size_t b) const {
    return std::abs(row_[a] - row_[b]) + std::abs(col_[a] - col_[b]);
  }

  // What a tile that slides from one cell to the next changes.
  Score change(const Cell* board, std::size_t from, std::size_t to, bool vertical,
               std::size_t stage) const {
    const std::size_t tile = board[from];
    const Score score = weight(tile, stage) * (price(tile, to) - price(tile, from));
    // Only a tile that enters or leaves its own line changes the order within it.
    const std::int16_t line = vertical ? home_row_[tile] : home_col_[tile];
    const std::vector<std::int16_t>& line_of = vertical ? row_ : col_;
    if (line_of[to] == line) return score + conflicts_with(board, tile, to, vertical, stage);
    if (line_of[from] == line) return score - conflicts_with(board, tile, from, vertical, stage);
    return score;
  }

  Score whole(const Cell* board, std::size_t stage) const {
    Score score = 0;
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      if (board[cell] != 0) score += weight(board[cell], stage) * price(board[cell], cell);
    }
    for (std::size_t cell = 0; cell < goal_.cells(); cell += goal_.cols()) {
      score += conflicts(board, row_[cell], true, stage);
    }
    for (std::size_t cell = 0; cell < goal_.cols(); ++cell) {
      score += conflicts(board, col_[cell], false, stage);
    }
    return score;
  }

  // How many tiles of this stage and of those before are not in their cells.
  std::uint32_t left_to_do(const Cell* board, std::size_t stage) const {
    std::uint32_t count = 0;
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      const std::size_t tile = board[cell];
      if (tile != 0 && stages_.of_tile[tile] <= stage && !is_home(tile, cell)) ++count;
    }
    return count;
  }

 private:
  Score weight(std::size_t tile, std::size_t stage) const {
    return stages_.of_tile[tile] <= stage ? heavy_[tile] : light_[tile];
  }

  std::size_t distance(std::size_t tile, std::size_t cell) const {
    return static_cast<std::size_t>(std::abs(home_row_[tile] - row_[cell]) +
                                    std::abs(home_col_[tile] - col_[cell]));
  }

  Score price(std::size_t tile, std::size_t cell) const { return price_[distance(tile, cell)]; }

  // Of the tiles that are in their own row (or column), all but a heaviest sequence in
  // the right order have to leave it and come back.
  Score conflicts(const Cell* board, std::int16_t line, bool row, std::size_t stage) const {
    std::array<Score, kLongestLine> heaviest;  // of the sequences that end with a tile
    std::array<std::int16_t, kLongestLine> place;
    std::size_t count = 0;
    Score total = 0;
    Score most = 0;
    for_each_of(line, board, row, [&](std::size_t tile, std::int16_t home, std::size_t) {
      const Score own = weight(tile, stage);
      total += own;
      Score value = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (place[j] < home) value = std::max(value, heaviest[j]);
      }
      place[count] = home;
      heaviest[count++] = value + own;
      most = std::max(most, value + own);
    });
    return kConflict * (total - most);
  }

  // How many more there are with a tile in a cell of its own row (or column) than without it: none
  // if it belongs to all heaviest sequences.
  Score conflicts_with(const Cell* board, std::size_t tile, std::size_t cell, bool row,
                       std::size_t stage) const {
    const std::int16_t line = row ? home_row_[tile] : home_col_[tile];
    const std::int16_t own_home = row ? home_col_[tile] : home_row_[tile];
    const auto own_place = static_cast<std::size_t>(row ? col_[cell] : row_[cell]);
    std::array<Score, kLongestLine> heaviest;
    std::array<Score, kLongestLine> behind;  // of those that can follow the tile
    std::array<std::int16_t, kLongestLine> place;
    std::size_t count = 0;
    Score most = 0;        // without the tile
    Score most_ahead = 0;  // of those that can go before it
    Score most_behind = 0;
    for_each_of(line, board, row, [&](std::size_t other, std::int16_t home, std::size_t i) {
      if (i == own_place) return;
      const Score own = weight(other, stage);
      Score value = 0, after = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (place[j] > home) continue;
        value = std::max(value, heaviest[j]);
        after = std::max(after, behind[j]);
      }
      place[count] = home;
      heaviest[count] = value + own;
      behind[count] = i > own_place && home > own_home ? after + own : 0;
      most = std::max(most, heaviest[count]);
      most_behind = std::max(most_behind, behind[count]);
      if (i < own_place && home < own_home) most_ahead = std::max(most_ahead, heaviest[count]);
      ++count;
    });
    const Score own = weight(tile, stage);
    return kConflict * (own - std::max(0, most_ahead + own + most_behind - most));
  }

  // Calls visit(tile, place of its home, place) for the tiles of a row (or column) that are at home
  // in it.
  template <class Visit>
  void for_each_of(std::int16_t line, const Cell* board, bool row, const Visit& visit) const {
    const std::size_t size = row ? goal_.cols() : goal_.rows();
    const std::size_t step = row ? 1 : goal_.cols();
    const auto first = static_cast<std::size_t>(line);
    const Cell* cell = board + (row ? first * goal_.cols() : first);
    const std::int16_t* const home_line = row ? home_row_.data() : home_col_.data();
    const std::int16_t* const home_place = row ? home_col_.data() : home_row_.data();
    for (std::size_t i = 0; i < size; ++i, cell += step) {
      const std::size_t tile = *cell;
      if (home_line[tile] == line && tile != 0) visit(tile, home_place[tile], i);
    }
  }

  // From 0 in the middle of a side to its length less one at its ends.
  static std::size_t from_middle(std::size_t place, std::size_t side) {
    return 2 * place + 1 > side ? 2 * place + 1 - side : side - 1 - 2 * place;
  }

  static constexpr std::size_t kStep = 4;
  static constexpr std::size_t kLight = 10;
  static constexpr std::size_t kRim = 10;
  static constexpr Score kHeavier = 800;
  static constexpr Score kConflict = 4 * kStep;

  const Goal& goal_;
  const Stages& stages_;
  std::vector<Score> price_;                       // of a way of this length
  std::vector<Score> light_, heavy_;               // the weight of a tile
  std::vector<std::int16_t> row_, col_;            // of a cell
  std::vector<std::int16_t> home_row_, home_col_;  // of a tile
};

}  // namespace taquin
