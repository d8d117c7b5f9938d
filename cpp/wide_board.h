#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "board.h"
#include "wide_search.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define TAQUIN_HAS_WIDE 1
#endif

// The boards of a wide search, as they lie in memory.
namespace taquin::wide {

inline constexpr std::size_t kSlots = WideSearch::kParts * WideSearch::kMostPatterns;
inline constexpr std::size_t kRoom = 32;  // for the cells of a board, and for the tiles
inline constexpr std::size_t kMovesOfWord = 32;
inline constexpr std::size_t kMostTiles = 8;                             // of a pattern
inline constexpr std::size_t kLanes = WideSearch::kParts * kDirections;  // of a board

// Whether the index of so many tiles is a number of 32 bits with a sign.
constexpr bool fits_an_index(std::size_t cells, std::size_t tiles) {
  std::uint64_t indexes = 1;
  for (std::size_t i = 0; i < tiles; ++i) indexes *= cells;
  return tiles <= kMostTiles && indexes <= std::uint64_t{1} << 31U;
}

// The last lane is the direction that is tried first, since what comes last onto the stack is
// taken first.
constexpr Direction direction_of_lane(std::size_t lane) {
  return kSearchOrder[3 - lane];
}

constexpr std::size_t lane_of(Direction direction) {
  std::size_t lane = 0;
  while (direction_of_lane(lane) != direction) ++lane;
  return lane;
}

// A board on the stack. Its index and the mask of its cells for each pattern; above the mask, two
// bits that count the value down, modulo four; as in PatternMoves, but masks are of the board's own
// cells. Where the blank is, `tiles` has any tile; behind the cells it has the board's number.
struct alignas(64) Node {
  std::uint32_t index[kSlots];
  std::uint32_t mask[kSlots];
  std::uint8_t tiles[kRoom];
  std::uint64_t path[4];
};
static_assert(sizeof(Node) == 128);

inline constexpr unsigned kCountAt = 30;

using Number = std::uint16_t;
static_assert(WideSearch::kMostCells + sizeof(Number) <= kRoom);

inline Number number_of(const Node& node) {
  Number number;
  std::memcpy(&number, node.tiles + WideSearch::kMostCells, sizeof number);
  return number;
}
inline void set_number(Node& node, Number number) {
  std::memcpy(node.tiles + WideSearch::kMostCells, &number, sizeof number);
}

// The rest of what is to be known of a board, in one word: the automaton's state, the number of its
// node, the blank's cell, by how many steps of two each partition may still grow, and the depth.
using Brief = std::uint64_t;
inline constexpr std::size_t kMostNodes = std::size_t{1} << 16U;
inline constexpr unsigned kNodeAt = 16, kBlankAt = 32, kSlackAt = 40, kSlackOfSecondAt = 48,
                          kDepthAt = 56;
inline constexpr Brief kSlackAndDepth = ~Brief{0} << kSlackAt;

constexpr std::size_t state_of(Brief brief) {
  return brief & 0xffffU;
}
constexpr std::size_t node_of(Brief brief) {
  return brief >> kNodeAt & 0xffffU;
}
constexpr std::size_t blank_of(Brief brief) {
  return brief >> kBlankAt & 0xffU;
}
constexpr std::size_t depth_of(Brief brief) {
  return brief >> kDepthAt;
}

inline void write_move(std::uint64_t* path, std::size_t depth, std::uint64_t lane) {
  path[depth / kMovesOfWord] |= lane << 2 * (depth % kMovesOfWord);
}

inline std::uint8_t move_at(const Node& node, std::size_t depth) {
  const std::uint64_t lane = node.path[depth / kMovesOfWord] >> 2 * (depth % kMovesOfWord) & 3U;
  return static_cast<std::uint8_t>(direction_of_lane(lane));
}

// The way to a board, a byte for each move.
inline std::vector<std::uint8_t> way_to(const Node& node, Brief brief) {
  std::vector<std::uint8_t> moves(depth_of(brief));
  for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = move_at(node, i);
  return moves;
}

inline Node noted_node(const std::uint8_t* note) {
  Node node;
  std::memcpy(&node, note, sizeof node);
  return node;
}

inline Brief noted_brief(const std::uint8_t* note) {
  Brief brief;
  std::memcpy(&brief, note + sizeof(Node), sizeof brief);
  return brief;
}
static_assert(WideSearch::kNoteBytes == sizeof(Node) + sizeof(Brief));

}  // namespace taquin::wide
