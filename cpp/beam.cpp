#include "beam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace taquin {

namespace {

using Score = std::int32_t;

// What a step away from its target costs a tile of this stage or of one before, and a
// tile whose stage is yet to come.
constexpr Score kHeavy = 3;
constexpr Score kLight = 2;
// The blank is drawn, weakly, to the nearest tile that its stage still has to place.
constexpr std::size_t kTracked = 16;

std::uint64_t scramble(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15U;
  number = (number ^ number >> 30U) * 0xBF58476D1CE4E5B9U;
  number = (number ^ number >> 27U) * 0x94D049BB133111EBU;
  return number ^ number >> 31U;
}

// Boards seen before, by their hash. The newer one stays where two want one slot, so it
// forgets now and then, and never grows.
class Memory {
 public:
  explicit Memory(std::size_t boards) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(boards));
    shift_ = 64 - bits;
    slots_.assign(std::size_t{1} << bits, 0);
  }

  void prefetch(std::uint64_t hash) const {
#if defined(__GNUC__)
    __builtin_prefetch(&slots_[hash >> shift_], 1);
#endif
  }
  bool is_new(std::uint64_t hash) {
    std::uint64_t& slot = slots_[hash >> shift_];
    return std::exchange(slot, hash) != hash;
  }

 private:
  unsigned shift_;
  std::vector<std::uint64_t> slots_;
};

// The weighted distances of the tiles, and what it costs more to sort tiles that are in
// their own line but in the wrong order (linear conflicts).
template <class Cell>
class Scoring {
 public:
  Scoring(const Goal& goal, const Stages& stages) : goal_(goal), stages_(stages) {
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      row_.push_back(static_cast<std::uint16_t>(goal.row(cell)));
      col_.push_back(static_cast<std::uint16_t>(goal.col(cell)));
    }
    for (std::size_t tile = 0; tile < goal.cells(); ++tile) {
      const std::size_t target = goal.cell_of(static_cast<Tile>(tile));
      home_row_.push_back(row_[target]);
      home_col_.push_back(col_[target]);
    }
  }

  Score weight(std::size_t tile, std::size_t stage) const {
    return stages_.of_tile[tile] <= stage ? kHeavy : kLight;
  }

  Score distance(std::size_t tile, std::size_t cell) const {
    return std::abs(home_row_[tile] - row_[cell]) + std::abs(home_col_[tile] - col_[cell]);
  }

  Score between(std::size_t a, std::size_t b) const {
    return std::abs(row_[a] - row_[b]) + std::abs(col_[a] - col_[b]);
  }

  // What a tile that slides from one cell to the next changes.
  Score change(Cell* board, std::size_t from, std::size_t to, bool vertical,
               std::size_t stage) const {
    const std::size_t tile = board[from];
    Score score = weight(tile, stage) * (distance(tile, to) - distance(tile, from));
    // Only a tile that enters or leaves its own line changes the order within it.
    const std::size_t line = vertical ? home_row_[tile] : home_col_[tile];
    const bool own =
        vertical ? row_[from] == line || row_[to] == line : col_[from] == line || col_[to] == line;
    if (!own) return score;
    score -= conflicts(board, line, vertical, stage);
    std::swap(board[from], board[to]);
    score += conflicts(board, line, vertical, stage);
    std::swap(board[from], board[to]);
    return score;
  }

  Score whole(const Cell* board, std::size_t stage) const {
    Score score = 0;
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      if (board[cell] != 0) score += weight(board[cell], stage) * distance(board[cell], cell);
    }
    for (std::size_t row = 0; row < goal_.rows(); ++row)
      score += conflicts(board, row, true, stage);
    for (std::size_t col = 0; col < goal_.cols(); ++col)
      score += conflicts(board, col, false, stage);
    return score;
  }

  // How far the tiles of this stage and of those before are from their targets.
  Score left_to_do(const Cell* board, std::size_t stage) const {
    Score sum = 0;
    for (std::size_t cell = 0; cell < goal_.cells(); ++cell) {
      if (board[cell] != 0 && stages_.of_tile[board[cell]] <= stage) {
        sum += distance(board[cell], cell);
      }
    }
    return sum;
  }

 private:
  // Of the tiles that are in their own row (or column), all but a heaviest sequence in
  // the right order have to leave it and come back.
  Score conflicts(const Cell* board, std::size_t line, bool row, std::size_t stage) const {
    const std::size_t size = row ? goal_.cols() : goal_.rows();
    const std::size_t step = row ? 1 : goal_.cols();
    const Cell* cell = board + (row ? line * goal_.cols() : line);
    const std::uint16_t* const home_line = row ? home_row_.data() : home_col_.data();
    const std::uint16_t* const home_place = row ? home_col_.data() : home_row_.data();
    std::array<Score, kLongestLine> heaviest;
    std::array<std::uint16_t, kLongestLine> place;
    std::size_t count = 0;
    Score total = 0;
    Score most = 0;
    for (std::size_t i = 0; i < size; ++i, cell += step) {
      const std::size_t tile = *cell;
      if (home_line[tile] != line || tile == 0) continue;
      const Score own = weight(tile, stage);
      total += own;
      Score value = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (place[j] < home_place[tile]) value = std::max(value, heaviest[j]);
      }
      place[count] = home_place[tile];
      heaviest[count++] = value + own;
      most = std::max(most, value + own);
    }
    return 2 * (total - most);
  }

  static constexpr std::size_t kLongestLine = 256;

  const Goal& goal_;
  const Stages& stages_;
  std::vector<std::uint16_t> row_, col_;            // of a cell
  std::vector<std::uint16_t> home_row_, home_col_;  // of a tile
};

