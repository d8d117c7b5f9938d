#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>

#include "crew.h"
#include "pattern_table.h"
#include "prefetch.h"

// How pattern tables are built.
namespace taquin {

namespace {

// Does work(first, last) for portions of 0 .. count - 1 on all threads.
void in_portions(std::size_t count, std::size_t portion, std::size_t threads, Heartbeat& heart,
                 const std::function<void(std::size_t first, std::size_t last)>& work) {
  share_out(heart, threads, (count + portion - 1) / portion,
            [&](std::size_t job, std::size_t thread) {
              work(job * portion, std::min((job + 1) * portion, count));
              if (thread == 0) heart.beat();
            });
  if (heart.halted()) throw Stopped("building a pattern table was stopped");
}

// The ranks of all orders after the tile in one place of the order went to another one.
class Reorders {
 public:
  using Ranks = std::vector<std::uint16_t>;

  explicit Reorders(const PatternSpace& space)
      : tiles_(space.tiles()), ranks_(tiles_ * tiles_, Ranks(space.orders())) {
    for (std::uint32_t rank = 0; rank < space.orders(); ++rank) {
      const Order order = order_of(rank);
      for (std::size_t from = 0; from < tiles_; ++from) add(rank, order, from);
    }
  }

  const Ranks& of(std::size_t from, std::size_t to) const { return ranks_[from * tiles_ + to]; }

 private:
  using Order = std::array<std::uint8_t, PatternSpace::kMaxTiles>;

  Order order_of(std::uint32_t rank) const {
    Order order{};
    for (std::size_t tile = 0; tile < tiles_; ++tile) {
      const auto lower = rank / PatternSpace::kFactorial[tile] % (tile + 1);
      for (std::size_t place = tile; place > lower; --place) order[place] = order[place - 1];
      order[lower] = static_cast<std::uint8_t>(tile);
    }
    return order;
  }

  // Where a tile goes, it passes one after the other.
  void add(std::uint32_t rank, const Order& order, std::size_t from) {
    const auto put = [&](std::size_t to, std::int32_t change) {
      ranks_[from * tiles_ + to][rank] =
          static_cast<std::uint16_t>(static_cast<std::int32_t>(rank) + change);
    };
    put(from, 0);
    std::int32_t change = 0;
    for (std::size_t to = from + 1; to < tiles_; ++to) {
      put(to, change += PatternSpace::passing(order[from], order[to]));
    }
    change = 0;
    for (std::size_t to = from; to-- > 0;) {
      put(to, change -= PatternSpace::passing(order[from], order[to]));
    }
  }

  std::size_t tiles_;
  std::vector<Ranks> ranks_;
};

// A bit for each order of each block.
class Orders {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t kBits = 64;

  explicit Orders(const PatternSpace& space)
      : words_(words_of(space)),
        bits_(static_cast<Word*>(std::calloc(space.blocks(), words_ * sizeof(Word))), &std::free) {
    if (!bits_) throw std::bad_alloc();
  }

  static std::uint64_t bytes(const PatternSpace& space) {
    return space.blocks() * words_of(space) * sizeof(Word);
  }

  // Gives the memory back.
  void release() { bits_.reset(); }

  std::size_t words() const { return words_; }  // of a block
  Word* of(std::uint32_t block) { return bits_.get() + block * words_; }
  const Word* of(std::uint32_t block) const { return bits_.get() + block * words_; }

 private:
  static std::size_t words_of(const PatternSpace& space) {
    return (space.orders() + kBits - 1) / kBits;
  }

  std::size_t words_;
  // The system clears their memory piece by piece as it is used: to clear gigabytes at once would
  // take a second in which no one could stop it.
  std::unique_ptr<Word, void (*)(void*)> bits_;
};

class Builder {
 public:
  Builder(const Pattern& pattern, std::span<std::uint8_t> out, std::size_t threads,
          Heartbeat& heart)
      : pattern_(pattern),
        space_(pattern.rows, pattern.cols, pattern.homes.size(), heart),
        reorders_(space_),
        threads_(threads),
        heart_(heart),
        out_(checked(out)),
        settled_(space_),
        seconds_(space_),
        fresh_{Orders(space_), Orders(space_)},
        due_{std::vector<std::uint8_t>(space_.blocks()),
             std::vector<std::uint8_t>(space_.blocks())} {}

