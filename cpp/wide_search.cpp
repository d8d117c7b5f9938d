#include "wide_search.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#if defined(__x86_64__) && defined(__GNUC__)
#define TAQUIN_HAS_WIDE 1
#include <immintrin.h>
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")))
#define WIDE_INLINE WIDE __attribute__((always_inline)) inline
#else
#define WIDE
#endif

namespace taquin {

namespace {

constexpr std::size_t kBatch = 32;  // boards
constexpr std::size_t kGroup = 8;   // boards whose lanes fit a word of 64 bits
constexpr std::size_t kGroups = kBatch / kGroup;
using Groups = std::array<std::uint64_t, kGroups>;
constexpr std::size_t kSlots = WideSearch::kParts * WideSearch::kMostPatterns;
constexpr std::size_t kRoom = 32;  // for the cells of a board, and for the tiles
constexpr std::size_t kMovesOfWord = 32;
constexpr std::size_t kMostTiles = 8;  // of a pattern

// The last lane is the direction that is tried first, since what comes last onto the stack is
// taken first.
constexpr Direction direction_of_lane(std::size_t lane) {
  return kSearchOrder[3 - lane];
}

// A board on the stack. Its index and the mask of its cells for each pattern; above the mask, two
// bits that count the value down, modulo four; as in PatternMoves, but masks are of the board's own
// cells. Where the blank is, `tiles` has any tile.
struct alignas(64) Node {
  std::uint32_t index[kSlots];
  std::uint32_t mask[kSlots];
  std::uint8_t tiles[kRoom];
  std::uint64_t path[4];
};
static_assert(sizeof(Node) == 128);

constexpr unsigned kCountAt = 30;

// The rest of what is to be known of a board, in one word: the automaton's state, the number of its
// node, the blank's cell, by how many steps of two each partition may still grow, and the depth.
using Brief = std::uint64_t;
constexpr std::size_t kMostNodes = std::size_t{1} << 16U;
constexpr unsigned kNodeAt = 16, kBlankAt = 32, kSlackAt = 40, kSlackOfSecondAt = 48, kDepthAt = 56;
constexpr Brief kSlackAndDepth = ~Brief{0} << kSlackAt;

constexpr std::size_t state_of(Brief brief) {
  return brief & 0xffffU;
}
constexpr std::size_t node_of(Brief brief) {
  return brief >> kNodeAt & 0xffffU;
}
constexpr std::size_t blank_of(Brief brief) {
  return brief >> kBlankAt & 0xffU;
}
constexpr std::size_t slack_of(Brief brief) {
  return brief >> kSlackAt & 0xffU;
}
constexpr std::size_t depth_of(Brief brief) {
  return brief >> kDepthAt;
}

// What depends on the blank's cell: for each move where the tile comes from, which cells of a mask
// change, and what is around the blank thereafter; for each pattern the bit that a table has if the
// blank is then shut into that cell, plus one.
struct alignas(64) Cell {
  std::uint32_t source[8];
  std::uint32_t toggled[8];
  std::uint32_t around[8];
  std::uint32_t alone[kSlots];
};

void write_move(std::uint64_t* path, std::size_t depth, std::uint64_t direction) {
  path[depth / kMovesOfWord] |= direction << 2 * (depth % kMovesOfWord);
}

// The way to a board, a byte for each move.
std::vector<std::uint8_t> way_to(const Node& node, Brief brief) {
  std::vector<std::uint8_t> moves(depth_of(brief));
  for (std::size_t i = 0; i < moves.size(); ++i) {
    moves[i] = node.path[i / kMovesOfWord] >> 2 * (i % kMovesOfWord) & 3U;
  }
  return moves;
}

Node noted_node(const std::uint8_t* note) {
  Node node;
  std::memcpy(&node, note, sizeof node);
  return node;
}

Brief noted_brief(const std::uint8_t* note) {
  Brief brief;
  std::memcpy(&brief, note + sizeof(Node), sizeof brief);
  return brief;
}
static_assert(WideSearch::kNoteBytes == sizeof(Node) + sizeof(Brief));

}  // namespace

class WideSearch::Core {
 public:
  Core(const Patterns& patterns, const MovePruning& pruning)
      : patterns_(patterns), allowed_(pruning.allowed()), next_(pruning.next()) {
    prepare_cells();
    prepare_tables();
    for (std::size_t tile = 1; tile < patterns.goal().cells(); ++tile) prepare_tile(tile);
    for (std::size_t moves = 0; moves < 16; ++moves) {
      for (std::size_t lane = 0; lane < kDirections; ++lane) {
        const auto bit = static_cast<unsigned>(moves >> direction_of_lane(lane) & 1U);
        lanes_[moves] = static_cast<std::uint8_t>(lanes_[moves] | bit * 0x11U << lane);
      }
    }
  }

