#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "prefetch.h"
#include "wide_batch.h"
#include "wide_core.h"
#include "wide_lanes.h"

#ifdef TAQUIN_HAS_WIDE

namespace taquin::wide {
inline namespace TAQUIN_REGISTERS {

// Expands the boards of a wide search, a batch at a time.
class Expansion final : public Core {
 public:
  using Core::Core;

  WIDE WideSearch::Outcome run(Pulse& pulse, Fringe& fringe) override {
    Batch batch;
    while (size_ > 0) {
      make_room();
      const std::size_t count = take(pulse, batch);
      if (count == 0) return WideSearch::Outcome::stopped;
      if (batches_++ % kSampled == 0) sample(batch, count);
      if (any_is_goal(batch)) return WideSearch::Outcome::found;
      find(batch);
      read_words(batch);
      use_words(batch);
      find_limits(batch);
      pulse.generate(batch.count / WideSearch::kParts);
      look_again(batch);
      keep_failed(batch, fringe);
      push_children(batch);
      for (std::size_t i = 0; i < count; ++i) {
        free_[free_size_++] = static_cast<std::uint16_t>(node_of(batch.briefs[i]));
      }
    }
    return WideSearch::Outcome::none;
  }

 private:
  static constexpr unsigned kKnownBits = 12;
  static constexpr std::size_t kSampled = 16;  // of so many batches, one

  // Takes boards from the stack, as many as may be expanded.
  std::size_t take(Pulse& pulse, Batch& batch) {
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

  void sample(const Batch& batch, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) ++sampled_[number_of(*batch.nodes[i])];
  }

  // Where all moves lead, and what is to be looked up for them.
  WIDE_INLINE void find(Batch& batch) const {
    alignas(32) static constexpr std::array<std::uint32_t, kLanes> kMoveInPartition = {
        0x00808080, 0x01808080, 0x02808080, 0x03808080,
        0x00808080, 0x01808080, 0x02808080, 0x03808080};
    const Bytes slot_and_digit = Bytes::of_partitions(givens_.slot_and_digit.data());
    const Lanes slides = row_for_all(givens_.slides.data());
    const Lanes strides = row_for_all(givens_.strides.data());
    const Lanes offsets = row_for_all(givens_.offsets.data());
    const Lanes gap_size = row_for_all(givens_.gap_size.data());
    const Floats gaps_per_index = floats_for_all(givens_.gaps_per_index.data());
    const Floats first_gaps = floats_for_all(givens_.first_gaps.data());
    const Lanes move = row_for_all(kMoveInPartition.data());
    std::size_t count = 0;
    for (std::size_t i = 0; i < kBatch; i += kAbreast) {
      const Node* const* const nodes = &batch.nodes[i];
      const Cell* cells[kAbreast];
      for (std::size_t k = 0; k < kAbreast; ++k) {
        cells[k] = &givens_.cells[blank_of(batch.briefs[i + k])];
        batch.moves[i + k] = givens_.moves_of(batch.briefs[i + k]);
      }

      // In the highest and the lowest byte of a lane.
      const Lanes source = rows(cells, &Cell::source);
      const Lanes tile = Bytes::of_boards(nodes)[source];
      const Lanes about = slot_and_digit[tile];
      const Lanes slot = about >> 26, digit = about >> 29;
      const Lanes slide = pick_bytes(slides, (about & 0x0c000000U) | move);
      const Lanes step = reinterpret_cast<Lanes>(reinterpret_cast<Ints>(slide) >> 24);
      const Lanes index = pick(rows(nodes, &Node::index), slot) + step * pick_same(strides, digit);
      const Lanes mask =
          (pick(rows(nodes, &Node::mask), slot) ^ rows(cells, &Cell::toggled)) + (1U << kCountAt);
      const Lanes near = rows(cells, &Cell::around) & ~mask;
      const Lanes alone = reinterpret_cast<Lanes>(near == 0U);
      const Lanes kind = rows(cells, &Cell::alone) & alone;
      const Lanes number =
          index - gaps_before(index, pick_same(gaps_per_index, slot), pick_same(first_gaps, slot)) *
                      pick_same(gap_size, slot);
      const Lanes from_highest = ~(number << 2) & (7U << 2U);
      const Lanes place = pick_same(offsets, slot) + (number >> 3);
      put_lanes(batch.slide[i].data(), (source & ~0xffU) | (tile & 0xffU));
      put_lanes(batch.index[i].data(), index);
      put_lanes(batch.mask[i].data(), mask);
      put_lanes(batch.near[i].data(), near);
      put_lanes(batch.bit_at[i].data(), from_highest | (kind ^ 3U));
      put_anywhere(batch.places.data() + count, packed(place, &batch.moves[i]));
      for (std::size_t k = 0; k < kAbreast; ++k) count += words_of(batch.moves[i + k]);
    }
    batch.count = count;
  }

  // How many of a table's gaps are before an index.
  WIDE_INLINE static Lanes gaps_before(Lanes index, Floats per_index, Floats first) {
    const Floats number = __builtin_convertvector(reinterpret_cast<Ints>(index), Floats);
    return reinterpret_cast<Lanes>(__builtin_convertvector(number * per_index + first, Ints));
  }

  static std::size_t words_of(std::uint8_t moves) {
    return WideSearch::kParts * static_cast<std::size_t>(std::popcount(moves));
  }

  // One by one, as processors are slow to gather, but asked for together. The last word of a table
  // of one or two tiles may reach beyond it, but not beyond its page.
  WIDE_INLINE void read_words(Batch& batch) const {
    for (std::size_t i = 0; i < batch.count; ++i) prefetch(givens_.words + batch.places[i]);
    for (std::size_t i = 0; i < batch.count; i += 2) {
      batch.words[i] = givens_.words[batch.places[i]];
      batch.words[i + 1] = givens_.words[batch.places[i + 1]];
    }
  }

  // Tells of each lane whether the value grows, and where larger regions differ.
  WIDE_INLINE static void use_words(Batch& batch) {
    const std::uint32_t* words = batch.words.data();
    for (std::size_t group = 0; group < kGroups; ++group) {
      std::uint64_t falling = 0, unsure = 0;
      for (std::size_t i = 0; i < kGroup; i += kAbreast) {
        const std::size_t board = group * kGroup + i;
        const std::uint8_t* const moves = &batch.moves[board];
        const Lanes word = spread(lanes_from_anywhere(words), moves);
        for (std::size_t k = 0; k < kAbreast; ++k) words += words_of(moves[k]);
        put_lanes(batch.found[board].data(), word);
        const Lanes at = lanes(batch.bit_at[board].data());
        falling |= highest_bits(before(lanes(batch.mask[board].data())) ^ word << at) << kLanes * i;
        unsure |= highest_bits(word << (at & (7U << 2U))) << kLanes * i;
      }
      batch.grows[group] = ~falling;
      batch.unsure[group] = unsure;
    }
  }

  // The mask of a pattern whose value does not fall.
  WIDE_INLINE static Lanes before(Lanes mask) { return mask - (1U << kCountAt); }

  // Which boards have no slack in a partition.
  WIDE_INLINE static void find_limits(Batch& batch) {
    for (std::size_t group = 0; group < kGroups; ++group) {
      const auto no_slack = [&](unsigned at) WIDE {
        return batch.bytes_that(group, at, [](__m256i briefs) WIDE {
          return highest_bits_of_bytes(_mm256_cmpeq_epi8(briefs, _mm256_setzero_si256()));
        });
      };
      batch.limit[group] = no_slack(kSlackAt) * 0x0f | no_slack(kSlackOfSecondAt) * 0xf0;
    }
  }

  // Whether the blank, of which the free cells next to it are given, is in the region that has more
  // than half of all free cells.
  WIDE_INLINE Lanes is_main(Lanes near, Lanes mask) const {
    const Lanes free = ~mask & givens_.board;
    const auto grown = [&](Lanes region) WIDE {
      const Lanes right = (region & givens_.not_last) << 1;
      const Lanes left = (region & givens_.not_first) >> 1;
      return region | ((right | left | region << givens_.cols | region >> givens_.cols) & free);
    };
    // A large one is so after some steps, which are not worth a look.
    Lanes region = grown(grown(grown(near)));
    while (true) {
      const Lanes smaller = region;
      region = grown(smaller);
      const auto inside = reinterpret_cast<Ints>(count_bits(region));
      const auto outside = reinterpret_cast<Ints>(count_bits(free & ~region));
      const Lanes main = reinterpret_cast<Lanes>(inside > outside);
      const Lanes grew = reinterpret_cast<Lanes>(region != smaller);
      if (highest_bits(grew & ~main) == 0) return main;
    }
  }

  // Of some moves, where larger regions differ.
  WIDE_INLINE void look_again(Batch& batch, const Groups& moves) {
    Groups which;
    Numbers numbers;
    for (std::size_t group = 0; group < kGroups; ++group) {
      which[group] = batch.unsure[group] & (moves[group] | moves[group] << kDirections);
      numbers.add(group, which[group]);
    }
    if (numbers.count == 0) return;
    const Unsure all(batch, numbers);
    const Lanes elsewhere = for_all(PatternTable::kElsewhere << 28U);
    Dense growing, far;
    for (std::size_t i = 0; i < numbers.count; i += kAbreast * kLanes) {
      const Lanes near = lanes(all.near.data() + i), mask = lanes(all.mask.data() + i);
      const Lanes word = lanes(all.word.data() + i), at = lanes(all.bit_at.data() + i);
      const Lanes main = is_main(near, mask);
      const Lanes alone = reinterpret_cast<Lanes>(near == 0U);
      const Lanes bits = word << (at & (7U << 2U)) & elsewhere;
      const Lanes is_far = reinterpret_cast<Lanes>(bits == elsewhere);
      growing.put(i, highest_bits((main | alone) ^ before(mask) ^ word << at));
      far.put(i, highest_bits(is_far & ~main));
    }
    std::size_t first = 0;
    for (std::size_t group = 0; group < kGroups; ++group) {
      const std::uint64_t grows = growing.spread(first, which[group]);
      batch.grows[group] = (batch.grows[group] & ~which[group]) | grows;
      first += static_cast<std::size_t>(std::popcount(which[group]));
    }
    for (std::size_t i = 0; i < numbers.count; i += 64) {
      for (std::uint64_t some = far.word(i, numbers.count); some != 0; some &= some - 1) {
        look_elsewhere(batch, numbers.each[i + static_cast<std::size_t>(std::countr_zero(some))]);
      }
    }
  }

  // Of those that do not fail anyway.
  WIDE_INLINE void look_again(Batch& batch) {
    Groups open;
    for (std::size_t group = 0; group < kGroups; ++group) {
      const std::uint64_t sure = batch.grows[group] & ~batch.unsure[group];
      open[group] = batch.moves_of(group) & ~batch.fails(group, sure);
    }
    look_again(batch, open);
  }

  // Of a lane whose bit is not in its word.
  void look_elsewhere(Batch& batch, std::size_t number) {
    const std::size_t board = number / kLanes, lane = number % kLanes;
    const std::uint32_t count = (batch.mask[board][lane] >> kCountAt) - 1;
    const std::uint64_t grows = ~(count >> 1U ^ bit_elsewhere(batch, board, lane)) & 1U;
    std::uint64_t& all = batch.grows[board / kGroup];
    all = (all & ~(std::uint64_t{1} << number % 64)) | grows << number % 64;
  }

  // What takes long to look up is asked for again and again.
  unsigned bit_elsewhere(const Batch& batch, std::size_t board, std::size_t lane) {
    const Slide slide = batch.slide_of(board, lane);
    const std::size_t slot = givens_.slot_of(lane / kDirections, slide.tile);
    const std::uint64_t index = batch.index[board][lane];
    const std::uint64_t key = (index * kRoom + slide.source) * kSlots + slot;
    std::uint64_t& known = known_[key * 0x9e3779b97f4a7c15 >> (64 - kKnownBits)];
    if (known >> 1U == key + 1) return known & 1U;
    const PatternUse& use = givens_.use_of(slot);
    Mask there = 0;
    for (std::uint32_t rest = batch.mask[board][lane] & ((1U << kCountAt) - 1); rest != 0;
         rest &= rest - 1) {
      there |= Mask{1} << use.cells[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    const unsigned bit =
        use.table->bit(index, there, static_cast<std::size_t>(use.cells[slide.source]));
    known = (key + 1) << 1U | bit;
    return bit;
  }

  // The board after a move, whose number is that of its lane in the batch.
  WIDE_INLINE Brief make_child(const Batch& batch, std::size_t number, Node& out) const {
    const std::size_t board = number / kLanes, lane = number % kLanes;
    const Brief brief = batch.briefs[board];
    const Node& node = *batch.nodes[board];
    const Slide slide = batch.slide_of(board, lane);
    // Bit 0 for the first partition, bit 4 for the second.
    const std::uint64_t grows = batch.grows[board / kGroup] >> number % 64 & 0x11U;

    const OneBoard first = row(givens_.lane_of_slot[slide.tile].data());
    const OneBoard moved = first + static_cast<std::uint32_t>(lane);
    const OneBoard index = pick(row(batch.index[board].data()), moved);
    const OneBoard mask =
        pick(row(batch.mask[board].data()), moved) ^ row(givens_.flips[grows].data());
    put(out.index, either(index, row(node.index), first));
    put(out.mask, either(mask, row(node.mask), first));
    put(out.tiles, either_byte(row(node.tiles), in_each_byte(slide.tile),
                               row(givens_.spot[blank_of(brief)].data())));
    put(out.path, row(node.path));
    write_move(out.path, depth_of(brief), lane);
    const std::size_t state = givens_.next[state_of(brief)][slide.direction];
    prefetch(givens_.allowed + state);
    prefetch(givens_.next + state);
    return ((brief & kSlackAndDepth) + givens_.deeper[grows]) | slide.source << kBlankAt | state;
  }

  // The moves that fail, of boards that are deep enough for the fringe.
  WIDE_INLINE void keep_failed(Batch& batch, Fringe& fringe) {
    const std::int64_t depth = std::clamp<std::int64_t>(bound_ + 1 - fringe.farthest(), 0, 255);
    const __m256i enough = _mm256_set1_epi8(static_cast<char>(depth));
    Groups wanted;
    std::uint64_t any = 0;
    for (std::size_t group = 0; group < kGroups; ++group) {
      const std::uint64_t deep = batch.bytes_that(group, kDepthAt, [&](__m256i briefs) WIDE {
        return highest_bits_of_bytes(_mm256_cmpeq_epi8(_mm256_max_epu8(briefs, enough), briefs));
      });
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

  WIDE_INLINE void push_children(const Batch& batch) {
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
    }
  }

  // True when one of them is the goal.
  WIDE_INLINE bool any_is_goal(const Batch& batch) {
    const auto bound = static_cast<Brief>(bound_);
    FourBriefs found{};
    for (std::size_t i = 0; i < kBatch; i += 4) {
      found |= reinterpret_cast<FourBriefs>(bound_less_h(four_briefs(&batch.briefs[i])) == bound);
    }
    if (highest_bits_of_bytes(reinterpret_cast<__m256i>(found)) == 0) return false;
    for (const Brief brief : batch.briefs) {
      if (bound_less_h(brief) == bound) found_ = brief;
    }
    return true;
  }

  // Of one or of several: the bound less what the first partition says of the way to the goal.
  template <class Briefs>
  WIDE_INLINE static Briefs bound_less_h(Briefs briefs) {
    return (briefs >> kDepthAt) + (briefs >> (kSlackAt - 1) & 0x1fe);
  }

  std::size_t batches_ = 0;
  std::array<std::uint64_t, std::size_t{1} << kKnownBits> known_{};
};

}  // namespace TAQUIN_REGISTERS
}  // namespace taquin::wide

#endif
