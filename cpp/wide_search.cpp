#include "wide_search.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "prefetch.h"
#include "wide_board.h"
#include "wide_lanes.h"

namespace taquin {

using namespace wide;

namespace {

// What depends on the blank's cell: for each move where the tile comes from, which cells of a mask
// change, what is around the blank thereafter, and the bit that a table has if it is then shut in.
struct alignas(32) Cell {
  // Where the tile comes from, in each byte: among the first sixteen cells, or else 0x80, and among
  // the others. A shuffle of bytes knows sixteen, and makes 0 of what has its highest bit set.
  std::uint32_t low[8];
  std::uint32_t high[8];
  std::uint32_t toggled[8];
  std::uint32_t around[8];
  std::uint32_t alone[8];
  std::uint8_t source[8];
};

}  // namespace

class WideSearch::Core {
 public:
  Core(const Patterns& patterns, const MovePruning& pruning)
      : patterns_(patterns), allowed_(pruning.allowed()), next_(pruning.next()) {
    prepare_lanes();
    prepare_cells();
    prepare_tables();
    for (std::size_t tile = 1; tile < patterns.goal().cells(); ++tile) prepare_tile(tile);
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
  struct Unsure;

  static std::size_t slot_in(std::size_t part, std::size_t pattern) {
    return part * kMostPatterns + pattern;
  }
  std::size_t slot_of(std::size_t part, std::size_t tile) const {
    return slot_in(part, patterns_.parts()[part].pattern_of[tile]);
  }

  // What depends on the moves that there are, and on which of the partitions grow.
  void prepare_lanes() {
    for (unsigned moves = 0; moves < 16; ++moves) {
      unsigned lanes = 0;
      for (std::size_t lane = 0; lane < kDirections; ++lane) {
        lanes |= (moves >> direction_of_lane(lane) & 1U) << lane;
      }
      lanes_[moves] = static_cast<std::uint8_t>(lanes);
      std::uint32_t count = 0;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if ((moves >> lane % kDirections & 1U) == 0) continue;
        spread_[moves][lane] = count;
        packed_[moves][count++] = lane;
      }
    }
    for (const unsigned grows : {0x00U, 0x01U, 0x10U, 0x11U}) {
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        flips_[grows][slot] = (grows >> slot / kMostPatterns * kDirections & 1U) << 31U;
      }
      deeper_[grows] = (Brief{1} << kDepthAt) - (Brief{grows & 1U} << kSlackAt) -
                       (Brief{grows >> kDirections} << kSlackOfSecondAt);
    }
  }