  static std::uintptr_t address(const PatternUse& use) {
    return reinterpret_cast<std::uintptr_t>(use.table->data());
  }

  // Of the table that the places of words are counted from.
  static std::uintptr_t first_address(const Patterns& patterns) {
    std::uintptr_t first = UINTPTR_MAX;
    for (const Patterns::Part& part : patterns.parts()) {
      for (const PatternUse& use : part.uses) first = std::min(first, address(use));
    }
    return first;
  }

  void begin(std::int64_t bound) {
    bound_ = bound;
    size_ = 0;
    free_size_ = nodes_.size();
    for (std::size_t i = 0; i < free_size_; ++i) free_[i] = static_cast<std::uint16_t>(i);
  }

  void add(const Board& board) { push(node_for(board), brief_for(board)); }

  void add(const std::uint8_t* note) { push(noted_node(note), noted_brief(note)); }

  // Within the next bound both partitions may grow once more.
  void keep(const Node& node, Brief brief, Fringe& fringe) const {
    const Brief next = brief + (Brief{1} << kSlackAt) + (Brief{1} << kSlackOfSecondAt);
    const std::int64_t h = bound_ + 2 - static_cast<std::int64_t>(depth_of(next));
    if (h > fringe.farthest()) return;
    std::array<std::uint8_t, kNoteBytes> note;
    std::memcpy(note.data(), &node, sizeof node);
    std::memcpy(note.data() + sizeof node, &next, sizeof next);
    fringe.add(note.data(), h);
  }
  void keep(const Board& board, Fringe& fringe) const {
    keep(node_for(board), brief_for(board), fringe);
  }

  WIDE Outcome run(Pulse& pulse, Fringe& fringe);

  std::vector<std::uint8_t> path() const { return way_to(nodes_[node_of(found_)], found_); }

  std::vector<std::vector<std::uint8_t>> left() const {
    std::vector<std::vector<std::uint8_t>> paths;
    for (std::size_t i = size_; i-- > 0;) {
      paths.push_back(way_to(nodes_[node_of(stack_[i])], stack_[i]));
    }
    return paths;
  }

 private:
  struct Batch;
  struct Constants;

  static std::size_t slot_in(std::size_t part, std::size_t pattern) {
    return part * kMostPatterns + pattern;
  }
  std::size_t slot_of(std::size_t part, std::size_t tile) const {
    return slot_in(part, patterns_.parts()[part].pattern_of[tile]);
  }