  // Of what grows with the space.
  static std::uint64_t working_bytes(const PatternSpace& space) {
    return 4 * Orders::bytes(space) + 2 * std::uint64_t{space.blocks()};
  }

  void run() {
    clear();
    settle_home();
    do advance();
    while (count_ > 0);
    // One by one, as a system takes a moment for each.
    for (Orders* const done : {&fresh_[0], &fresh_[1], &settled_}) {
      done->release();
      heart_.beat();
    }
    write();
  }

 private:
  static constexpr std::size_t kPlacesAtOnce = std::size_t{1} << 15U;
  static constexpr std::size_t kBytesAtOnce = std::size_t{1} << 22U;
  static constexpr std::size_t kWordsOfChunk = 16;  // of orders
  using Word = Orders::Word;

  std::span<std::uint8_t> checked(std::span<std::uint8_t> out) const {
    PatternTable::check_size(pattern_, space_, out.size());
    return out;
  }

  // In portions, since a system that gives memory as it is written to takes a second for gigabytes.
  void clear() {
    in_portions(out_.size(), kBytesAtOnce, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  std::memset(out_.data() + first, 0, last - first);
                });
  }

  void settle_home() {
    PatternSpace::Mask mask = 0;
    for (const std::size_t cell : pattern_.homes) mask |= PatternSpace::Mask{1} << cell;
    const std::uint32_t block = space_.block(space_.index(mask), pattern_.blank);
    const std::uint32_t rank = space_.orders() - 1;  // in ascending cells
    set(settled_.of(block), rank);
    set(fresh_[0].of(block), rank);
    due_[0][block] = 1;
    heart_.count(1);
  }

  static void set(Word* bits, std::size_t number) {
    bits[number / Orders::kBits] |= Word{1} << number % Orders::kBits;
  }

  // From all places at one distance to those one move farther. A move can be taken back, so every
  // block sees by itself which of its places can be reached, and threads write to blocks of their
  // own.
  void advance() {
    if (++depth_ > PatternTable::kMostSteps) {
      throw std::logic_error("a pattern's distances have no end");
    }
    heart_.set_bounds(depth_, 0);
    count_ = 0;
    in_portions(space_.masks(), masks_at_once_, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  std::uint64_t count = 0;
                  for (std::size_t i = first; i < last; ++i) {
                    count += advance_to(static_cast<std::uint32_t>(i));
                  }
                  count_ += count;
                  heart_.count(count);
                });
    due_[0].swap(due_[1]);
    std::swap(fresh_[0], fresh_[1]);
  }

  // The places of a mask: how many of them are new.
  std::uint64_t advance_to(std::uint32_t index) {
    std::uint64_t count = 0;
    for (std::uint32_t block = space_.first_block(index); block < space_.first_block(index + 1);
         ++block) {
      const std::uint64_t fresh = collect(index, block) ? settle(block) : 0;
      due_[1][block] = fresh > 0 ? 1 : 0;
      count += fresh;
    }
    return count;
  }

  // What a block can be reached at by a move; false if that is nothing.
  bool collect(std::uint32_t index, std::uint32_t block) {
    Word* const found = fresh_[1].of(block);
    const std::size_t words = fresh_[1].words();
    bool any = false;
    for_each_move(index, block, [&](std::uint32_t other, std::size_t from, std::size_t to) {
      if (due_[0][other] == 0) return;
      if (!any) std::fill(found, found + words, Word{0});
      any = true;
      const Word* const fresh = fresh_[0].of(other);
      if (from == to) {
        for (std::size_t i = 0; i < words; ++i) found[i] |= fresh[i];
      } else {
        add_reordered(fresh, words, reorders_.of(to, from).data(), found);
      }
    });
    return any;
  }