template <class Cell>
class Beam {
 public:
  Beam(const Goal& goal, const Stages& stages, std::size_t width, Heartbeat& heart)
      : goal_(goal),
        stages_(stages),
        width_(width),
        cells_(goal.cells()),
        stride_(cells_ + (stages.count > 1 ? kTracked : 0)),
        scoring_(goal, stages),
        pulse_(heart),
        memory_(kRemembered * width) {
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      moves_.push_back(static_cast<std::uint8_t>(goal.moves(cell)));
      tile_key_.push_back(scramble(2 * cell));
      cell_key_.push_back(scramble(2 * cell + 1));
    }
    choose_tracked();
  }

  std::optional<std::string> run(const Tiles& tiles, std::size_t most_moves) {
    boards_.resize(width_ * stride_);
    next_boards_.resize(width_ * stride_);
    std::copy(tiles.begin(), tiles.end(), boards_.begin());
    Node root{};
    root.blank = static_cast<std::uint16_t>(blank_cell(tiles));
    root.last = kDirections;
    enter_stage(root, boards_.data());
    layer_.assign(1, root);
    if (root.stage == stages_.count) return "";
    if (draws_blank(root.stage)) track_all(boards_.data(), root.stage);
    while (starts_.size() < most_moves && expand_layer() && select()) {
      if (layer_.front().stage == stages_.count) return trace();
    }
    return {};
  }

 private:
  struct Node {
    std::uint64_t hash;
    Score score;
    Score rank;   // the score and the pull on the blank: what selects
    Score to_do;  // of this stage
    std::uint32_t parent;
    std::uint16_t blank;
    std::uint16_t stage;
    std::uint8_t last;
  };
  struct Step {
    std::uint32_t parent;
    std::uint8_t move;
  };
  static constexpr std::size_t kRemembered = 16;

  // The first tiles of each stage; where they are is kept behind the cells of a board.
  void choose_tracked() {
    tracked_.resize(stages_.count);
    for (std::size_t tile = 1; tile < cells_; ++tile) {
      std::vector<Cell>& tiles = tracked_[stages_.of_tile[tile]];
      if (tiles.size() < kTracked) tiles.push_back(static_cast<Cell>(tile));
    }
  }

  void track_all(Cell* board, std::size_t stage) const {
    for (std::size_t i = 0; i < tracked_[stage].size(); ++i) {
      const Cell* const place = std::find(board, board + cells_, tracked_[stage][i]);
      board[cells_ + i] = static_cast<Cell>(place - board);
    }
  }

  bool is_heavy(std::size_t tile, std::size_t stage) const {
    return stages_.of_tile[tile] <= stage;
  }

  // On to the first stage that is not done yet.
  void enter_stage(Node& node, Cell* board) const {
    while (node.stage < stages_.count) {
      node.to_do = scoring_.left_to_do(board, node.stage);
      if (node.to_do > 0) break;
      ++node.stage;
    }
    node.score = node.rank = scoring_.whole(board, node.stage);
    node.hash = scramble(node.stage) + tile_key_[0] * cell_key_[node.blank];
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      const std::size_t tile = board[cell];
      if (tile == 0 || !is_heavy(tile, node.stage)) continue;
      node.hash += tile_key_[tile] * cell_key_[cell];
    }
  }

  bool expand_layer() {
    children_.clear();
    for (std::size_t i = 0; i < layer_.size(); ++i) {
      const Node& node = layer_[i];
      const unsigned back = node.last == kDirections ? 0U : 1U << opposite(node.last);
      const unsigned moves = moves_[node.blank] & ~back;
      if (!pulse_.tick(static_cast<unsigned>(std::popcount(moves)))) return false;
      for (unsigned left = moves; left != 0; left &= left - 1) {
        add_child(i, static_cast<Direction>(std::countr_zero(left)));
      }
    }
    return true;
  }

  void add_child(std::size_t index, Direction direction) {
    const Node& node = layer_[index];
    Cell* const board = boards_.data() + index * stride_;
    const std::size_t source = goal_.source(node.blank, direction);
    const std::size_t tile = board[source];
    Node child = node;
    child.parent = static_cast<std::uint32_t>(index);
    child.blank = static_cast<std::uint16_t>(source);
    child.last = static_cast<std::uint8_t>(direction);
    const std::uint64_t shift = cell_key_[node.blank] - cell_key_[source];
    child.hash -= tile_key_[0] * shift;
    child.score += scoring_.change(board, source, node.blank, direction < 2, node.stage);
    if (is_heavy(tile, node.stage)) {
      child.hash += tile_key_[tile] * shift;
      child.to_do += scoring_.distance(tile, node.blank) - scoring_.distance(tile, source);
    }
    child.rank = child.score;
    if (child.to_do == 0) {
      std::swap(board[source], board[node.blank]);
      enter_stage(child, board);
      std::swap(board[source], board[node.blank]);
    } else if (draws_blank(node.stage)) {
      child.rank += pull(node, board, source);
    }
    children_.push_back(child);
  }

  bool draws_blank(std::size_t stage) const { return stage + 1 < stages_.count; }

  // How far the blank is, after it went to `source`, from a tile that the stage has to place.
  Score pull(const Node& node, const Cell* board, std::size_t source) const {
    const std::vector<Cell>& tiles = tracked_[node.stage];
    Score nearest = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      std::size_t place = board[cells_ + i];
      if (place == source) place = node.blank;
      if (scoring_.distance(tiles[i], place) == 0) continue;
      const Score apart = scoring_.between(place, source);
      nearest = nearest == 0 ? apart : std::min(nearest, apart);
    }
    return nearest;
  }

  // Keeps the best, each board once.
  bool select() {
    order_children();
    next_layer_.clear();
    starts_.push_back(steps_.size());
    for (std::size_t i = 0; i < order_.size() && next_layer_.size() < width_; ++i) {
      if (i + kAhead < order_.size()) memory_.prefetch(children_[order_[i + kAhead]].hash);
      const Node& child = children_[order_[i]];
      if (memory_.is_new(child.hash)) keep(child);
    }
    layer_.swap(next_layer_);
    boards_.swap(next_boards_);
    return !layer_.empty();
  }

  void keep(const Node& child) {
    Cell* const board = next_boards_.data() + next_layer_.size() * stride_;
    std::memcpy(board, boards_.data() + child.parent * stride_, stride_ * sizeof(Cell));
    const Node& parent = layer_[child.parent];
    std::swap(board[child.blank], board[parent.blank]);
    if (child.stage != parent.stage && draws_blank(child.stage)) {
      track_all(board, child.stage);
    } else if (draws_blank(child.stage)) {
      std::replace(board + cells_, board + cells_ + tracked_[child.stage].size(),
                   static_cast<Cell>(child.blank), static_cast<Cell>(parent.blank));
    }
    next_layer_.push_back(child);
    steps_.push_back({child.parent, child.last});
  }

  // By stage and rank, in time that grows with the number of children only. Ranks within
  // a layer are close to each other; those far off the best are not kept anyway.
  void order_children() {
    std::size_t latest = 0;
    for (const Node& child : children_) latest = std::max<std::size_t>(latest, child.stage);
    std::array<Score, kStagesApart> best;
    best.fill(std::numeric_limits<Score>::max());
    for (const Node& child : children_) {
      Score& score = best[std::min(latest - child.stage, kStagesApart - 1)];
      score = std::min(score, child.rank);
    }
    std::array<std::uint32_t, kStagesApart * kRanksApart + 1> ends{};
    const auto bucket = [&](const Node& child) {
      const std::size_t stage = std::min(latest - child.stage, kStagesApart - 1);
      return stage * kRanksApart +
             std::min(static_cast<std::size_t>(child.rank - best[stage]), kRanksApart - 1);
    };
    for (const Node& child : children_) ++ends[bucket(child) + 1];
    for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    order_.resize(children_.size());
    for (std::uint32_t i = 0; i < children_.size(); ++i) order_[ends[bucket(children_[i])]++] = i;
  }

  std::string trace() const {
    std::string moves(starts_.size(), ' ');
    std::size_t index = 0;
    for (std::size_t depth = starts_.size(); depth-- > 0;) {
      const Step& step = steps_[starts_[depth] + index];
      moves[depth] = kLetters[step.move];
      index = step.parent;
    }
    return moves;
  }

  static constexpr std::size_t kAhead = 8;
  static constexpr std::size_t kStagesApart = 4;
  static constexpr std::size_t kRanksApart = 256;

  const Goal& goal_;
  const Stages& stages_;
  const std::size_t width_;
  const std::size_t cells_;
  const std::size_t stride_;
  const Scoring<Cell> scoring_;
  Pulse pulse_;
  Memory memory_;
  std::vector<std::uint8_t> moves_;
  std::vector<std::uint64_t> tile_key_, cell_key_;
  std::vector<std::vector<Cell>> tracked_;
  std::vector<Cell> boards_, next_boards_;
  std::vector<Node> layer_, next_layer_, children_;
  std::vector<std::uint32_t> order_;
  std::vector<Step> steps_;
  std::vector<std::size_t> starts_;  // of each layer's steps
};

}  // namespace

std::optional<std::string> beam(const Goal& goal, const Tiles& tiles, const Stages& stages,
                                std::size_t width, std::size_t most_moves, Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  if (goal.cells() <= 256) {
    return Beam<std::uint8_t>(goal, stages, width, heart).run(tiles, most_moves);
  }
  return Beam<std::uint16_t>(goal, stages, width, heart).run(tiles, most_moves);
}

}  // namespace taquin
