#include "pattern_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "crew.h"
#include "pattern_space.h"
#include "prefetch.h"

namespace taquin {

namespace {

std::int64_t gap(std::size_t a, std::size_t b) {
  return static_cast<std::int64_t>(a > b ? a - b : b - a);
}

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

// A byte that threads read and write at any time.
class Step {
 public:
  std::uint8_t load(std::memory_order order) const { return std::atomic_ref(value_).load(order); }
  void store(std::uint8_t value, std::memory_order order) {
    std::atomic_ref(value_).store(value, order);
  }

 private:
  mutable std::uint8_t value_;
};
static_assert(sizeof(Step) == 1);

// Steps that are all 0. The system clears their memory piece by piece as it is used: to clear
// gigabytes at once would take a second in which no one could stop it.
class Steps {
 public:
  explicit Steps(std::size_t count)
      : data_(static_cast<Step*>(std::calloc(count, sizeof(Step))), &std::free) {
    if (!data_) throw std::bad_alloc();
  }

  Step* data() { return data_.get(); }
  const Step* data() const { return data_.get(); }

 private:
  std::unique_ptr<Step, void (*)(void*)> data_;
};

class Builder {
 public:
  Builder(const Pattern& pattern, std::size_t threads, Heartbeat& heart)
      : pattern_(pattern),
        space_(pattern.rows, pattern.cols, pattern.homes.size(), heart),
        threads_(threads),
        heart_(heart),
        steps_(std::size_t{space_.blocks()} * space_.orders()),
        due_{std::vector<std::atomic<bool>>(space_.blocks()),
             std::vector<std::atomic<bool>>(space_.blocks())} {}

  // Of what grows with the space.
  static std::uint64_t working_bytes(const PatternSpace& space) {
    return std::uint64_t{space.blocks()} * (space.orders() + 2);
  }

  void run(std::uint8_t* out) {
    settle_home();
    for (settled_ = 1; settled_ > 0;) advance();
    merge_regions();
    write(out);
  }

 private:
  static constexpr std::size_t kPlacesAtOnce = std::size_t{1} << 15U;

  // steps_ holds one more than the distance, and 0 where nothing has come yet.
  void settle_home() {
    PatternSpace::Mask mask = 0;
    for (const std::size_t cell : pattern_.homes) mask |= PatternSpace::Mask{1} << cell;
    const std::uint32_t block = space_.block(space_.index(mask), pattern_.blank);
    Step& home = steps_.data()[order_at(block, space_.orders() - 1)];  // in ascending cells
    home.store(1, std::memory_order_relaxed);
    due_[0][block] = true;
  }

  std::size_t order_at(std::uint32_t block, std::uint32_t rank) const {
    return std::size_t{block} * space_.orders() + rank;
  }

  // From all places at one distance to those one move farther.
  void advance() {
    ++depth_;
    if (depth_ == std::numeric_limits<std::uint8_t>::max()) {
      throw std::invalid_argument("the pattern's distances need more than a byte");
    }
    heart_.set_bounds(depth_ - 1, 0);
    settled_ = 0;
    in_portions(space_.masks(), masks_at_once_, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  std::vector<std::uint16_t> ranks(space_.orders());
                  std::uint64_t count = 0;
                  for (std::size_t i = first; i < last; ++i) {
                    count += advance_mask(static_cast<std::uint32_t>(i), ranks.data());
                  }
                  settled_ += count;
                  heart_.count(count);
                });
    due_[0].swap(due_[1]);
  }

  std::uint64_t advance_mask(std::uint32_t index, std::uint16_t* ranks) {
    std::uint64_t count = 0;
    for (std::uint32_t block = space_.first_block(index); block < space_.first_block(index + 1);
         ++block) {
      if (!due_[0][block].load(std::memory_order_relaxed)) continue;
      due_[0][block].store(false, std::memory_order_relaxed);
      const std::size_t fresh = collect(block, ranks);
      advance_block(index, block, ranks, fresh);
      count += fresh;
    }
    return count;
  }