  void prepare_cells() {
    const Goal& goal = patterns_.goal();
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      moves_[cell] = static_cast<std::uint8_t>(goal.moves(cell));
      spot_[cell][cell] = 0xff;
      std::size_t beside = cell;
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const Direction direction = direction_of_lane(lane % kDirections);
        const bool can = (goal.moves(cell) >> direction & 1U) != 0;
        const std::size_t source = can ? goal.source(cell, direction) : cell;
        if (can) beside = source;
        cells_[cell].source[lane] = static_cast<std::uint32_t>(source);
        cells_[cell].toggled[lane] = 1U << cell ^ 1U << source;
        for (Direction next = 0; next < kDirections; ++next) {
          if ((goal.moves(source) >> next & 1U) == 0) continue;
          cells_[cell].around[lane] |= 1U << goal.source(source, next);
        }
      }
      // All neighbours of a cell have the same colour, in every table.
      for (std::size_t p = 0; p < kParts; ++p) {
        const std::vector<PatternUse>& uses = patterns_.parts()[p].uses;
        for (std::size_t i = 0; i < uses.size(); ++i) {
          const auto there = static_cast<std::size_t>(uses[i].cells[beside]);
          cells_[cell].alone[slot_in(p, i)] =
              1 + PatternSpace::kind(there, uses[i].table->pattern().cols);
        }
      }
    }
  }

  void prepare_tables() {
    const std::uintptr_t first = first_address(patterns_);
    words_ = reinterpret_cast<const Word*>(first);
    const Pattern& any = patterns_.parts()[0].uses[0].table->pattern();
    std::uint64_t stride = 1;
    for (std::size_t i = 0; i < kMostTiles; ++i, stride *= any.cells()) {
      steps_[2 * i] = static_cast<std::uint32_t>(stride);
      steps_[2 * i + 1] = static_cast<std::uint32_t>(stride * any.cols);
    }
    for (std::size_t i = 0; i < 16; ++i) steps_[16 + i] = 0 - steps_[i];
    for (std::size_t p = 0; p < kParts; ++p) {
      const std::vector<PatternUse>& uses = patterns_.parts()[p].uses;
      for (std::size_t i = 0; i < uses.size(); ++i) {
        const std::size_t slot = slot_in(p, i);
        offsets_[slot] = static_cast<std::uint32_t>((address(uses[i]) - first) / sizeof(Word));
        prepare_turning(uses[i], slot);
      }
    }
  }

  // How the cells of the board lie in a table's board: ten of a mask at once.
  void prepare_turning(const PatternUse& use, std::size_t slot) {
    for (std::size_t cell = 0; cell < use.cells.size(); ++cell) {
      cell_in_[slot][cell] = static_cast<std::uint8_t>(use.cells[cell]);
      auto& some = turned_[slot][cell / 10];
      const std::size_t bit = std::size_t{1} << cell % 10;
      for (std::size_t lower = 0; lower < bit; ++lower) {
        some[bit + lower] = some[lower] | 1U << use.cells[cell];
      }
    }
  }

  // A tile's patterns and its place in them, and what its slides do to their indexes.
  void prepare_tile(std::size_t tile) {
    const auto number = static_cast<std::uint32_t>(tile);
    filled_[tile] = number * 0x01010101U;
    for (std::size_t p = 0; p < kParts; ++p) {
      const Patterns::Part& part = patterns_.parts()[p];
      const std::size_t slot = slot_of(p, tile);
      const std::vector<std::int64_t>& tiles = part.uses[part.pattern_of[tile]].tiles;
      const auto at = std::find(tiles.rbegin(), tiles.rend(), static_cast<std::int64_t>(tile));
      const auto digit = static_cast<std::size_t>(at - tiles.rbegin());
      slots_of_[tile] = static_cast<std::uint8_t>(slots_of_[tile] | 1U << slot);
      slot_and_digit_[p * kRoom + tile] = static_cast<std::uint8_t>(slot << 2U | digit << 5U);
      for (std::size_t lane = 0; lane < kDirections; ++lane) {
        const auto slide = static_cast<std::int64_t>(part.slide[direction_of_lane(lane)][tile]);
        const unsigned far = std::abs(slide) != std::int64_t{steps_[2 * digit]} ? 1U : 0U;
        slide_[slot * kDirections + lane] = static_cast<std::uint8_t>((slide < 0 ? 16U : 0U) | far);
      }
    }
  }

  Node node_for(const Board& board) const {
    Node node{};
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      node.index[slot] = board.index[slot];
      node.mask[slot] = board.count[slot] << kCountAt;
    }
    for (std::size_t cell = 0; cell < patterns_.goal().cells(); ++cell) {
      const std::size_t tile = node.tiles[cell] = board.tiles[cell];
      if (cell == board.blank) continue;
      for (std::size_t p = 0; p < kParts; ++p) node.mask[slot_of(p, tile)] |= 1U << cell;
    }
    for (std::size_t i = 0; i < board.path.size(); ++i) write_move(node.path, i, board.path[i]);
    return node;
  }

  // Sums, as a board beyond the bound has less than no slack.
  Brief brief_for(const Board& board) const {
    const auto depth = static_cast<std::int64_t>(board.path.size());
    const auto slack = [&](std::size_t p) {
      return static_cast<Brief>((bound_ - depth - board.values[p]) / 2);
    };
    return (static_cast<Brief>(depth) << kDepthAt) + (slack(0) << kSlackAt) +
           (slack(1) << kSlackOfSecondAt) + (board.blank << kBlankAt) + board.state;
  }

  void push(const Node& node, Brief brief) {
    make_room();
    const std::size_t number = free_[--free_size_];
    nodes_[number] = node;
    stack_[size_++] = (brief & ~(Brief{0xffff} << kNodeAt)) | number << kNodeAt;
  }

  // For all children of a batch.
  void make_room() {
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

  unsigned bit_by_region(std::size_t lane, std::uint32_t index, std::uint32_t mask, Brief brief,
                         const Node& node) const;

#ifdef TAQUIN_HAS_WIDE
  std::size_t take(Pulse& pulse, Batch& batch);
  WIDE_INLINE void find(Batch& batch, const Constants& all) const;
  WIDE_INLINE void look_up(Batch& batch) const;
  WIDE_INLINE void look_again(Batch& batch) const;
  WIDE_INLINE void look_again(Batch& batch, const Groups& moves) const;
  WIDE_INLINE Brief make_child(const Batch& batch, std::size_t number, Node& out) const;
  WIDE_INLINE void keep_failed(Batch& batch, Fringe& fringe) const;
  WIDE_INLINE bool push_children(const Batch& batch);
#endif

  using Word = std::uint32_t __attribute__((may_alias));

  const Patterns& patterns_;
  const std::uint8_t* const allowed_;
  const std::array<MovePruning::State, kDirections>* const next_;
  const Word* words_ = nullptr;  // of all tables

  std::array<Cell, kRoom> cells_{};
  alignas(64) std::array<std::array<std::uint8_t, kRoom>, kRoom> spot_{};  // a cell, filled
  alignas(64) std::array<std::uint8_t, kParts * kRoom> slot_and_digit_{};
  alignas(64) std::array<std::uint32_t, 32> steps_{};  // of slides, the negative ones behind
  alignas(64) std::array<std::uint8_t, kSlots * kDirections> slide_{};  // which of them, less digit
  alignas(64) std::array<std::uint32_t, kSlots> offsets_{};             // of tables, in words
  std::array<std::uint8_t, kRoom> moves_{};
  std::array<std::uint8_t, 16> lanes_{};  // of moves
  std::array<std::uint8_t, kRoom> slots_of_{};
  std::array<std::uint32_t, kRoom> filled_{};  // a tile in four bytes
  std::array<std::array<std::uint8_t, kRoom>, kSlots> cell_in_{};
  std::array<std::array<std::array<std::uint32_t, 1024>, 3>, kSlots> turned_{};

  std::int64_t bound_ = 0;
  std::vector<Node> nodes_;
  std::vector<Brief> stack_;  // as many of them as `size_` tells
  std::size_t size_ = 0;
  std::vector<std::uint16_t> free_;  // numbers of nodes
  std::size_t free_size_ = 0;
  Brief found_ = 0;
};