  void prepare_cells() {
    const Goal& goal = patterns_.goal();
    for (std::size_t at = 0; at < goal.cells(); ++at) {
      Cell& cell = cells_[at];
      moves_[at] = static_cast<std::uint8_t>(goal.moves(at));
      spot_[at][at] = 0xff;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Direction direction = direction_of_lane(lane % kDirections);
        const bool can = (goal.moves(at) >> direction & 1U) != 0;
        const std::size_t source = can ? goal.source(at, direction) : at;
        constexpr std::size_t row = 16, nowhere = 0x80;
        const std::size_t low = source < row ? source : nowhere;
        const std::size_t high = source < row ? nowhere : source - row;
        cell.source[lane] = static_cast<std::uint8_t>(source);
        cell.low[lane] = in_each_byte(low);
        cell.high[lane] = in_each_byte(high);
        cell.toggled[lane] = 1U << at ^ 1U << source;
        cell.alone[lane] = PatternSpace::kind_of_single(source, goal.rows(), goal.cols());
        for (Direction next = 0; next < kDirections; ++next) {
          if ((goal.moves(source) >> next & 1U) == 0) continue;
          cell.around[lane] |= 1U << goal.source(source, next);
        }
      }
    }
  }

  static std::uint32_t in_each_byte(std::size_t value) {
    return 0x01010101U * static_cast<std::uint32_t>(value);
  }

  void prepare_tables() {
    const std::uintptr_t first = first_address(patterns_);
    words_ = reinterpret_cast<const Word*>(first);
    std::uint64_t stride = 1;
    for (std::uint32_t& each : strides_) {
      each = static_cast<std::uint32_t>(stride);
      stride *= patterns_.goal().cells();
    }
    for (std::size_t p = 0; p < kParts; ++p) {
      const std::vector<PatternUse>& uses = patterns_.parts()[p].uses;
      for (std::size_t i = 0; i < uses.size(); ++i) {
        const std::size_t slot = slot_in(p, i);
        offsets_[slot] = static_cast<std::uint32_t>((address(uses[i]) - first) / sizeof(Word));
        const Gaps& gaps = uses[i].table->space().gaps();
        gap_size_[slot] = static_cast<std::uint32_t>(gaps.size());
        gaps_per_index_[slot] = static_cast<float>(gaps.per_index());
        first_gaps_[slot] = static_cast<float>(gaps.first());
      }
    }
  }

  // A tile's patterns and its place in them, and where its slides lead in their tables' boards.
  void prepare_tile(std::size_t tile) {
    lane_of_slot_[tile].fill(kOther);
    for (std::size_t p = 0; p < kParts; ++p) {
      const Patterns::Part& part = patterns_.parts()[p];
      const std::size_t slot = slot_of(p, tile);
      const std::vector<std::int64_t>& tiles = part.uses[part.pattern_of[tile]].tiles;
      const auto at = std::find(tiles.rbegin(), tiles.rend(), static_cast<std::int64_t>(tile));
      const auto digit = static_cast<std::size_t>(at - tiles.rbegin());
      lane_of_slot_[tile][slot] = static_cast<std::uint32_t>(p * kDirections);
      slot_and_digit_[p * kRoom + tile] = static_cast<std::uint8_t>(slot << 2U | digit << 5U);
      for (std::size_t lane = 0; lane < kDirections; ++lane) {
        const auto slide = static_cast<std::int64_t>(part.slide[direction_of_lane(lane)][tile]);
        slides_[slot * kDirections + lane] =
            static_cast<std::int8_t>(slide / std::int64_t{strides_[digit]});
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
    for (std::size_t i = 0; i < board.path.size(); ++i)
      write_move(node.path, i, lane_of(board.path[i]));
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

#ifdef TAQUIN_HAS_WIDE
  std::size_t take(Pulse& pulse, Batch& batch);
  WIDE_INLINE static __m256i without_gaps(__m256i index, __m256i slot, const Constants& all);
  WIDE_INLINE void find(Batch& batch, const Constants& all) const;
  WIDE_INLINE void look_up(Batch& batch) const;
  WIDE_INLINE static __m256i is_main(__m256i near, __m256i mask, const Constants& all);
  WIDE_INLINE void look_again(Batch& batch, const Constants& all);
  WIDE_INLINE void look_again(Batch& batch, const Groups& moves, const Constants& all);
  void look_elsewhere(Batch& batch, std::size_t group, std::uint64_t lanes);
  unsigned bit_elsewhere(const Batch& batch, std::size_t board, std::size_t lane);
  WIDE_INLINE Brief make_child(const Batch& batch, std::size_t number, Node& out) const;
  WIDE_INLINE void keep_failed(Batch& batch, Fringe& fringe, const Constants& all);
  WIDE_INLINE bool push_children(const Batch& batch);
#endif

  using Word = std::uint32_t __attribute__((may_alias));

  template <class Value, std::size_t Count>
  using Row = std::array<Value, Count>;
  static constexpr unsigned kKnownBits = 12;
  static constexpr std::uint32_t kOther = std::uint32_t{1} << 31U;  // no slot of a tile's

  const Patterns& patterns_;
  const std::uint8_t* const allowed_;
  const std::array<MovePruning::State, kDirections>* const next_;
  const Word* words_ = nullptr;  // of all tables

  std::array<Cell, kRoom> cells_{};
  alignas(32) std::array<Row<std::uint8_t, kRoom>, kRoom> spot_{};  // a cell, filled
  alignas(32) Row<std::uint8_t, kParts * kRoom> slot_and_digit_{};  // of tiles
  alignas(32) Row<std::int8_t, kSlots * kDirections> slides_{};     // in a table's cells
  alignas(32) Row<std::uint32_t, kMostTiles> strides_{};            // of digits
  alignas(32) Row<std::uint32_t, kSlots> offsets_{};                // of tables, in words
  alignas(32) Row<std::uint32_t, kSlots> gap_size_{};
  alignas(32) Row<float, kSlots> gaps_per_index_{}, first_gaps_{};
  alignas(32) std::array<Row<std::uint32_t, kSlots>, kRoom> lane_of_slot_{};  // first one, by tile
  alignas(32) std::array<Row<std::uint32_t, kLanes>, 16> packed_{}, spread_{};  // lanes, by moves
  alignas(32) std::array<Row<std::uint32_t, kSlots>, 0x12> flips_{};            // by what grows
  std::array<Brief, 0x12> deeper_{};                                            // the same
  std::array<std::uint8_t, kRoom> moves_{};
  std::array<std::uint8_t, 16> lanes_{};  // of moves

  std::array<std::uint64_t, std::size_t{1} << kKnownBits> known_{};

  std::int64_t bound_ = 0;
  std::vector<Node> nodes_;
  std::vector<Brief> stack_;  // as many of them as `size_` tells
  std::size_t size_ = 0;
  std::vector<std::uint16_t> free_;  // numbers of nodes
  std::size_t free_size_ = 0;
  Brief found_ = 0;
};

#ifdef TAQUIN_HAS_WIDE

// Boards that are expanded together. A board has eight lanes: its moves in the first partition,
// then those in the second. Words of 64 bits have a bit for each lane of eight boards.
struct WideSearch::Core::Batch {
  template <class Value>
  using Lanes = std::array<std::array<Value, kLanes>, kBatch>;

  alignas(32) std::array<Brief, kBatch> briefs;
  alignas(32) Lanes<std::uint32_t> tile;    // that moves, in each byte
  alignas(32) Lanes<std::uint32_t> index;   // after the move
  alignas(32) Lanes<std::uint32_t> mask;    // if the value falls
  alignas(32) Lanes<std::uint32_t> near;    // free cells next to the blank
  alignas(32) Lanes<std::uint32_t> bit_at;  // in its word, from the highest one
  alignas(32) Lanes<std::uint32_t> found;   // the word
  std::array<std::uint32_t, kBatch * kLanes + kLanes> places, words;  // to look up, and found
  std::size_t count = 0;                                              // of them
  std::array<const Node*, kBatch> nodes;
  std::array<std::uint8_t, kBatch> moves;  // that are not pruned, as lanes of a partition
  Groups grows;
  Groups unsure;  // larger regions differ
  Groups limit;   // must not grow

  // The moves, as bits of the first partition's lanes, that fail if `grows` is right.
  std::uint64_t fails(std::size_t group, std::uint64_t growing) const {
    const std::uint64_t beyond = growing & limit[group];
    return moves_of(group) & (beyond | beyond >> kDirections);
  }
  std::uint64_t moves_of(std::size_t group) const {
    std::uint64_t bits;
    std::memcpy(&bits, moves.data() + group * kGroup, sizeof bits);
    return bits;
  }
};

struct WideSearch::Core::Constants {
  __m256i low_tiles, high_tiles;  // slots and digits of the first sixteen tiles, and of the others
  __m256i slides, strides, offsets, gap_size;
  __m256 gaps_per_index, first_gaps;
  __m256i cells, not_first, not_last, cols;  // of the board, and without those of a column

  WIDE explicit Constants(const Core& core)
      : low_tiles(both(core.slot_and_digit_.data())),
        high_tiles(both(core.slot_and_digit_.data() + 16)),
        slides(row(core.slides_.data())),
        strides(row(core.strides_.data())),
        offsets(row(core.offsets_.data())),
        gap_size(row(core.gap_size_.data())),
        gaps_per_index(_mm256_load_ps(core.gaps_per_index_.data())),
        first_gaps(_mm256_load_ps(core.first_gaps_.data())) {
    const Goal& goal = core.patterns_.goal();
    int all = 0, first = 0, last = 0;
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      all |= 1 << cell;
      if (goal.col(cell) == 0) first |= 1 << cell;
      if (goal.col(cell) + 1 == goal.cols()) last |= 1 << cell;
    }
    cells = _mm256_set1_epi32(all);
    not_first = _mm256_set1_epi32(all & ~first);
    not_last = _mm256_set1_epi32(all & ~last);
    cols = _mm256_set1_epi32(static_cast<int>(goal.cols()));
  }

 private:
  WIDE_INLINE static __m256i both(const std::uint8_t* about) {
    return _mm256_setr_m128i(half(about), half(about + kRoom));
  }
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

// The numbers of indexes in the tables of these slots.
__m256i WideSearch::Core::without_gaps(__m256i index, __m256i slot, const Constants& all) {
  const __m256 per_index = _mm256_permutevar8x32_ps(all.gaps_per_index, slot);
  const __m256 first = _mm256_permutevar8x32_ps(all.first_gaps, slot);
  const __m256 before = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(index), per_index), first);
  const __m256i size = _mm256_permutevar8x32_epi32(all.gap_size, slot);
  return _mm256_sub_epi32(index, _mm256_mullo_epi32(_mm256_cvttps_epi32(before), size));
}