  // The ranks of a block that are at this distance. Eight are passed over at a time: meanwhile
  // no one writes here, as a move changes the number of tiles in cells of one colour by one.
  std::size_t collect(std::uint32_t block, std::uint16_t* ranks) const {
    const Step* steps = steps_.data() + order_at(block, 0);
    const std::uint32_t orders = space_.orders();
    const int depth = depth_;
    std::size_t count = 0;
    for (std::uint32_t first = 0; first < orders; first += 8) {
      const std::uint32_t last = std::min(first + 8, orders);
      if (last - first == 8 && !any_is(depth, steps + first)) continue;
      for (std::uint32_t rank = first; rank < last; ++rank) {
        ranks[count] = static_cast<std::uint16_t>(rank);
        count += steps[rank].load(std::memory_order_relaxed) == depth ? 1 : 0;
      }
    }
    return count;
  }

  static bool any_is(int depth, const Step* eight) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    std::uint64_t word;
    std::memcpy(&word, static_cast<const void*>(eight), sizeof word);
    word ^= ones * static_cast<std::uint64_t>(depth);  // now it is about bytes that are zero
    return ((word - ones) & ~word & ones << 7U) != 0;
  }

  // All orders of a block make the same moves: a tile slides into the blank's region.
  void advance_block(std::uint32_t index, std::uint32_t block, const std::uint16_t* ranks,
                     std::size_t count) {
    const PatternSpace::Mask mask = space_.mask(index);
    std::size_t from = 0;
    for (PatternSpace::Mask rest = mask; rest != 0; rest &= rest - 1, ++from) {
      const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
      for (const std::size_t target : space_.neighbours(cell)) {
        if (mask >> target & 1U || space_.block(index, target) != block) continue;
        const PatternSpace::Mask after =
            mask ^ (PatternSpace::Mask{1} << cell | PatternSpace::Mask{1} << target);
        const auto below = after & ((PatternSpace::Mask{1} << target) - 1);
        reach(space_.block(space_.index(after), cell), from,
              static_cast<std::size_t>(std::popcount(below)), ranks, count);
      }
    }
  }

  void reach(std::uint32_t block, std::size_t from, std::size_t to, const std::uint16_t* ranks,
             std::size_t count) {
    Step* steps = steps_.data() + order_at(block, 0);
    const std::uint16_t* reorder = space_.reorder(from, to).data();
    const auto next = static_cast<std::uint8_t>(depth_ + 1);
    unsigned any = 0;
    for (std::size_t i = 0; i < count; ++i) {
      auto& step = steps[reorder[ranks[i]]];
      // Written in any case: whether it is new can't be foretold, and a branch costs more.
      const std::uint8_t old = step.load(std::memory_order_relaxed);
      step.store(old == 0 ? next : old, std::memory_order_relaxed);
      any |= old == 0 ? 1U : 0U;
    }
    if (any != 0) due_[1][block].store(true, std::memory_order_relaxed);
  }