// The table's bit for a place whose region only the mask tells.
unsigned WideSearch::Core::bit_by_region(std::size_t lane, std::uint32_t index, std::uint32_t mask,
                                         Brief brief, const Node& node) const {
  const std::size_t source = cells_[blank_of(brief)].source[lane];
  const std::size_t part = lane / kDirections;
  const std::size_t slot = slot_and_digit_[part * kRoom + node.tiles[source]] >> 2U & 7U;
  const auto& turned = turned_[slot];
  const Mask there =
      turned[0][mask & 1023U] | turned[1][mask >> 10U & 1023U] | turned[2][mask >> 20U & 1023U];
  const std::size_t hole = cell_in_[slot][source];
  const unsigned region = patterns_.regions().of(there, hole);
  if (region < RegionTable::kElsewhere) {
    return words_[offsets_[slot] + index / 8] >> (4 * (index % 8) + region) & 1U;
  }
  const PatternTable& table = *patterns_.parts()[part].uses[slot % kMostPatterns].table;
  return PatternTable::bit(table.data(), table.place(index, there, hole));
}

#ifdef TAQUIN_HAS_WIDE

namespace {

constexpr std::uint64_t kEach = 0x0101010101010101;

WIDE_INLINE __m256i row(const void* a) {
  return _mm256_load_si256(static_cast<const __m256i*>(a));
}
WIDE_INLINE __m512i pair(const void* a, const void* b) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(row(a)), row(b), 1);
}
WIDE_INLINE void put(void* a, __m256i values) {
  _mm256_store_si256(static_cast<__m256i*>(a), values);
}
WIDE_INLINE __m512i twice(const void* a) {
  return pair(a, a);
}

// The numbers of all bits that are set in words of 64, one after the other.
struct Numbers {
  alignas(64) std::array<std::uint8_t, kBatch * kGroup + 64> each;
  std::size_t count = 0;