  static void add_reordered(const Word* fresh, std::size_t words, const std::uint16_t* reorder,
                            Word* found) {
    for (std::size_t i = 0; i < words; ++i) {
      for (Word rest = fresh[i]; rest != 0; rest &= rest - 1) {
        set(found, reorder[i * Orders::kBits + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
    }
  }

  // Keeps what was not there before: how much.
  std::uint64_t settle(std::uint32_t block) {
    Word* const found = fresh_[1].of(block);
    Word* const settled = settled_.of(block);
    Word* const seconds = seconds_.of(block);
    const Word second = (depth_ & 2) != 0 ? ~Word{0} : 0;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < fresh_[1].words(); ++i) {
      found[i] &= ~settled[i];
      settled[i] |= found[i];
      seconds[i] |= found[i] & second;
      count += static_cast<std::uint64_t>(std::popcount(found[i]));
    }
    return count;
  }

  // All orders of a block make the same moves: a tile slides into the blank's region. Calls
  // visit(block, from, to) with the block where a move leads, and the tile's places in the order of
  // cells before and after it.
  template <class Visit>
  void for_each_move(std::uint32_t index, std::uint32_t block, const Visit& visit) const {
    const PatternSpace::Mask mask = space_.mask(index);
    std::size_t from = 0;
    for (PatternSpace::Mask rest = mask; rest != 0; rest &= rest - 1, ++from) {
      const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
      for (const std::size_t target : space_.neighbours(cell)) {
        if (mask >> target & 1U || space_.block(index, target) != block) continue;
        const Reached reached = reach(mask, cell, target);
        visit(reached.block, from, reached.to);
      }
    }
  }

  // Where a slide from a cell to another leads: the block, and the tile's place in the order of
  // cells.
  struct Reached {
    std::uint32_t block;
    std::size_t to;
  };
  Reached reach(PatternSpace::Mask mask, std::size_t cell, std::size_t target) const {
    const PatternSpace::Mask after =
        mask ^ (PatternSpace::Mask{1} << cell | PatternSpace::Mask{1} << target);
    const auto below = after & ((PatternSpace::Mask{1} << target) - 1);
    return {space_.block(space_.index(after), cell),
            static_cast<std::size_t>(std::popcount(below))};
  }

  void write() {
    if (pattern_.has_falls()) return write_falls(pattern_.fall_layout());
    write_near();
    in_portions(space_.masks(), masks_at_once_, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  for (std::size_t i = first; i < last; ++i) {
                    write_far(static_cast<std::uint32_t>(i));
                  }
                });
  }

  // A slide of all arrangements of a mask: where its bits and those of the places to which it leads
  // are, in which order those are, and the number of its edge.
  struct Slide {
    const Word* before;
    const Word* after;
    const std::uint16_t* reorder;  // null if the order stays
    unsigned number;
  };

  // By groups of masks, some orders at a time, so that the caches hold what is written. Threads
  // share no bytes: neither orders nor groups do.
  void write_falls(const FallLayout& layout) {
    constexpr std::size_t group = FallLayout::kMasksOfGroup;
    const std::size_t groups = (layout.masks().size() + group - 1) / group;
    const std::size_t chunks = (settled_.words() + kWordsOfChunk - 1) / kWordsOfChunk;
    in_portions(groups * chunks, 1, threads_, heart_, [&](std::size_t job, std::size_t) {
      const std::size_t first = job / chunks * group;
      const std::size_t word = job % chunks * kWordsOfChunk;
      for (std::size_t i = first; i < std::min(first + group, layout.masks().size()); ++i) {
        const PatternSpace::Mask mask = layout.masks()[i];
        const std::vector<Slide> slides = slides_of(layout, mask);
        for (std::size_t w = word; w < std::min(word + kWordsOfChunk, settled_.words()); ++w) {
          write_falls(layout, mask, slides, w);
        }
      }
    });
  }

  std::vector<Slide> slides_of(const FallLayout& layout, PatternSpace::Mask mask) const {
    const std::uint32_t index = space_.index(mask);
    const std::uint32_t edges = layout.edges_of(mask);
    std::vector<Slide> slides;
    std::size_t from = 0;
    for (PatternSpace::Mask rest = mask; rest != 0; rest &= rest - 1, ++from) {
      const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
      for (const std::size_t target : space_.neighbours(cell)) {
        if (mask >> target & 1U) continue;
        const Reached reached = reach(mask, cell, target);
        const std::uint32_t below = edges & (layout.edge(cell, target) - 1);
        slides.push_back({seconds_.of(space_.block(index, target)), seconds_.of(reached.block),
                          from == reached.to ? nullptr : reorders_.of(from, reached.to).data(),
                          static_cast<unsigned>(std::popcount(below))});
      }
    }
    return slides;
  }

  // The orders of a word. A value is odd or even by the cells that its tiles take, so that two
  // second lowest bits tell whether it falls.
  void write_falls(const FallLayout& layout, PatternSpace::Mask mask,
                   const std::vector<Slide>& slides, std::size_t word) {
    const std::size_t first = word * Orders::kBits;
    const std::size_t count = std::min(Orders::kBits, space_.orders() - first);
    std::array<std::uint32_t, Orders::kBits> falls{};
    for (const Slide& slide : slides) {
      Word bits = slide.before[word];
      if (slide.reorder == nullptr) {
        bits ^= slide.after[word];
      } else {
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t order = slide.reorder[first + i];
          bits ^= (slide.after[order / Orders::kBits] >> order % Orders::kBits & 1U) << i;
        }
      }
      if (is_odd(mask)) bits = ~bits;
      for (std::size_t i = 0; i < count; ++i) {
        falls[i] |= static_cast<std::uint32_t>(bits >> i & 1U) << slide.number;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = layout.place(static_cast<std::uint32_t>(first + i), mask);
      std::uint8_t* out = out_.data() + place / 8;
      for (std::uint32_t bits = falls[i] << place % 8; bits != 0; bits >>= 8U, ++out) {
        *out = static_cast<std::uint8_t>(*out | bits);
      }
    }
  }

  bool is_odd(PatternSpace::Mask mask) const {
    bool odd = false;
    for (PatternSpace::Mask rest = mask; rest != 0; rest &= rest - 1) {
      odd ^= PatternSpace::is_odd(static_cast<std::size_t>(std::countr_zero(rest)), pattern_.cols);
    }
    for (const std::size_t home : pattern_.homes) odd ^= PatternSpace::is_odd(home, pattern_.cols);
    return odd;
  }

  // By the places of the first two tiles. Threads share no bytes: two indexes make one.
  void write_near() {
    const std::size_t cells = pattern_.cells();
    const bool single = pattern_.homes.size() == 1;
    in_portions(single ? cells : cells * (cells - 1), 2, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  for (std::size_t i = first; i < last; ++i) {
                    if (single) {
                      place(with(Placed{}, i));
                    } else {
                      const std::size_t both = i + i / cells + 1;  // without those in one cell
                      place(with(with(Placed{}, both / cells), both % cells));
                    }
                  }
                });
  }