  // Keeps, in a mask's first block, the least distance wherever the blank is.
  void merge_regions() {
    in_portions(space_.masks(), masks_at_once_, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  for (std::size_t i = first; i < last; ++i) {
                    merge_regions(static_cast<std::uint32_t>(i));
                  }
                });
  }

  void merge_regions(std::uint32_t index) {
    Step* least = steps_.data() + order_at(space_.first_block(index), 0);
    for (std::uint32_t block = space_.first_block(index) + 1; block < space_.first_block(index + 1);
         ++block) {
      const Step* other = steps_.data() + order_at(block, 0);
      for (std::uint32_t rank = 0; rank < space_.orders(); ++rank) {
        const auto a = distance(least[rank]);
        const auto b = distance(other[rank]);
        least[rank].store(static_cast<std::uint8_t>(std::min(a, b) + 1), std::memory_order_relaxed);
      }
    }
  }

  // What nothing reaches, 0, becomes as far as can be.
  static std::uint8_t distance(const Step& step) {
    return static_cast<std::uint8_t>(step.load(std::memory_order_relaxed) - 1);
  }

  // By the places of the first two tiles, two of them at a time, which fill whole bytes.
  void write(std::uint8_t* out) {
    const std::size_t cells = pattern_.cells();
    const bool single = pattern_.homes.size() == 1;
    in_portions(single ? cells : cells * cells, 2, threads_, heart_,
                [&](std::size_t first, std::size_t last) {
                  for (std::size_t i = first; i < last; ++i) {
                    if (single) {
                      place(out, with(Placed{}, i));
                    } else if (i / cells != i % cells) {
                      place(out, with(with(Placed{}, i / cells), i % cells));
                    }
                  }
                });
  }

  // The first tiles of a pattern, put into cells.
  struct Placed {
    std::size_t tiles = 0;
    PatternSpace::Mask mask = 0;
    std::uint32_t rank = 0;
    std::int64_t manhattan = 0;
    std::uint64_t place = 0;  // in the table
  };

  Placed with(Placed placed, std::size_t cell) const {
    const PatternSpace::Mask bit = PatternSpace::Mask{1} << cell;
    const auto lower = static_cast<std::uint32_t>(std::popcount(placed.mask & (bit - 1)));
    return {placed.tiles + 1, placed.mask | bit,
            placed.rank + lower * PatternSpace::kFactorial[placed.tiles],
            placed.manhattan + pattern_.manhattan(placed.tiles, cell),
            dense_ ? placed.place * (pattern_.cells() - placed.tiles) + cell - lower
                   : placed.place * pattern_.cells() + cell};
  }

  // Places the other tiles in every way. The table is read at random, so that all cells of
  // the last tile are looked up at once: the processor then waits for many at a time.
  void place(std::uint8_t* out, const Placed& placed) const {
    if (placed.tiles == pattern_.homes.size()) return put(out, placed, find(placed));
    std::array<Placed, PatternSpace::kMaxCells> next;
    std::size_t count = 0;
    for (std::size_t cell = 0; cell < pattern_.cells(); ++cell) {
      if ((placed.mask >> cell & 1U) == 0) next[count++] = with(placed, cell);
    }
    if (placed.tiles + 1 < pattern_.homes.size()) {
      for (std::size_t i = 0; i < count; ++i) place(out, next[i]);
      return;
    }
    std::array<const Step*, PatternSpace::kMaxCells> found;
    for (std::size_t i = 0; i < count; ++i) {
      found[i] = find(next[i]);
      prefetch(found[i]);
    }
    for (std::size_t i = 0; i < count; ++i) put(out, next[i], found[i]);
  }

  const Step* find(const Placed& placed) const {
    return steps_.data() + order_at(space_.first_block(space_.index(placed.mask)), placed.rank);
  }

  void put(std::uint8_t* out, const Placed& placed, const Step* found) const {
    const auto excess = std::min<std::int64_t>((distance(*found) - placed.manhattan) / 2,
                                               PatternTable::kMostExcess);
    out[placed.place >> 1U] |= static_cast<std::uint8_t>(excess << ((placed.place & 1U) << 2U));
  }

  const Pattern& pattern_;
  const PatternSpace space_;
  const bool dense_ = pattern_.is_dense();
  const std::size_t masks_at_once_ = std::max<std::size_t>(1, kPlacesAtOnce / space_.orders());
  const std::size_t threads_;
  Heartbeat& heart_;
  Steps steps_;
  std::vector<std::atomic<bool>> due_[2];  // blocks with places at this distance, at the next
  std::atomic<std::uint64_t> settled_{0};
  int depth_ = 0;
};