  WIDE_INLINE void add(std::size_t word, std::uint64_t bits) {
    const __m512i all =
        _mm512_add_epi8(_mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928,
                                         0x2726252423222120, 0x1f1e1d1c1b1a1918, 0x1716151413121110,
                                         0x0f0e0d0c0b0a0908, 0x0706050403020100),
                        _mm512_set1_epi8(static_cast<char>(64 * word)));
    _mm512_storeu_si512(each.data() + count, _mm512_maskz_compress_epi8(bits, all));
    count += static_cast<std::size_t>(std::popcount(bits));
  }
};
static_assert(kBatch * kGroup <= 256);

}  // namespace

// Boards that are expanded together. A board has eight lanes: its moves in the first partition,
// then those in the second. Words of 64 bits have a bit for each lane of eight boards.
struct WideSearch::Core::Batch {
  alignas(64) std::array<Brief, kBatch> briefs;
  alignas(64) std::array<std::array<std::uint32_t, 8>, kBatch> index;   // after the move
  alignas(64) std::array<std::array<std::uint32_t, 8>, kBatch> mask;    // if the value falls
  alignas(64) std::array<std::array<std::uint32_t, 8>, kBatch> bit_at;  // in its word, plus one
  alignas(64) std::array<std::uint32_t, kBatch * 8 + 16> places;        // of the words to look up
  alignas(64) std::array<std::uint32_t, kBatch * 8 + 16> words;
  std::size_t count = 0;  // of places, and of words
  std::array<const Node*, kBatch> nodes;
  alignas(64) std::array<std::uint8_t, kBatch> moves;  // that are not pruned, in both nibbles
  Groups grows;
  Groups unsure;  // the region is not known
  Groups limit;   // must not grow

  // The moves, as bits of the first partition's lanes, that fail if `grows` is right.
  std::uint64_t fails(std::size_t group, std::uint64_t growing) const {
    const std::uint64_t beyond = growing & limit[group];
    return moves_of(group) & (beyond | beyond >> 4U) & kEach * 15;
  }
  std::uint64_t moves_of(std::size_t group) const {
    std::uint64_t bits;
    std::memcpy(&bits, moves.data() + group * kGroup, sizeof bits);
    return bits & kEach * 15;
  }
};

struct WideSearch::Core::Constants {
  __m512i slot_and_digit, slides, steps, back_steps, offsets;
  __m512i lanes, second_part, second_board, second_slots;

  WIDE explicit Constants(const Core& core)
      : slot_and_digit(_mm512_load_si512(core.slot_and_digit_.data())),
        slides(twice(core.slide_.data())),
        steps(_mm512_load_si512(core.steps_.data())),
        back_steps(_mm512_load_si512(core.steps_.data() + 16)),
        offsets(twice(core.offsets_.data())),
        lanes(_mm512_setr4_epi32(0, 1, 2, 3)),
        second_part(_mm512_setr_epi32(0, 0, 0, 0, 32, 32, 32, 32, 0, 0, 0, 0, 32, 32, 32, 32)),
        second_board(_mm512_maskz_set1_epi32(0xff00, 32)),
        second_slots(_mm512_maskz_set1_epi32(0xff00, 8)) {}
};

// Takes boards from the stack, as many as may be expanded.
std::size_t WideSearch::Core::take(Pulse& pulse, Batch& batch) {
  const std::size_t count = pulse.ticks(std::min(kBatch, size_));
  size_ -= count;
  for (std::size_t i = 0; i < count; ++i) {
    batch.briefs[i] = stack_[size_ + i];
    batch.nodes[i] = &nodes_[node_of(batch.briefs[i])];
  }
  // The places that are left are for a board without moves.
  for (std::size_t i = count; i < kBatch; ++i) {
    batch.briefs[i] = Brief{kRoom - 1} << kBlankAt;
    batch.nodes[i] = &nodes_[0];
  }
  return count;
}