// Where all moves lead, and what is to be looked up for them.
void WideSearch::Core::find(Batch& batch, const Constants& all) const {
  const __m256i zero = _mm256_setzero_si256(), falls = _mm256_set1_epi32(1 << kCountAt);
  const __m256i to_low = _mm256_set1_epi8(0x70), to_high = _mm256_set1_epi8(-16);
  const __m256i highest_byte = _mm256_set1_epi32(0x0c000000);
  const __m256i lanes = _mm256_setr_epi32(0x00808080, 0x01808080, 0x02808080, 0x03808080,
                                          0x00808080, 0x01808080, 0x02808080, 0x03808080);
  const __m256i nibble = _mm256_set1_epi32(7 << 2), bits = _mm256_set1_epi32(3);
  std::size_t asked = batch.count = 0;
  for (std::size_t i = 0; i < kBatch; ++i) {
    const Brief brief = batch.briefs[i];
    const Node& node = *batch.nodes[i];
    const Cell& cell = cells_[blank_of(brief)];
    const unsigned moves = lanes_[moves_[blank_of(brief)] & allowed_[state_of(brief)]];
    batch.moves[i] = static_cast<std::uint8_t>(moves);

    // In all bytes of a lane, of which the highest one matters.
    const __m256i tile =
        _mm256_or_si256(_mm256_shuffle_epi8(twice(node.tiles), row(cell.low)),
                        _mm256_shuffle_epi8(twice(node.tiles + 16), row(cell.high)));
    const __m256i about =
        _mm256_or_si256(_mm256_shuffle_epi8(all.low_tiles, _mm256_add_epi8(tile, to_low)),
                        _mm256_shuffle_epi8(all.high_tiles, _mm256_add_epi8(tile, to_high)));
    const __m256i slot = _mm256_srli_epi32(about, 26), digit = _mm256_srli_epi32(about, 29);
    const __m256i slide = _mm256_srai_epi32(
        _mm256_shuffle_epi8(all.slides,
                            _mm256_or_si256(_mm256_and_si256(about, highest_byte), lanes)),
        24);
    const __m256i step = _mm256_mullo_epi32(slide, _mm256_permutevar8x32_epi32(all.strides, digit));
    const __m256i index =
        _mm256_add_epi32(_mm256_permutevar8x32_epi32(row(node.index), slot), step);
    const __m256i mask = _mm256_add_epi32(
        _mm256_xor_si256(_mm256_permutevar8x32_epi32(row(node.mask), slot), row(cell.toggled)),
        falls);
    const __m256i near = _mm256_andnot_si256(mask, row(cell.around));
    const __m256i alone = _mm256_cmpeq_epi32(near, zero);
    const __m256i kind = _mm256_and_si256(row(cell.alone), alone);
    const __m256i number = without_gaps(index, slot, all);
    const __m256i from_highest = _mm256_andnot_si256(_mm256_slli_epi32(number, 2), nibble);
    const __m256i place = _mm256_add_epi32(_mm256_permutevar8x32_epi32(all.offsets, slot),
                                           _mm256_srli_epi32(number, 3));
    put(batch.tile[i].data(), tile);
    put(batch.index[i].data(), index);
    put(batch.mask[i].data(), mask);
    put(batch.near[i].data(), near);
    put(batch.bit_at[i].data(), _mm256_or_si256(from_highest, _mm256_xor_si256(kind, bits)));
    put_anywhere(batch.places.data() + batch.count,
                 _mm256_permutevar8x32_epi32(place, row(packed_[moves].data())));
    batch.count += kParts * static_cast<std::size_t>(std::popcount(moves));
    if (i % kAskedTogether != kAskedTogether - 1) continue;
    for (; asked < batch.count; ++asked) prefetch(words_ + batch.places[asked]);
  }
}

