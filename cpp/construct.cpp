#include "construct.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "idastar.h"
#include "peeling.h"

namespace taquin {

namespace {

// What is left at the end is searched, not for the shortest way: that would take longer than all
// the rest.
constexpr std::size_t kCoreSide = 3;
constexpr double kCoreWeight = 2.0;
constexpr std::size_t kMovesPerBeat = 4096;
// The blank has too many ways to choose from on longer ones than this.
constexpr std::size_t kLongWay = 128;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

std::size_t gap(std::size_t a, std::size_t b) {
  return a > b ? a - b : b - a;
}

class Workbench {
 public:
  Workbench(const Goal& goal, const Tiles& tiles, std::size_t most_moves, Heartbeat& heart)
      : goal_(goal),
        tiles_(tiles),
        most_moves_(most_moves),
        heart_(heart),
        where_(tiles.size()),
        rest_(goal) {
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) where_[tiles[cell]] = cell;
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
      const std::size_t home = goal.cell_of(tiles[cell]);
      home_.push_back(
          {static_cast<std::uint32_t>(goal.row(home)), static_cast<std::uint32_t>(goal.col(home))});
      row_.push_back(static_cast<std::uint32_t>(goal.row(cell)));
      col_.push_back(static_cast<std::uint32_t>(goal.col(cell)));
      exits_.push_back(static_cast<std::uint8_t>(goal.moves(cell)));
    }
    done_.assign(tiles.size(), false);
    way_.assign(tiles.size(), {0, 0, 0, 0});
  }

  std::string solve() {
    if (goal_.is_line()) {
      bring_blank(goal_.blank(), kNone);
      return std::move(moves_);
    }
    Peeling peeling(goal_);
    while (peeling.rest().rows() > kCoreSide || peeling.rest().cols() > kCoreSide) {
      rest_ = peeling.rest();
      fill(peeling.peel());
    }
    solve_core(peeling.rest());
    return std::move(moves_);
  }

 private:
  std::size_t cell(std::size_t r, std::size_t c) const { return r * goal_.cols() + c; }
  std::size_t row(std::size_t at) const { return row_[at]; }
  std::size_t col(std::size_t at) const { return col_[at]; }
  unsigned exits(std::size_t at) const { return exits_[at]; }
  std::size_t blank() const { return where_[0]; }
  bool is_free(std::size_t at) const { return done_[at] == 0; }

  void slide(Direction direction) {
    const std::size_t from = goal_.source(blank(), direction);
    std::swap(tiles_[blank()], tiles_[from]);
    std::swap(home_[blank()], home_[from]);
    where_[tiles_[blank()]] = blank();
    where_[0] = from;
    moves_.push_back(kLetters[direction]);
    if (moves_.size() % kMovesPerBeat == 0) beat();
  }

  void beat() {
    heart_.beat_or_stop();
    if (moves_.size() > most_moves_) throw Stopped("the construction has too many moves");
  }

  // The line's tiles from both ends, whichever is cheaper to bring; the last two together,
  // because the last alone would find no way in.
  void fill(const std::vector<std::size_t>& line) {
    std::size_t first = 0;
    std::size_t last = line.size() - 1;
    while (last - first > 1) {
      const bool from_front = price(line[first]) <= price(line[last]);
      place(from_front ? line[first++] : line[last--]);
    }
    place_pair(line[first], line[last]);
  }

  std::size_t price(std::size_t target) const {
    const std::size_t from = where_[goal_.tile_for(target)];
    return from == target ? 0 : distance(blank(), from) + carrying(from, target);
  }

  std::size_t distance(std::size_t a, std::size_t b) const {
    return gap(row(a), row(b)) + gap(col(a), col(b));
  }

  // The moves it takes to carry a tile: five for each step straight on, three after a turn.
  std::size_t carrying(std::size_t from, std::size_t to) const {
    const std::size_t rows = gap(row(from), row(to));
    const std::size_t cols = gap(col(from), col(to));
    return 5 * std::max(rows, cols) + std::min(rows, cols);
  }

  void place(std::size_t target) {
    const Tile tile = goal_.tile_for(target);
    carry(tile, target);
    done_[target] = true;
  }

  void carry(Tile tile, std::size_t target) {
    while (where_[tile] != target) step(tile, target);
  }