// Where all moves lead, two boards at a time, and what is to be looked up for them.
void WideSearch::Core::find(Batch& batch, const Constants& all) const {
  const __m512i three_bits = _mm512_set1_epi32(7), digits = _mm512_set1_epi32(14);
  const __m512i one = _mm512_set1_epi32(1), falls = _mm512_set1_epi32(1 << kCountAt);
  batch.count = 0;
  for (std::size_t i = 0; i < kBatch; i += 2) {
    const Brief a = batch.briefs[i], b = batch.briefs[i + 1];
    const Node &node_a = *batch.nodes[i], &node_b = *batch.nodes[i + 1];
    const Cell &cell_a = cells_[blank_of(a)], &cell_b = cells_[blank_of(b)];
    const unsigned moves_a = lanes_[moves_[blank_of(a)] & allowed_[state_of(a)]];
    const unsigned moves_b = lanes_[moves_[blank_of(b)] & allowed_[state_of(b)]];
    batch.moves[i] = static_cast<std::uint8_t>(moves_a);
    batch.moves[i + 1] = static_cast<std::uint8_t>(moves_b);
    const unsigned moves = moves_a | moves_b << 8U;

    // Of the bytes of a lane only the lowest one matters, until they are numbers of slots.
    const __m512i from = _mm512_or_si512(pair(cell_a.source, cell_b.source), all.second_board);
    const __m512i tile = _mm512_permutexvar_epi8(from, pair(node_a.tiles, node_b.tiles));
    const __m512i about =
        _mm512_permutexvar_epi8(_mm512_or_si512(tile, all.second_part), all.slot_and_digit);
    const __m512i slot =
        _mm512_ternarylogic_epi32(_mm512_srli_epi32(about, 2), three_bits, all.second_slots, 0xea);
    const __m512i slide = _mm512_permutexvar_epi8(_mm512_or_si512(about, all.lanes), all.slides);
    const __m512i which =
        _mm512_ternarylogic_epi32(slide, _mm512_srli_epi32(about, 4), digits, 0xf8);
    const __m512i step = _mm512_permutex2var_epi32(all.steps, which, all.back_steps);
    const __m512i index =
        _mm512_add_epi32(_mm512_permutexvar_epi32(slot, pair(node_a.index, node_b.index)), step);
    const __m512i mask = _mm512_add_epi32(
        _mm512_xor_si512(_mm512_permutexvar_epi32(slot, pair(node_a.mask, node_b.mask)),
                         pair(cell_a.toggled, cell_b.toggled)),
        falls);
    const __m512i open = _mm512_andnot_si512(mask, pair(cell_a.around, cell_b.around));
    const __m512i bit = _mm512_mask_permutexvar_epi32(one, _mm512_testn_epi32_mask(open, open),
                                                      slot, pair(cell_a.alone, cell_b.alone));
    const __m512i place =
        _mm512_add_epi32(_mm512_permutexvar_epi32(slot, all.offsets), _mm512_srli_epi32(index, 3));
    _mm512_store_si512(batch.index[i].data(), index);
    _mm512_store_si512(batch.mask[i].data(), mask);
    _mm512_store_si512(batch.bit_at[i].data(), _mm512_or_si512(_mm512_slli_epi32(index, 2), bit));
    _mm512_storeu_si512(batch.places.data() + batch.count,
                        _mm512_maskz_compress_epi32(static_cast<__mmask16>(moves), place));
    batch.count += static_cast<std::size_t>(std::popcount(moves));
  }
}

// Looks all words up, and tells of each lane whether the value grows.
void WideSearch::Core::look_up(Batch& batch) const {
  // One by one, as some processors are slow to gather. The last word of a table of one or two tiles
  // may reach beyond it, but not beyond its page.
  for (std::size_t i = 0; i < batch.count; i += 2) {
    batch.words[i] = words_[batch.places[i]];
    batch.words[i + 1] = words_[batch.places[i + 1]];
  }
  const __m512i falls = _mm512_set1_epi32(1 << kCountAt), four = _mm512_set1_epi32(4);
  const std::uint32_t* words = batch.words.data();
  for (std::size_t group = 0; group < kGroups; ++group) {
    std::uint64_t falling = 0, unsure = 0;
    for (std::size_t i = 0; i < kGroup; i += 2) {
      const std::size_t board = group * kGroup + i;
      const unsigned moves = batch.moves[board] | batch.moves[board + 1] << 8U;
      const __m512i word = _mm512_maskz_expandloadu_epi32(static_cast<__mmask16>(moves), words);
      words += std::popcount(moves);
      const __m512i bit = _mm512_rorv_epi32(word, _mm512_load_si512(batch.bit_at[board].data()));
      const __m512i nibble = _mm512_slli_epi32(_mm512_load_si512(batch.index[board].data()), 2);
      const __m512i before = _mm512_sub_epi32(_mm512_load_si512(batch.mask[board].data()), falls);
      const std::uint64_t falls_here = _mm512_movepi32_mask(_mm512_xor_si512(before, bit));
      const std::uint64_t by_region =
          _mm512_movepi32_mask(_mm512_rorv_epi32(word, _mm512_add_epi32(nibble, four)));
      falling |= falls_here << 8 * i;
      unsure |= by_region << 8 * i;
    }
    batch.grows[group] = ~falling;
    batch.unsure[group] = unsure;
    // Which boards have no slack in a partition: bytes that are 0.
    const __m512i briefs = _mm512_load_si512(batch.briefs.data() + group * kGroup);
    const std::uint64_t zero = _mm512_testn_epi8_mask(briefs, briefs);
    batch.limit[group] =
        (zero >> kSlackAt / 8 & kEach) * 0x0f | (zero >> kSlackOfSecondAt / 8 & kEach) * 0xf0;
  }
}