  // The blocks that a mask has elsewhere, each with bytes of its own.
  void write_far(std::uint32_t index) {
    if (!space_.has_far(index)) return;
    const std::uint32_t first = space_.first_block(index);
    const std::uint32_t regions = space_.first_block(index + 1) - first;
    for (std::uint32_t region = space_.first_far_region(index); region < regions; ++region) {
      const Word* const bits = seconds_.of(first + region);
      std::uint8_t* out =
          out_.data() + PatternTable::far_place(space_, space_.far_block(index, region)) / 8;
      for (std::size_t byte = 0; byte < (space_.orders() + 7) / 8; ++byte) {
        out[byte] = static_cast<std::uint8_t>(bits[byte / 8] >> byte % 8 * 8);
      }
    }
  }

  // The first tiles of a pattern, put into cells.
  struct Placed {
    std::size_t tiles = 0;
    PatternSpace::Mask mask = 0;
    std::uint32_t rank = 0;
    std::uint64_t index = 0;
  };

  Placed with(Placed placed, std::size_t cell) const {
    const PatternSpace::Mask bit = PatternSpace::Mask{1} << cell;
    const auto lower = static_cast<std::uint32_t>(std::popcount(placed.mask & (bit - 1)));
    return {placed.tiles + 1, placed.mask | bit,
            placed.rank + lower * PatternSpace::kFactorial[placed.tiles],
            placed.index * pattern_.cells() + cell};
  }