// Looks all words up, and tells of each lane whether the value grows.
void WideSearch::Core::look_up(Batch& batch) const {
  // One by one, as processors are slow to gather. The last word of a table of one or two tiles
  // may reach beyond it, but not beyond its page.
  for (std::size_t i = 0; i < batch.count; i += 2) {
    batch.words[i] = words_[batch.places[i]];
    batch.words[i + 1] = words_[batch.places[i + 1]];
  }
  const __m256i falls = _mm256_set1_epi32(1 << kCountAt), nibble = _mm256_set1_epi32(7 << 2);
  const std::uint32_t* words = batch.words.data();
  for (std::size_t group = 0; group < kGroups; ++group) {
    std::uint64_t falling = 0, unsure = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
      const std::size_t board = group * kGroup + i, moves = batch.moves[board];
      const __m256i word =
          _mm256_permutevar8x32_epi32(row_from_anywhere(words), row(spread_[moves].data()));
      words += kParts * static_cast<std::size_t>(std::popcount(moves));
      put(batch.found[board].data(), word);
      const __m256i at = row(batch.bit_at[board].data());
      const __m256i bit = _mm256_sllv_epi32(word, at);
      const __m256i differ = _mm256_sllv_epi32(word, _mm256_and_si256(at, nibble));
      const __m256i before = _mm256_sub_epi32(row(batch.mask[board].data()), falls);
      falling |= highest_bits(_mm256_xor_si256(before, bit)) << kLanes * i;
      unsure |= highest_bits(differ) << kLanes * i;
    }
    batch.grows[group] = ~falling;
    batch.unsure[group] = unsure;
    // Which boards have no slack in a partition: bytes that are 0.
    const std::uint64_t zero =
        bytes_that(batch.briefs.data() + group * kGroup, [](__m256i briefs) WIDE {
          return highest_bits_of_bytes(_mm256_cmpeq_epi8(briefs, _mm256_setzero_si256()));
        });
    batch.limit[group] =
        (zero >> kSlackAt / 8 & kEach) * 0x0f | (zero >> kSlackOfSecondAt / 8 & kEach) * 0xf0;
  }
}

