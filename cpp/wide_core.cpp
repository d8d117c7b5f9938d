#include "wide_core.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace taquin::wide {

void Core::begin(std::int64_t bound, std::size_t numbers) {
  bound_ = bound;
  sampled_.assign(numbers, 0);
  size_ = 0;
  free_size_ = nodes_.size();
  for (std::size_t i = 0; i < free_size_; ++i) free_[i] = static_cast<std::uint16_t>(i);
}

// Its number was that of another time.
void Core::add(const std::uint8_t* note) {
  Node node = noted_node(note);
  set_number(node, 0);
  push(node, noted_brief(note));
}

std::vector<std::vector<std::uint8_t>> Core::left() const {
  std::vector<std::vector<std::uint8_t>> paths;
  for (std::size_t i = size_; i-- > 0;) {
    paths.push_back(way_to(nodes_[node_of(stack_[i])], stack_[i]));
  }
  return paths;
}

void Core::keep(const Node& node, Brief brief, Fringe& fringe) const {
  const Brief next = brief + (Brief{1} << kSlackAt) + (Brief{1} << kSlackOfSecondAt);
  const std::int64_t h = bound_ + 2 - static_cast<std::int64_t>(depth_of(next));
  if (h > fringe.farthest()) return;
  std::array<std::uint8_t, WideSearch::kNoteBytes> note;
  std::memcpy(note.data(), &node, sizeof node);
  std::memcpy(note.data() + sizeof node, &next, sizeof next);
  fringe.add(note.data(), h);
}

void Core::make_room() {
  constexpr std::size_t most = kBatch * kDirections + 1;
  if (free_size_ >= most) return;
  const std::size_t before = nodes_.size();
  const std::size_t after = std::min(2 * before + most, kMostNodes);
  if (free_size_ + after - before < most) throw std::length_error("too many boards at once");
  nodes_.resize(after);
  stack_.resize(after);
  free_.resize(after);
  for (std::size_t i = before; i < after; ++i) {
    free_[free_size_++] = static_cast<std::uint16_t>(i);
  }
}

Node Core::node_for(const WideSearch::Board& board) const {
  Node node{};
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    node.index[slot] = board.index[slot];
    node.mask[slot] = board.count[slot] << kCountAt;
  }
  for (std::size_t cell = 0; cell < givens_.patterns.goal().cells(); ++cell) {
    const std::size_t tile = node.tiles[cell] = board.tiles[cell];
    if (cell == board.blank) continue;
    for (std::size_t p = 0; p < WideSearch::kParts; ++p) {
      node.mask[givens_.slot_of(p, tile)] |= 1U << cell;
    }
  }
  set_number(node, board.number);
  for (std::size_t i = 0; i < board.path.size(); ++i) {
    write_move(node.path, i, lane_of(board.path[i]));
  }
  return node;
}

// Sums, as a board beyond the bound has less than no slack.
Brief Core::brief_for(const WideSearch::Board& board) const {
  const auto depth = static_cast<std::int64_t>(board.path.size());
  const auto slack = [&](std::size_t p) {
    return static_cast<Brief>((bound_ - depth - board.values[p]) / 2);
  };
  return (static_cast<Brief>(depth) << kDepthAt) + (slack(0) << kSlackAt) +
         (slack(1) << kSlackOfSecondAt) + (board.blank << kBlankAt) + board.state;
}

void Core::push(const Node& node, Brief brief) {
  make_room();
  const std::size_t number = free_[--free_size_];
  nodes_[number] = node;
  stack_[size_++] = (brief & ~(Brief{0xffff} << kNodeAt)) | number << kNodeAt;
}

}  // namespace taquin::wide