  // Places the other tiles in every way. The steps are read at random, so that all cells of
  // the last tile are looked up at once: the processor then waits for many at a time.
  void place(const Placed& placed) {
    if (placed.tiles == pattern_.homes.size()) return put(placed, find(placed));
    std::array<Placed, PatternSpace::kMaxCells> next;
    std::size_t count = 0;
    for (std::size_t cell = 0; cell < pattern_.cells(); ++cell) {
      if ((placed.mask >> cell & 1U) == 0) next[count++] = with(placed, cell);
    }
    if (placed.tiles + 1 < pattern_.homes.size()) {
      for (std::size_t i = 0; i < count; ++i) place(next[i]);
      return;
    }
    std::array<Found, PatternSpace::kMaxCells> found;
    for (std::size_t i = 0; i < count; ++i) {
      found[i] = find(next[i]);
      for (std::uint32_t region = 0; region < found[i].regions; ++region) {
        prefetch(found[i].bits + std::size_t{region} * seconds_.words());
      }
    }
    for (std::size_t i = 0; i < count; ++i) put(next[i], found[i]);
  }

  // The bit of a place with the blank in the first region, in its word, and how many regions there
  // are.
  struct Found {
    const Word* bits;
    unsigned shift;
    std::uint32_t regions;
  };

  Found find(const Placed& placed) const {
    const std::uint32_t index = space_.index(placed.mask);
    const std::uint32_t first = space_.first_block(index);
    const auto shift = static_cast<unsigned>(placed.rank % Orders::kBits);
    return {seconds_.of(first) + placed.rank / Orders::kBits, shift,
            space_.first_block(index + 1) - first};
  }

  void put(const Placed& placed, const Found& found) {
    const unsigned bits = bits_of(placed, found);
    const std::uint64_t number = space_.gaps().number(placed.index);
    out_[number >> 1U] |= static_cast<std::uint8_t>(bits << ((number & 1U) << 2U));
  }

  unsigned bits_of(const Placed& placed, const Found& found) const {
    const std::uint32_t index = space_.index(placed.mask);
    unsigned set = 0, clear = 0;  // the kinds that have such a bit
    for (std::uint32_t region = 0; region < found.regions; ++region) {
      const Word bit = found.bits[region * seconds_.words()] >> found.shift & 1U;
      (bit != 0 ? set : clear) |= 1U << space_.kind_of(index, region);
    }
    constexpr unsigned main = 1U << PatternSpace::kMain, other = 1U << PatternSpace::kOther;
    constexpr unsigned single = 1U << PatternSpace::kCorner | 1U << PatternSpace::kSingle;
    const unsigned first = (set & main) != 0 ? 1 : 0;
    const bool differ =
        ((set & main) != 0 && (clear & other) != 0) || ((clear & main) != 0 && (set & other) != 0);
    if ((set & clear) != 0 || (differ && (set & single) == single)) {
      return PatternTable::kElsewhere | first;
    }
    const unsigned bits = set & single;
    if (differ) return PatternTable::kDiffer | bits | first;
    return bits | ((set & (main | other)) != 0 ? 1 : 0);
  }

  const Pattern& pattern_;
  const PatternSpace space_;
  const Reorders reorders_;
  const std::size_t masks_at_once_ = std::max<std::size_t>(1, kPlacesAtOnce / space_.orders());
  const std::size_t threads_;
  Heartbeat& heart_;
  const std::span<std::uint8_t> out_;
  Orders settled_;
  Orders seconds_;                    // where the second lowest bit of the distance is set
  Orders fresh_[2];                   // at this distance, and at the next
  std::vector<std::uint8_t> due_[2];  // blocks that have some of them; nothing is known of others
  std::atomic<std::uint64_t> count_{0};
  int depth_ = 0;
};

}  // namespace

std::uint64_t PatternTable::working_bytes(const PatternSpace& space) {
  return Builder::working_bytes(space);
}

void PatternTable::build(const Pattern& pattern, std::span<std::uint8_t> out, std::size_t threads,
                         Heartbeat& heart) {
  Builder(pattern, out, threads, heart).run();
}

}  // namespace taquin