// The lanes of a batch where larger regions differ, one after the other.
struct WideSearch::Core::Unsure {
  using Row = std::array<std::uint32_t, kBatch * kLanes + kLanes>;
  alignas(32) Row mask, near, word, bit_at;
  std::size_t count = 0;

  WIDE_INLINE void add(const Batch& batch, std::size_t group, std::uint64_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
      const std::size_t number = group * kGroup * kLanes + lane;
      mask[count] = batch.mask.front().data()[number];
      near[count] = batch.near.front().data()[number];
      word[count] = batch.found.front().data()[number];
      bit_at[count] = batch.bit_at.front().data()[number];
      ++count;
    }
  }

  // What is behind the last one is a blank that is shut in, so that no one waits for its region.
  WIDE_INLINE void end() { put_anywhere(near.data() + count, _mm256_setzero_si256()); }
};

// Whether the blank, of which the free cells next to it are given, is in the region that has more
// than half of all free cells.
__m256i WideSearch::Core::is_main(__m256i near, __m256i mask, const Constants& all) {
  const __m256i free = _mm256_andnot_si256(mask, all.cells);
  const auto grown = [&](__m256i region) WIDE {
    const __m256i right = _mm256_slli_epi32(_mm256_and_si256(region, all.not_last), 1);
    const __m256i left = _mm256_srli_epi32(_mm256_and_si256(region, all.not_first), 1);
    const __m256i down = _mm256_sllv_epi32(region, all.cols);
    const __m256i up = _mm256_srlv_epi32(region, all.cols);
    const __m256i around = _mm256_or_si256(_mm256_or_si256(right, left), _mm256_or_si256(down, up));
    return _mm256_or_si256(region, _mm256_and_si256(around, free));
  };
  // A large one is so after some steps, which are not worth a look.
  __m256i region = grown(grown(grown(near)));
  while (true) {
    const __m256i before = region;
    region = grown(before);
    const __m256i outside = _mm256_andnot_si256(region, free);
    const __m256i main = _mm256_cmpgt_epi32(count_bits(region), count_bits(outside));
    if (_mm256_testc_si256(main, _mm256_xor_si256(region, before))) return main;
  }
}