  // One step of a tile towards its target, in the direction that takes the fewest moves.
  void step(Tile tile, std::size_t target) {
    const std::size_t from = where_[tile];
    std::size_t best = kNone;
    std::size_t best_price = kNone;
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (!(exits(from) >> direction & 1U)) continue;
      const std::size_t next = goal_.source(from, direction);
      if (!is_free(next) || distance(next, target) > distance(from, target)) continue;
      const std::size_t expected = around(from, next) + carrying(next, target);
      if (expected < best_price) {
        best = next;
        best_price = expected;
      }
    }
    bring_blank(best, from);
    bring_blank(from, kNone);
  }

  // About how far the blank has to go to the cell beside a tile without moving that tile.
  std::size_t around(std::size_t tile, std::size_t beside) const {
    const bool same_row = row(tile) == row(beside);
    const bool opposite_side =
        same_row
            ? row(blank()) == row(tile) && (col(blank()) < col(tile)) != (col(beside) < col(tile))
            : col(blank()) == col(tile) && (row(blank()) < row(tile)) != (row(beside) < row(tile));
    return distance(blank(), beside) + (opposite_side ? 2 : 0);
  }

  void bring_blank(std::size_t target, std::size_t obstacle) {
    while (blank() != target) {
      find_route(target, obstacle);
      for (std::size_t i = route_.size(); i-- > 0;) slide(route_[i]);
    }
  }

  // The blank's way to a cell, its last move first; of a long one only a part.
  void find_route(std::size_t target, std::size_t obstacle) {
    if (distance(blank(), target) > kLongWay) {
      const std::size_t stop = stop_on_the_way(target);
      if (is_free(stop) && stop != obstacle) target = stop;
    }
    find_way(target, obstacle);
    route_.clear();
    for (std::size_t at = target; at != blank(); at = before(at)) route_.push_back(way_[at].last);
  }

  // The end of the first part of a long way, on the straight line.
  std::size_t stop_on_the_way(std::size_t target) const {
    const std::size_t whole = distance(blank(), target);
    const auto part = [&](std::size_t from, std::size_t to) {
      const std::size_t step = gap(from, to) * (kLongWay / 2) / whole;
      return from < to ? from + step : from - step;
    };
    return cell(part(row(blank()), row(target)), part(col(blank()), col(target)));
  }

  // The cell that the way to this one comes from.
  std::size_t before(std::size_t at) const { return goal_.source(at, opposite(way_[at].last)); }

  // The blank's shortest way around what is done.
  void find_way(std::size_t target, std::size_t obstacle) {
    const std::size_t least = distance(blank(), target);
    for (std::size_t detour = 0; !has_way(target, obstacle, least + detour); detour += 2) {
      if (detour > goal_.cells()) throw std::logic_error("the blank is shut in");
    }
  }

  // Looks for ways of at most so many moves, breadth first; of several it is the one that brings
  // the other tiles nearest to their targets.
  bool has_way(std::size_t target, std::size_t obstacle, std::size_t longest) {
    beat();
    ++stamp_;
    queue_.assign(1, blank());
    way_[blank()] = {stamp_, 0, 0, kDirections};
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::size_t at = queue_[head];
      if (at == target) return true;
      const Way here = way_[at];
      const std::size_t left = longest - here.length - 1;
      for (Direction direction = 0; direction < kDirections; ++direction) {
        if (!(exits(at) >> direction & 1U)) continue;
        const std::size_t next = goal_.source(at, direction);
        if (!is_free(next) || next == obstacle || distance(next, target) > left) continue;
        const std::int32_t gain = here.gain + (nears_home(next, direction) ? 1 : -1);
        Way& way = way_[next];
        const bool is_new = way.stamp != stamp_;
        if (is_new) queue_.push_back(next);
        if (is_new || (way.length == here.length + 1 && way.gain < gain)) {
          way = {stamp_, here.length + 1, gain, direction};
        }
      }
    }
    return false;
  }

  // Whether the tile of a cell is nearer to its target when it has slid in this direction.
  bool nears_home(std::size_t at, Direction direction) const {
    const bool vertical = direction < 2;
    const std::uint32_t home = vertical ? home_[at].row : home_[at].col;
    const std::size_t here = vertical ? row(at) : col(at);
    return direction & 1U ? home > here : home < here;
  }

  // Two neighbouring cells at the end of a line, by trying everything in a small window.
  void place_pair(std::size_t a, std::size_t b) {
    const Rectangle window = window_around(a, b);
    const Tile first = goal_.tile_for(a);
    const Tile second = goal_.tile_for(b);
    done_[a] = done_[b] = where_[first] == a && where_[second] == b;
    if (done_[a]) return;
    if (!inside(window, where_[first]) || !inside(window, where_[second])) {
      carry(first, a);
      done_[a] = true;
      while (!inside(window, where_[second])) step(second, nearest(window, where_[second]));
      done_[a] = false;
    }
    bring_blank_beside(window);
    arrange(box(window, {blank(), where_[first], where_[second]}), {first, second}, {a, b});
    done_[a] = done_[b] = true;
  }

  // Three cells in each direction, as far as there are any: along the line and away from it.
  Rectangle window_around(std::size_t a, std::size_t b) const {
    Rectangle window(row(a), row(b) + 1, col(a), col(b) + 1);
    while (window.rows() < 3 && window.bottom < rest_.bottom) ++window.bottom;
    while (window.rows() < 3 && window.top > rest_.top) --window.top;
    while (window.cols() < 3 && window.right < rest_.right) ++window.right;
    while (window.cols() < 3 && window.left > rest_.left) --window.left;
    return window;
  }

  bool inside(const Rectangle& window, std::size_t at) const {
    return row(at) >= window.top && row(at) < window.bottom && col(at) >= window.left &&
           col(at) < window.right && is_free(at);
  }

  std::size_t nearest(const Rectangle& window, std::size_t from) const {
    std::size_t best = kNone;
    for (std::size_t r = window.top; r < window.bottom; ++r) {
      for (std::size_t c = window.left; c < window.right; ++c) {
        const std::size_t at = cell(r, c);
        if (is_free(at) && (best == kNone || distance(from, at) < distance(from, best))) best = at;
      }
    }
    return best;
  }

  // Next to the window but not into it: that might push out what was brought there.
  void bring_blank_beside(const Rectangle& window) {
    while (!inside(window, blank())) {
      find_route(nearest(window, blank()), kNone);
      for (std::size_t i = route_.size(); i-- > 0;) {
        if (inside(window, goal_.source(blank(), route_[i]))) return;
        slide(route_[i]);
      }
    }
  }

  Rectangle box(Rectangle window, const std::array<std::size_t, 3>& cells) const {
    for (const std::size_t at : cells) {
      window.top = std::min(window.top, row(at));
      window.bottom = std::max(window.bottom, row(at) + 1);
      window.left = std::min(window.left, col(at));
      window.right = std::max(window.right, col(at) + 1);
    }
    return window;
  }

  struct Places {
    std::array<std::size_t, 3> cells;  // the blank's, and those of the two tiles
    std::size_t before;
    Direction direction;
  };

  // The fewest moves within the box that bring both tiles to their targets.
  void arrange(const Rectangle& area, std::array<Tile, 2> pair,
               std::array<std::size_t, 2> targets) {
    const std::size_t cells = area.cells();
    std::vector<bool> met(cells * cells * cells, false);
    const auto number = [&](const std::array<std::size_t, 3>& places) {
      std::size_t value = 0;
      for (const std::size_t at : places) {
        value = value * cells + (row(at) - area.top) * area.cols() + col(at) - area.left;
      }
      return value;
    };
    std::vector<Places> queue{{{blank(), where_[pair[0]], where_[pair[1]]}, 0, 0}};
    met[number(queue[0].cells)] = true;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Places now = queue[head];
      if (now.cells[1] == targets[0] && now.cells[2] == targets[1]) return follow(queue, head);
      for (Direction direction = 0; direction < kDirections; ++direction) {
        if (!(exits(now.cells[0]) >> direction & 1U)) continue;
        const std::size_t source = goal_.source(now.cells[0], direction);
        if (!inside(area, source)) continue;
        std::array<std::size_t, 3> next = now.cells;
        std::replace(next.begin(), next.end(), source, now.cells[0]);
        next[0] = source;
        const std::size_t index = number(next);
        if (met[index]) continue;
        met[index] = true;
        queue.push_back({next, head, direction});
      }
    }
    throw std::logic_error("the window can't be arranged");
  }

  void follow(const std::vector<Places>& queue, std::size_t end) {
    std::vector<Direction> way;
    for (; end != 0; end = queue[end].before) way.push_back(queue[end].direction);
    for (std::size_t i = way.size(); i-- > 0;) slide(way[i]);
  }

  void solve_core(const Rectangle& core) {
    std::vector<std::size_t> cells;
    for (std::size_t r = core.top; r < core.bottom; ++r) {
      for (std::size_t c = core.left; c < core.right; ++c) cells.push_back(cell(r, c));
    }
    const auto inner = [&](std::size_t at) {
      return (row(at) - core.top) * core.cols() + col(at) - core.left;
    };
    bring_blank(nearest(core, blank()), kNone);
    const Goal small(static_cast<std::int64_t>(core.rows()), static_cast<std::int64_t>(core.cols()),
                     static_cast<std::int64_t>(inner(goal_.blank())));
    Tiles tiles;
    for (const std::size_t at : cells) {
      tiles.push_back(small.tile_for(inner(cell(home_[at].row, home_[at].col))));
    }
    Heartbeat apart;
    moves_ += *idastar(small, tiles, {}, {.weight = kCoreWeight}, apart).moves;
  }

  struct Place {
    std::uint32_t row, col;
  };

  struct Way {
    std::uint32_t stamp;  // of the search that found it
    std::uint32_t length;
    std::int32_t gain;
    Direction last;
  };

  const Goal goal_;
  Tiles tiles_;
  const std::size_t most_moves_;
  Heartbeat& heart_;
  std::vector<std::size_t> where_;
  std::vector<Place> home_;  // of the tile in each cell
  std::vector<std::uint32_t> row_, col_;
  std::vector<std::uint8_t> exits_;
  Rectangle rest_;          // what is left, the line being filled included
  std::vector<char> done_;  // a flag for each cell, in bytes because they are quicker than bits
  std::string moves_;
  std::vector<std::size_t> queue_;
  std::vector<Direction> route_;
  std::uint32_t stamp_ = 0;
  std::vector<Way> way_;
};

}  // namespace

std::string construct(const Goal& goal, const Tiles& tiles, std::size_t most_moves,
                      Heartbeat& heart) {
  goal.require_reachable_from(tiles, &heart);
  heart.beat_or_stop();
  return Workbench(goal, tiles, most_moves, heart).solve();
}

}  // namespace taquin
