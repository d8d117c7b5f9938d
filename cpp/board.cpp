#include "board.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "heartbeat.h"

namespace taquin {

namespace {

std::string text(std::int64_t number) {
  return std::to_string(number);
}

std::size_t difference(std::size_t a, std::size_t b) {
  return a > b ? a - b : b - a;
}

// Cells of a large board that are looked at in a moment.
constexpr std::size_t kCellsAtOnce = std::size_t{1} << 16U;

std::size_t checked_side(std::int64_t side, const char* name) {
  if (side < 1 || side > static_cast<std::int64_t>(Goal::kMaxCells)) {
    throw std::invalid_argument(std::string(name) + " must be 1 to " + text(Goal::kMaxCells) +
                                ", not " + text(side));
  }
  return static_cast<std::size_t>(side);
}

}  // namespace

Goal::Goal(std::int64_t rows, std::int64_t cols, std::int64_t blank)
    : rows_(checked_side(rows, "rows")), cols_(checked_side(cols, "cols")), blank_(0) {
  if (cells() > kMaxCells) {
    throw std::invalid_argument("a board has at most " + text(kMaxCells) + " cells, not " +
                                std::to_string(cells()));
  }
  if (blank < 0 || blank >= static_cast<std::int64_t>(cells())) {
    throw std::invalid_argument("blank must be a cell from 0 to " + std::to_string(cells() - 1) +
                                ", not " + text(blank));
  }
  blank_ = static_cast<std::size_t>(blank);
}

std::size_t Goal::cell_of(Tile tile) const {
  if (tile == 0) return blank_;
  return tile <= blank_ ? tile - 1U : tile;
}

Tile Goal::tile_for(std::size_t cell) const {
  if (cell == blank_) return 0;
  return static_cast<Tile>(cell < blank_ ? cell + 1 : cell);
}

Tiles Goal::tiles() const {
  Tiles tiles(cells());
  for (std::size_t tile = 0; tile < cells(); ++tile) {
    tiles[cell_of(static_cast<Tile>(tile))] = static_cast<Tile>(tile);
  }
  return tiles;
}

unsigned Goal::moves(std::size_t cell) const {
  const bool possible[kDirections] = {row(cell) + 1 < rows_, row(cell) > 0, col(cell) + 1 < cols_,
                                      col(cell) > 0};
  unsigned bits = 0;
  for (Direction direction = 0; direction < kDirections; ++direction) {
    if (possible[direction]) bits |= 1U << direction;
  }
  return bits;
}

Tiles Goal::board(const std::vector<std::int64_t>& tiles) const {
  if (tiles.size() != cells()) {
    throw std::invalid_argument("a " + std::to_string(rows_) + "x" + std::to_string(cols_) +
                                " board has " + std::to_string(cells()) + " tiles, not " +
                                std::to_string(tiles.size()));
  }
  constexpr Tile nowhere = kMaxCells;
  Tiles cell_of_tile(cells(), nowhere);
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    const std::int64_t tile = tiles[cell];
    if (tile < 0 || tile >= static_cast<std::int64_t>(cells())) {
      throw std::invalid_argument("tile " + text(tile) + " (cell " + std::to_string(cell) +
                                  ") is not from 0 to " + std::to_string(cells() - 1));
    }
    Tile& first = cell_of_tile[static_cast<std::size_t>(tile)];
    if (first != nowhere) {
      throw std::invalid_argument("tile " + text(tile) + " appears twice (cells " + text(first) +
                                  " and " + std::to_string(cell) + ")");
    }
    first = static_cast<Tile>(cell);
  }
  return Tiles(tiles.begin(), tiles.end());
}

bool Goal::reachable_from(const Tiles& tiles, Heartbeat* heart) const {
  return is_line() ? same_order(tiles) : same_parity(tiles, heart);
}

void Goal::require_reachable_from(const Tiles& tiles, Heartbeat* heart) const {
  if (!reachable_from(tiles, heart)) {
    throw std::invalid_argument("the board can't reach the goal");
  }
}

bool Goal::make(std::string_view moves, Tiles& tiles) const {
  std::size_t blank = blank_cell(tiles);
  for (const char letter : moves) {
    const auto direction = static_cast<Direction>(std::string_view(kLetters).find(letter));
    if (direction >= kDirections || !(this->moves(blank) >> direction & 1U)) return false;
    const std::size_t source = this->source(blank, direction);
    std::swap(tiles[blank], tiles[source]);
    blank = source;
  }
  return true;
}

// A move changes the parity of the permutation and the blank's colour together.
bool Goal::same_parity(const Tiles& tiles, Heartbeat* heart) const {
  const std::size_t blank = blank_cell(tiles);
  std::size_t parity =
      difference(row(blank), row(blank_)) + difference(col(blank), col(blank_)) + cells();
  std::size_t count = 0;
  std::vector<bool> seen(cells(), false);
  for (std::size_t start = 0; start < cells(); ++start) {
    if (seen[start]) continue;
    ++parity;
    for (std::size_t cell = start; !seen[cell]; cell = cell_of(tiles[cell])) {
      seen[cell] = true;
      if (++count % kCellsAtOnce == 0 && heart != nullptr) heart->beat_or_stop();
    }
  }
  return parity % 2 == 0;
}

bool Goal::same_order(const Tiles& tiles) const {
  Tiles order;
  std::copy_if(tiles.begin(), tiles.end(), std::back_inserter(order),
               [](Tile tile) { return tile != 0; });
  return std::is_sorted(order.begin(), order.end());
}

std::size_t blank_cell(const Tiles& tiles) {
  return static_cast<std::size_t>(std::find(tiles.begin(), tiles.end(), Tile{0}) - tiles.begin());
}

std::uint64_t inversions(const Tiles& tiles, Heartbeat* heart) {
  // A binary indexed tree: below[i] counts the tiles seen so far among the i & -i ones up to i.
  Tiles below(tiles.size(), 0);
  std::uint64_t count = 0, seen = 0;
  for (const Tile tile : tiles) {
    if (tile == 0) continue;
    count += seen;
    for (Tile i = tile; i > 0; i &= i - 1) count -= below[i];
    for (std::size_t i = tile; i < below.size(); i += i & (~i + 1)) ++below[i];
    if (++seen % kCellsAtOnce == 0 && heart != nullptr) heart->beat_or_stop();
  }
  return count;
}

}  // namespace taquin