// Of some moves, where larger regions differ.
void WideSearch::Core::look_again(Batch& batch, const Groups& moves, const Constants& all) {
  Groups which;
  Unsure lanes;
  for (std::size_t group = 0; group < kGroups; ++group) {
    which[group] = batch.unsure[group] & (moves[group] | moves[group] << kDirections);
    lanes.add(batch, group, which[group]);
  }
  if (lanes.count == 0) return;
  lanes.end();
  const __m256i falls = _mm256_set1_epi32(1 << kCountAt), nibble = _mm256_set1_epi32(7 << 2);
  const __m256i elsewhere = _mm256_set1_epi32(PatternTable::kElsewhere << 28);
  Dense growing, far;
  for (std::size_t i = 0; i < lanes.count; i += kLanes) {
    const __m256i near = row(lanes.near.data() + i), mask = row(lanes.mask.data() + i);
    const __m256i word = row(lanes.word.data() + i), at = row(lanes.bit_at.data() + i);
    const __m256i main = is_main(near, mask, all);
    const __m256i alone = _mm256_cmpeq_epi32(near, _mm256_setzero_si256());
    const __m256i before = _mm256_sub_epi32(mask, falls);
    const __m256i grows = _mm256_xor_si256(_mm256_or_si256(main, alone),
                                           _mm256_xor_si256(before, _mm256_sllv_epi32(word, at)));
    const __m256i bits = _mm256_sllv_epi32(word, _mm256_and_si256(at, nibble));
    const __m256i is_far = _mm256_cmpeq_epi32(_mm256_and_si256(bits, elsewhere), elsewhere);
    growing.put(i, highest_bits(grows));
    far.put(i, highest_bits(_mm256_andnot_si256(main, is_far)));
  }
  std::size_t first = 0;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::uint64_t grows = growing.spread(first, which[group]);
    batch.grows[group] = (batch.grows[group] & ~which[group]) | grows;
    look_elsewhere(batch, group, far.spread(first, which[group]));
    first += static_cast<std::size_t>(std::popcount(which[group]));
  }
}

// Of lanes whose bits are not in their words.
void WideSearch::Core::look_elsewhere(Batch& batch, std::size_t group, std::uint64_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto number = static_cast<std::size_t>(std::countr_zero(lanes));
    const std::size_t board = group * kGroup + number / kLanes, lane = number % kLanes;
    const std::uint32_t before = batch.mask[board][lane] - (1U << kCountAt);
    const std::uint64_t grows = ~(before >> 31U ^ bit_elsewhere(batch, board, lane)) & 1U;
    batch.grows[group] &= ~(std::uint64_t{1} << number);
    batch.grows[group] |= grows << number;
  }
}

// What takes long to look up is asked for again and again.
unsigned WideSearch::Core::bit_elsewhere(const Batch& batch, std::size_t board, std::size_t lane) {
  const std::size_t source = cells_[blank_of(batch.briefs[board])].source[lane];
  const std::size_t part = lane / kDirections;
  const std::size_t tile = batch.tile[board][lane] & 0xffU;
  const std::size_t slot = slot_and_digit_[part * kRoom + tile] >> 2U & 7U;
  const std::uint64_t index = batch.index[board][lane];
  const std::uint64_t key = (index * kRoom + source) * kSlots + slot;
  std::uint64_t& known = known_[key * 0x9e3779b97f4a7c15 >> (64 - kKnownBits)];
  if (known >> 1U == key + 1) return known & 1U;
  const PatternUse& use = patterns_.parts()[part].uses[slot % kMostPatterns];
  Mask there = 0;
  const std::uint32_t cells = batch.mask[board][lane] & ((1U << kCountAt) - 1);
  for (std::uint32_t rest = cells; rest != 0; rest &= rest - 1) {
    there |= Mask{1} << use.cells[static_cast<std::size_t>(std::countr_zero(rest))];
  }
  const unsigned bit = use.table->bit(index, there, static_cast<std::size_t>(use.cells[source]));
  known = (key + 1) << 1U | bit;
  return bit;
}

