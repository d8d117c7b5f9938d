#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace taquin {

class Heartbeat;

using Tile = std::uint32_t;
using Tiles = std::vector<Tile>;

// The direction a tile slides. Opposite directions differ in the lowest bit,
// and the bit above it tells the vertical axis (0) from the horizontal one (1).
using Direction = unsigned;
inline constexpr Direction kDirections = 4;
inline constexpr char kLetters[] = "UDLR";
constexpr Direction opposite(Direction direction) {
  return direction ^ 1U;
}
// The order in which depth-first searches try them: D R L U. For a blank at home in the
// first cell that is homewards first.
inline constexpr Direction kSearchOrder[] = {1, 3, 2, 0};

// The goal every native routine works towards: 1, 2, 3 ... in reading order
// with the blank in cell `blank`. Callers relabel their tiles to get there.
class Goal {
 public:
  static constexpr std::size_t kMaxCells = std::size_t{1} << 20U;

  // Throws std::invalid_argument when the shape or the blank's cell is wrong.
  Goal(std::int64_t rows, std::int64_t cols, std::int64_t blank);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t cells() const { return rows_ * cols_; }
  std::size_t blank() const { return blank_; }
  // Tiles of a line can't pass each other.
  bool is_line() const { return rows_ == 1 || cols_ == 1; }
  bool operator==(const Goal&) const = default;

  std::size_t row(std::size_t cell) const { return cell / cols_; }
  std::size_t col(std::size_t cell) const { return cell % cols_; }
  std::size_t cell_of(Tile tile) const;
  Tile tile_for(std::size_t cell) const;
  Tiles tiles() const;

  // The directions, as bits, in which a tile can slide into an empty `cell`.
  unsigned moves(std::size_t cell) const;
  // The cell of the tile that slides in `direction` into the blank's cell.
  std::size_t source(std::size_t blank, Direction direction) const {
    const std::size_t step = direction < 2 ? cols_ : 1;
    return direction & 1U ? blank - step : blank + step;
  }

  // The tiles as a board of this shape; std::invalid_argument names the culprit.
  Tiles board(const std::vector<std::int64_t>& tiles) const;
  // A heartbeat, if there is one, is heard on large boards; Stopped when its hook stops it.
  bool reachable_from(const Tiles& tiles, Heartbeat* heart = nullptr) const;
  void require_reachable_from(const Tiles& tiles, Heartbeat* heart = nullptr) const;
  // Makes the moves, in letters, one by one: whether all can be made.
  bool make(std::string_view moves, Tiles& tiles) const;
  // The same, and whether they lead here.
  bool solved_by(Tiles tiles, std::string_view moves) const {
    return make(moves, tiles) && tiles == this->tiles();
  }

 private:
  bool same_parity(const Tiles& tiles, Heartbeat* heart) const;
  bool same_order(const Tiles& tiles) const;

  std::size_t rows_;
  std::size_t cols_;
  std::size_t blank_;
};

std::size_t blank_cell(const Tiles& tiles);

// How many pairs of tiles, which are all different, stand in the wrong order; the blank is none. A
// heartbeat is heard on large boards; Stopped when its hook stops it.
std::uint64_t inversions(const Tiles& tiles, Heartbeat* heart = nullptr);

}  // namespace taquin