void check_size(const Pattern& pattern, std::size_t size) {
  const std::uint64_t right = PatternTable::bytes(pattern);
  if (size != right) {
    throw std::invalid_argument("the table of the pattern has " + std::to_string(right) +
                                " bytes, not " + std::to_string(size));
  }
}

}  // namespace

Pattern::Pattern(const Goal& goal, const std::vector<std::int64_t>& places)
    : rows(goal.rows()), cols(goal.cols()), blank(goal.blank()) {
  for (const std::int64_t cell : places) {
    if (cell < 0 || static_cast<std::size_t>(cell) >= cells()) {
      throw std::invalid_argument("a pattern's cells are 0 to " + std::to_string(cells() - 1) +
                                  ", not " + std::to_string(cell));
    }
    const auto home = static_cast<std::size_t>(cell);
    if (home == blank || (!homes.empty() && home <= homes.back())) {
      throw std::invalid_argument("a pattern's cells ascend and leave out the blank's; cell " +
                                  std::to_string(cell) + " does not");
    }
    homes.push_back(home);
  }
  if (homes.empty() || homes.size() > PatternSpace::kMaxTiles ||
      cells() > PatternSpace::kMaxCells) {
    throw std::invalid_argument("a pattern has 1 to " + std::to_string(PatternSpace::kMaxTiles) +
                                " tiles, on a board of at most " +
                                std::to_string(PatternSpace::kMaxCells) + " cells");
  }
}

std::int64_t Pattern::manhattan(std::size_t tile, std::size_t cell) const {
  return gap(homes[tile] / cols, cell / cols) + gap(homes[tile] % cols, cell % cols);
}

std::uint64_t PatternTable::bytes(const Pattern& pattern) {
  if (pattern.is_dense()) return DensePlaces::count(pattern.homes.size()) / 2;
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < pattern.homes.size(); ++i) count *= pattern.cells();
  return (count + 1) / 2;
}

std::uint64_t PatternTable::places(const Pattern& pattern) {
  const PatternSpace space(pattern.rows, pattern.cols, pattern.homes.size());
  return std::uint64_t{space.blocks()} * space.orders();
}

std::uint64_t PatternTable::working_bytes(const Pattern& pattern) {
  return Builder::working_bytes(PatternSpace(pattern.rows, pattern.cols, pattern.homes.size()));
}

void PatternTable::build(const Pattern& pattern, std::span<std::uint8_t> out, std::size_t threads,
                         Heartbeat& heart) {
  check_size(pattern, out.size());
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  Builder(pattern, threads, heart).run(out.data());
}

PatternTable::PatternTable(Pattern pattern, std::span<const std::uint8_t> data)
    : pattern_(std::move(pattern)), data_(data) {
  check_size(pattern_, data.size());
  if (pattern_.is_dense()) dense_.emplace(pattern_.homes.size());
}

std::int64_t PatternTable::value(const std::vector<std::int64_t>& cells) const {
  if (cells.size() != pattern_.homes.size()) {
    throw std::invalid_argument("the pattern has " + std::to_string(pattern_.homes.size()) +
                                " tiles, not " + std::to_string(cells.size()));
  }
  std::uint64_t index = 0;
  std::int64_t manhattan = 0;
  PatternSpace::Mask mask = 0;
  for (std::size_t tile = 0; tile < cells.size(); ++tile) {
    if (cells[tile] < 0 || static_cast<std::size_t>(cells[tile]) >= pattern_.cells()) {
      throw std::invalid_argument("there is no cell " + std::to_string(cells[tile]));
    }
    const auto cell = static_cast<std::size_t>(cells[tile]);
    if (mask >> cell & 1U) {
      throw std::invalid_argument("two tiles in cell " + std::to_string(cell));
    }
    mask |= PatternSpace::Mask{1} << cell;
    index = index * pattern_.cells() + cell;
    manhattan += pattern_.manhattan(tile, cell);
  }
  return manhattan + 2 * std::int64_t{excess(index)};
}

}  // namespace taquin