// Of those that do not fail anyway.
void WideSearch::Core::look_again(Batch& batch, const Constants& all) {
  Groups open;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::uint64_t sure = batch.grows[group] & ~batch.unsure[group];
    open[group] = batch.moves_of(group) & ~batch.fails(group, sure);
  }
  look_again(batch, open, all);
}

// The board after a move, whose number is that of its lane in the batch.
Brief WideSearch::Core::make_child(const Batch& batch, std::size_t number, Node& out) const {
  const std::size_t board = number / kLanes, lane = number % kLanes;
  const Brief brief = batch.briefs[board];
  const Node& node = *batch.nodes[board];
  const std::size_t blank = blank_of(brief), source = cells_[blank].source[lane];
  const std::size_t tile = batch.tile[board][lane] & 0xffU;
  // Bit 0 for the first partition, bit 4 for the second.
  const std::uint64_t grows = batch.grows[board / kGroup] >> number % 64 & 0x11U;

  const __m256i first = row(lane_of_slot_[tile].data());
  const __m256i moved = _mm256_add_epi32(first, _mm256_set1_epi32(static_cast<int>(lane)));
  const __m256i index = _mm256_permutevar8x32_epi32(row(batch.index[board].data()), moved);
  const __m256i mask = _mm256_xor_si256(
      _mm256_permutevar8x32_epi32(row(batch.mask[board].data()), moved), row(flips_[grows].data()));
  put(out.index, pick(index, row(node.index), first));
  put(out.mask, pick(mask, row(node.mask), first));
  put(out.tiles, _mm256_blendv_epi8(row(node.tiles), _mm256_set1_epi8(static_cast<char>(tile)),
                                    row(spot_[blank].data())));
  put(out.path, row(node.path));
  write_move(out.path, depth_of(brief), lane);
  const std::size_t state = next_[state_of(brief)][direction_of_lane(lane)];
  prefetch(allowed_ + state);
  prefetch(next_ + state);
  return ((brief & kSlackAndDepth) + deeper_[grows]) | source << kBlankAt | state;
}

// The moves that fail, of boards that are deep enough for the fringe.
void WideSearch::Core::keep_failed(Batch& batch, Fringe& fringe, const Constants& all) {
  const std::int64_t depth = std::clamp<std::int64_t>(bound_ + 1 - fringe.farthest(), 0, 255);
  const __m256i enough = _mm256_set1_epi8(static_cast<char>(depth));
  Groups wanted;
  std::uint64_t any = 0;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::uint64_t at_least =
        bytes_that(batch.briefs.data() + group * kGroup, [&](__m256i briefs) WIDE {
          return highest_bits_of_bytes(_mm256_cmpeq_epi8(_mm256_max_epu8(briefs, enough), briefs));
        });
    const std::uint64_t deep = at_least >> kDepthAt / 8 & kEach;
    any |= wanted[group] = batch.fails(group, batch.grows[group]) & deep * 15;
  }
  if (any == 0) return;
  look_again(batch, wanted, all);
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
    look_again(batch, all);
    keep_failed(batch, fringe, all);
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
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return false;
  if (patterns.parts().size() != kParts || patterns.goal().cells() > kMostCells ||
      patterns.has_falls()) {
    return false;
  }
  const std::uintptr_t first = Core::first_address(patterns);
  for (const Patterns::Part& part : patterns.parts()) {
    if (part.uses.size() > kMostPatterns) return false;
    for (const PatternUse& use : part.uses) {
      const std::uintptr_t words = (Core::address(use) - first) / 4;
      if (Core::address(use) % 4 != 0 || words > UINT32_MAX / 2 ||
          !fits_an_index(patterns.goal().cells(), use.tiles.size())) {
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
void WideSearch::spell(const std::uint8_t* note, std::size_t moves,
                       std::vector<std::uint8_t>& ways) {
  const Node node = noted_node(note);
  for (std::size_t i = 0; i < moves; ++i) ways.push_back(move_at(node, i));
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