// Of some moves, where the blank's region was not known.
void WideSearch::Core::look_again(Batch& batch, const Groups& moves) const {
  Numbers lanes;
  for (std::size_t group = 0; group < kGroups; ++group) {
    lanes.add(group, batch.unsure[group] & (moves[group] | moves[group] << 4U));
  }
  for (std::size_t i = 0; i < lanes.count; ++i) {
    const std::size_t number = lanes.each[i], board = number / 8, lane = number % 8;
    const std::uint32_t mask = batch.mask[board][lane];
    const unsigned bit = bit_by_region(lane, batch.index[board][lane], mask, batch.briefs[board],
                                       *batch.nodes[board]);
    const std::uint64_t grows = ~((mask - (1U << kCountAt)) >> 31U ^ bit) & 1U;
    std::uint64_t& word = batch.grows[number / 64];
    word = (word & ~(std::uint64_t{1} << number % 64)) | grows << number % 64;
  }
}

// Of those that do not fail anyway.
void WideSearch::Core::look_again(Batch& batch) const {
  Groups open;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::uint64_t sure = batch.grows[group] & ~batch.unsure[group];
    open[group] = batch.moves_of(group) & ~batch.fails(group, sure);
  }
  look_again(batch, open);
}

// The board after a move, whose number is that of its lane in the batch.
Brief WideSearch::Core::make_child(const Batch& batch, std::size_t number, Node& out) const {
  const std::size_t board = number / 8, lane = number % 8;
  const Brief brief = batch.briefs[board];
  const Node& node = *batch.nodes[board];
  const Direction direction = direction_of_lane(lane);
  const std::size_t blank = blank_of(brief), source = cells_[blank].source[lane];
  const std::size_t tile = node.tiles[source], depth = depth_of(brief);
  // Bit 0 for the first partition, bit 4 for the second.
  const std::uint64_t grows = batch.grows[number / 64] >> number % 64 & 0x11U;

  const auto slots = static_cast<__mmask8>(slots_of_[tile]);
  const auto growing = static_cast<__mmask8>(slots_of_[tile] & grows * 15);
  const __m256i moved = _mm256_add_epi32(_mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4),
                                         _mm256_set1_epi32(static_cast<int>(lane)));
  const __m256i index =
      _mm256_mask_permutexvar_epi32(row(node.index), slots, moved, row(batch.index[board].data()));
  const __m256i mask =
      _mm256_mask_permutexvar_epi32(row(node.mask), slots, moved, row(batch.mask[board].data()));
  put(out.index, index);
  put(out.mask, _mm256_mask_xor_epi32(mask, growing, mask, _mm256_set1_epi32(INT32_MIN)));
  put(out.tiles,
      _mm256_ternarylogic_epi32(row(spot_[blank].data()), row(node.tiles),
                                _mm256_set1_epi32(static_cast<int>(filled_[tile])), 0xac));
  put(out.path, row(node.path));
  write_move(out.path, depth, direction);
  return ((brief & kSlackAndDepth) + (Brief{1} << kDepthAt) - ((grows & 1U) << kSlackAt) -
          (grows >> 4U << kSlackOfSecondAt)) |
         source << kBlankAt | next_[state_of(brief)][direction];
}

