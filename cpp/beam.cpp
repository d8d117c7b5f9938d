#include "beam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scoring.h"

namespace taquin {

namespace {

// The blank is drawn, weakly, to the nearest of so many tiles that its stage has to place.
constexpr std::size_t kTracked = 16;
constexpr Score kPull = 30;

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

template <class Cell>
class Beam {
 public:
  Beam(const Goal& goal, const Stages& stages, const BeamLimits& limits, Heartbeat& heart)
      : goal_(goal),
        stages_(stages),
        limits_(limits),
        width_(limits.width),
        cells_(goal.cells()),
        stride_(cells_ + (stages.count > 1 ? kTracked : 0)),
        scoring_(goal, stages),
        heart_(heart),
        pulse_(heart),
        memory_(kRemembered * limits.width) {
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      moves_.push_back(static_cast<std::uint8_t>(goal.moves(cell)));
      tile_key_.push_back(scramble(2 * cell));
      cell_key_.push_back(scramble(2 * cell + 1));
    }
    choose_tracked();
  }

  BeamEnd run(const Tiles& tiles) {
    boards_.resize(width_ * stride_);
    next_boards_.resize(width_ * stride_);
    std::copy(tiles.begin(), tiles.end(), boards_.begin());
    Node root{};
    root.blank = static_cast<std::uint16_t>(blank_cell(tiles));
    root.last = kDirections;
    enter_stage(root, boards_.data());
    layer_.assign(1, root);
    if (draws_blank(root.stage)) track_all(boards_.data(), root.stage);
    std::size_t stage = root.stage, begun = 0;
    while (stage < stages_.count && steps_.size() < limits_.most_moves &&
           steps_.size() - begun <= limits_.most_moves_of_stage && !heart_.halted() &&
           expand_layer() && select()) {
      if (layer_.front().stage == stage) continue;
      stage = layer_.front().stage;
      begun = steps_.size();
    }
    return {way_to_first(begun), stage};
  }

  // All vectors together, those that grow with room to spare.
  static std::size_t bytes(const Goal& goal, std::size_t most_moves) {
    constexpr std::size_t most_children = kDirections - 1, spare = 2;
    const std::size_t board = (goal.cells() + kTracked) * sizeof(Cell);
    const std::size_t child = sizeof(Node) + sizeof(std::uint32_t);
    return 2 * board + spare * (2 * sizeof(Node) + most_children * child) +
           spare * kRemembered * sizeof(std::uint64_t) + most_moves * sizeof(Step);
  }

 private:
  struct Node {
    std::uint64_t hash;
    Score score;
    Score rank;           // the score and the pull on the blank: what selects
    std::uint32_t to_do;  // tiles of this stage that are not in place
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
    node.stage =
        std::max(node.stage, static_cast<std::uint16_t>(stages_.first_to_do(goal_, board)));
    node.to_do = scoring_.left_to_do(board, node.stage);
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
      if (scoring_.is_home(tile, node.blank)) --child.to_do;
      if (scoring_.is_home(tile, source)) ++child.to_do;
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
      if (scoring_.is_home(tiles[i], place)) continue;
      const Score apart = scoring_.between(place, source);
      nearest = nearest == 0 ? apart : std::min(nearest, apart);
    }
    return kPull * nearest;
  }

  // Keeps the best, each board once.
  bool select() {
    order_children();
    next_layer_.clear();
    steps_.emplace_back();
    for (std::size_t i = 0; i < order_.size() && next_layer_.size() < width_; ++i) {
      if (i + kAhead < order_.size()) memory_.prefetch(children_[order_[i + kAhead]].hash);
      const Node& child = children_[order_[i]];
      if (memory_.is_new(child.hash)) keep(child);
      if (next_layer_.size() * stride_ % kCellsPerBeat < stride_) heart_.beat();
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
    steps_.back().push_back({child.parent, child.last});
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

  // To the best board of a layer.
  std::string way_to_first(std::size_t layer) const {
    std::string moves(layer, ' ');
    std::size_t index = 0;
    for (std::size_t depth = layer; depth-- > 0;) {
      const Step& step = steps_[depth][index];
      moves[depth] = kLetters[step.move];
      index = step.parent;
    }
    return moves;
  }

  static constexpr std::size_t kAhead = 8;
  // So much of a layer is copied in a moment.
  static constexpr std::size_t kCellsPerBeat = std::size_t{1} << 22U;
  static constexpr std::size_t kStagesApart = 3;
  static constexpr std::size_t kRanksApart = 4096;

  const Goal& goal_;
  const Stages& stages_;
  const BeamLimits limits_;
  const std::size_t width_;
  const std::size_t cells_;
  const std::size_t stride_;
  const Scoring<Cell> scoring_;
  Heartbeat& heart_;
  Pulse pulse_;
  Memory memory_;
  std::vector<std::uint8_t> moves_;
  std::vector<std::uint64_t> tile_key_, cell_key_;
  std::vector<std::vector<Cell>> tracked_;
  std::vector<Cell> boards_, next_boards_;
  std::vector<Node> layer_, next_layer_, children_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Step>> steps_;  // of each layer
};

}  // namespace

BeamEnd beam(const Goal& goal, const Tiles& tiles, const Stages& stages, const BeamLimits& limits,
             Heartbeat& heart) {
  goal.require_reachable_from(tiles);
  if (!beam_takes(goal)) throw std::invalid_argument("a beam is not for lines that long");
  if (goal.cells() <= 256) return Beam<std::uint8_t>(goal, stages, limits, heart).run(tiles);
  return Beam<std::uint16_t>(goal, stages, limits, heart).run(tiles);
}

bool beam_takes(const Goal& goal) {
  return std::max(goal.rows(), goal.cols()) <= kLongestLine;
}

std::size_t beam_bytes(const Goal& goal, std::size_t most_moves) {
  return Beam<std::uint16_t>::bytes(goal, most_moves);
}

}  // namespace taquin