// The moves that fail, of boards that are deep enough for the fringe.
void WideSearch::Core::keep_failed(Batch& batch, Fringe& fringe) const {
  const std::int64_t depth = std::clamp<std::int64_t>(bound_ + 1 - fringe.farthest(), 0, 255);
  const __m512i enough = _mm512_set1_epi8(static_cast<char>(depth));
  Groups wanted;
  std::uint64_t any = 0;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const __m512i briefs = _mm512_load_si512(batch.briefs.data() + group * kGroup);
    const std::uint64_t deep = _mm512_cmpge_epu8_mask(briefs, enough) >> kDepthAt / 8 & kEach;
    any |= wanted[group] = batch.fails(group, batch.grows[group]) & deep * 15;
  }
  if (any == 0) return;
  look_again(batch, wanted);
  Numbers failed;
  for (std::size_t group = 0; group < kGroups; ++group) failed.add(group, wanted[group]);
  for (std::size_t i = 0; i < failed.count; ++i) {
    Node node;
    const Brief brief = make_child(batch, failed.each[i], node);
    keep(node, brief, fringe);
  }
}

// True when one of them is the goal.
bool WideSearch::Core::push_children(const Batch& batch) {
  Numbers passed;
  for (std::size_t group = 0; group < kGroups; ++group) {
    passed.add(group, batch.moves_of(group) & ~batch.fails(group, batch.grows[group]));
  }
  Node* const nodes = nodes_.data();
  Brief* const stack = stack_.data() + size_;
  const std::uint16_t* const free = free_.data() + free_size_;
  size_ += passed.count;
  free_size_ -= passed.count;
  for (std::size_t i = 0; i < passed.count; ++i) {
    const std::size_t number = *(free - 1 - i);
    const Brief brief = make_child(batch, passed.each[i], nodes[number]) | number << kNodeAt;
    stack[i] = brief;
    if (depth_of(brief) + 2 * slack_of(brief) == static_cast<std::size_t>(bound_)) {
      found_ = brief;
      return true;
    }
  }
  return false;
}

WIDE WideSearch::Outcome WideSearch::Core::run(Pulse& pulse, Fringe& fringe) {
  const Constants all(*this);
  Batch batch;
  while (size_ > 0) {
    make_room();
    const std::size_t count = take(pulse, batch);
    if (count == 0) return Outcome::stopped;
    find(batch, all);
    pulse.generate(batch.count / kParts);
    look_up(batch);
    look_again(batch);
    keep_failed(batch, fringe);
    if (push_children(batch)) return Outcome::found;
    for (std::size_t i = 0; i < count; ++i) {
      free_[free_size_++] = static_cast<std::uint16_t>(node_of(batch.briefs[i]));
    }
  }
  return Outcome::none;
}

#else

WideSearch::Outcome WideSearch::Core::run(Pulse&, Fringe&) {
  throw std::logic_error("this processor has no wide search");
}

#endif

bool WideSearch::suits(const Patterns& patterns) {
#ifdef TAQUIN_HAS_WIDE
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2")) {
    return false;
  }
  if (patterns.parts().size() != kParts || patterns.goal().cells() > kMostCells) return false;
  const std::uintptr_t first = Core::first_address(patterns);
  for (const Patterns::Part& part : patterns.parts()) {
    if (part.uses.size() > kMostPatterns) return false;
    for (const PatternUse& use : part.uses) {
      const std::uintptr_t words = (Core::address(use) - first) / 4;
      if (Core::address(use) % 4 != 0 || words > UINT32_MAX / 2 || use.tiles.size() > kMostTiles ||
          !use.table->space().has_kinds()) {
        return false;
      }
    }
  }
  return true;
#else
  (void)patterns;
  return false;
#endif
}

WideSearch::WideSearch(const Patterns& patterns, const MovePruning& pruning)
    : core_(std::make_unique<Core>(patterns, pruning)) {}
WideSearch::WideSearch(WideSearch&&) noexcept = default;
WideSearch::~WideSearch() = default;

void WideSearch::begin(std::int64_t bound) {
  core_->begin(bound);
}
void WideSearch::add(const Board& board) {
  core_->add(board);
}
void WideSearch::add(const std::uint8_t* note) {
  core_->add(note);
}
std::vector<std::uint8_t> WideSearch::path_of(const std::uint8_t* note) {
  return way_to(noted_node(note), noted_brief(note));
}
void WideSearch::keep(const Board& board, Fringe& fringe) const {
  core_->keep(board, fringe);
}
WideSearch::Outcome WideSearch::run(Pulse& pulse, Fringe& fringe) {
  return core_->run(pulse, fringe);
}
std::vector<std::uint8_t> WideSearch::path() const {
  return core_->path();
}
std::vector<std::vector<std::uint8_t>> WideSearch::left() const {
  return core_->left();
}

}  // namespace taquin
