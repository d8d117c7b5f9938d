#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "bit_fields.h"
#include "board.h"
#include "fall_layout.h"
#include "move_pruning.h"
#include "patterns.h"
#include "prefetch.h"

namespace taquin {

// What moves change in the patterns of one or more partitions whose tables have falls, prepared for
// a search. Directions are lanes, in the order in which a search tries them. Of patterns there are
// at most `Slots`, of all partitions together. Where a table has half of all arrangements
// (`Halves`), patterns have a second view: the mirror image, or the same again for other tables.
template <std::size_t Parts, std::size_t Slots, bool Halves>
class FallMoves {
 public:
  static constexpr std::size_t kMostCells = FallLayout::kMostCells;
  static constexpr std::size_t kViews = Halves ? 2 : 1;

  // Where a pattern's tiles are: the mask of their cells, the edges that lead out of it, and the
  // number of their order.
  using Spot = std::uint64_t;

  struct Board {
    std::array<std::array<Spot, kViews>, Slots> spots;
    // By edges, of the view that the table has, whose number is above them. Those of patterns that
    // have just changed are to be read.
    std::array<std::uint32_t, Slots> falls;
    std::array<std::uint64_t, Parts> places;  // of the falls of those patterns
    std::array<std::uint8_t, Parts> changed;  // their slots
    std::array<std::uint8_t, Parts> h;
    // Of the blank's cell no one asks. Behind the cells there is none, for whoever asks of no cell.
    std::array<std::uint8_t, kMostCells + 1> tiles;
    std::uint8_t blank;
    MovePruning::State state;
    std::uint16_t depth;
  };

  FallMoves(const Patterns& patterns, const MovePruning& pruning)
      : patterns_(patterns), allowed_(pruning.allowed()), next_(pruning.next()) {
    prepare_lanes();
    for (std::size_t p = 0; p < Parts; ++p) {
      for (const PatternUse& use : patterns.parts()[p].uses) {
        for (std::size_t view = 0; view < kViews; ++view) prepare(use, p, view);
        ++slots_;
      }
    }
  }

  const Patterns& patterns() const { return patterns_; }

  // The board of some tiles, whose partitions have these values.
  Board start(const Tiles& tiles, const std::array<std::uint8_t, Parts>& values) const {
    Board board{};
    std::copy(tiles.begin(), tiles.end(), board.tiles.begin());
    board.blank = static_cast<std::uint8_t>(blank_cell(tiles));
    board.h = values;
    board.state = MovePruning::kStart;
    std::size_t slot = 0;
    for (std::size_t p = 0; p < Parts; ++p) {
      for (const PatternUse& use : patterns_.parts()[p].uses) {
        for (std::size_t view = 0; view < kViews; ++view) {
          board.spots[slot][view] = spot(use, view, tiles);
        }
        board.changed[p] = static_cast<std::uint8_t>(slot);
        board.places[p] = find(board, slot);
        board.falls[slot++] = read<PlainBitFields>(board, p);
      }
    }
    return board;
  }

  // The lanes that the automaton allows.
  unsigned moves(const Board& board) const {
    return lanes_of_[moves_of_[board.blank] & allowed_[board.state]];
  }

  // Reads what the last move has asked for, and tells the lanes by which values fall: four bits for
  // each partition.
  template <class BitFields>
  [[gnu::always_inline]] unsigned falling(Board& board) const {
    for (std::size_t p = 0; p < Parts; ++p) {
      board.falls[board.changed[p]] = read<BitFields>(board, p);
    }
    const auto& around = around_[board.blank];
    const auto& lanes = lanes_[board.blank];
    unsigned falling = 0;
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      const std::uint32_t falls = board.falls[slot];
      const std::size_t view = Halves ? falls >> kViewAt : 0;
      falling |= lanes[slot][view][BitFields::extract(falls, around[slot][view])];
    }
    return falling;
  }

  // The lanes by which no value of a board grows beyond a limit.
  [[gnu::always_inline]] static unsigned within(const Board& board, unsigned falling,
                                                std::int32_t limit) {
    unsigned lanes = 15;
    for (std::size_t p = 0; p < Parts; ++p) {
      const unsigned any = std::int32_t{board.h[p]} < limit ? 15U : 0U;
      lanes &= falling >> kDirections * p | any;
    }
    return lanes;
  }

  // Asks for the memory that is to be read after a move. Best for many boards one right after the
  // other: a processor that finds out where memory is gets stuck, unless there is more to find out.
  [[gnu::always_inline]] void ask_for(const Board& board) const {
    for (std::size_t p = 0; p < Parts; ++p) {
      prefetch(data_[board.changed[p]] + board.places[p] / 8);
    }
  }

  // Makes a move, given what falls.
  [[gnu::always_inline]] void move(Board& board, unsigned lane, unsigned falling) const {
    const std::size_t blank = board.blank, source = source_[blank][lane];
    const std::size_t tile = board.tiles[source];
    const std::uint8_t* const slots = slot_of_[tile].data();
#pragma GCC unroll 4
    for (std::size_t p = 0; p < Parts; ++p) {
      const std::size_t slot = slots[p];
      for (std::size_t view = 0; view < kViews; ++view) {
        turn(board, slot, p, view, blank, lane, tile);
      }
      board.changed[p] = static_cast<std::uint8_t>(slot);
      board.places[p] = find(board, slot);
      const unsigned falls = falling >> (kDirections * p + lane) & 1U;
      board.h[p] = static_cast<std::uint8_t>(board.h[p] + 1 - 2 * falls);
    }
    board.tiles[blank] = static_cast<std::uint8_t>(tile);
    board.blank = static_cast<std::uint8_t>(source);
    const MovePruning::State state = board.state = next_[board.state][kSearchOrder[lane]];
    prefetch(allowed_ + state);
    prefetch(next_ + state);
    ++board.depth;
  }

 private:
  // Within a spot.
  static constexpr unsigned kEdgesAt = kMostCells, kOrderAt = kEdgesAt + FallLayout::kMostEdges;
  static constexpr Spot kMask = (Spot{1} << kEdgesAt) - 1;
  static constexpr std::uint32_t kEdges = (std::uint32_t{1} << FallLayout::kMostEdges) - 1;
  static constexpr unsigned kViewAt = 31;  // above falls
  // Cells that a slide can pass: the next ones in the order of cells, up to the same column. Three
  // on square boards, for which there is code without a loop.
  static constexpr std::size_t kMostPassed = 7, kUsualPassed = 3;
  static constexpr std::uint8_t kNoCell = kMostCells;

  // What a slide changes: the mask and its edges, and the order by the tiles in the cells between.
  struct Slide {
    Spot toggles;
    std::array<std::uint8_t, kMostPassed> passed;
    std::uint8_t down;  // to lower numbers
  };

  // A loop whose end is known is unrolled.
  std::size_t slots() const { return Slots <= 12 ? Slots : slots_; }

  void prepare_lanes() {
    const Goal& goal = patterns_.goal();
    for (unsigned moves = 0; moves < lanes_of_.size(); ++moves) {
      for (unsigned lane = 0; lane < kDirections; ++lane) {
        lanes_of_[moves] = static_cast<std::uint8_t>(lanes_of_[moves] |
                                                     (moves >> kSearchOrder[lane] & 1U) << lane);
      }
    }
    for (std::size_t cell = 0; cell < goal.cells(); ++cell) {
      moves_of_[cell] = static_cast<std::uint8_t>(goal.moves(cell));
      for (unsigned lane = 0; lane < kDirections; ++lane) {
        source_[cell][lane] = static_cast<std::uint8_t>(goal.moves(cell) >> kSearchOrder[lane] & 1U
                                                            ? goal.source(cell, kSearchOrder[lane])
                                                            : cell);
      }
    }
  }

  // Where a cell of the board is in a view's board.
  static std::size_t there(const PatternUse& use, std::size_t view, std::size_t cell) {
    const auto there = static_cast<std::size_t>(use.cells[cell]);
    const bool is_turned = view > 0 && use.table->falls()->is_half();
    return is_turned ? mirrored(there, use.table->pattern().cols) : there;
  }

  // The number of a tile in a view, given its number in the pattern.
  static std::size_t number_in(const PatternUse& use, std::size_t view, std::size_t number) {
    const std::vector<std::size_t>& homes = use.table->pattern().homes;
    const std::size_t cols = use.table->pattern().cols;
    if (view == 0 || !use.table->falls()->is_half()) return number;
    const auto twin = std::find(homes.begin(), homes.end(), mirrored(homes[number], cols));
    return static_cast<std::size_t>(twin - homes.begin());
  }

  void prepare(const PatternUse& use, std::size_t part, std::size_t view) {
    const std::size_t slot = slots_;
    data_[slot] = use.table->data();
    layouts_[slot] = &patterns_.fall_layout(*use.table);
    passed_ = use.table->pattern().rows > 1 ? use.table->pattern().cols - 1 : 0;
    std::array<std::uint8_t, kMostCells> here{};  // the cells of the view's board
    for (std::size_t cell = 0; cell < patterns_.goal().cells(); ++cell) {
      here[there(use, view, cell)] = static_cast<std::uint8_t>(cell);
    }
    for (std::size_t cell = 0; cell < patterns_.goal().cells(); ++cell) {
      prepare_cell(use, part, view, cell, here);
    }
    for (std::size_t i = 0; i < use.tiles.size(); ++i) {
      const auto tile = static_cast<std::size_t>(use.tiles[i]);
      slot_of_[tile][part] = static_cast<std::uint8_t>(slot);
      for (std::size_t k = 0; k < use.tiles.size(); ++k) {
        if (i == k) continue;
        const std::int32_t up =
            PatternSpace::passing(number_in(use, view, i), number_in(use, view, k));
        passing_[part][view][0][tile][static_cast<std::size_t>(use.tiles[k])] = up;
        passing_[part][view][1][tile][static_cast<std::size_t>(use.tiles[k])] = -up;
      }
    }
  }

  // The edges around the blank in a cell, and what is between it and a tile that slides there.
  void prepare_cell(const PatternUse& use, std::size_t part, std::size_t view, std::size_t cell,
                    const std::array<std::uint8_t, kMostCells>& here) {
    const FallLayout& layout = *use.table->falls();
    const std::size_t slot = slots_, to = there(use, view, cell);
    std::array<std::uint32_t, kDirections> edges{};
    std::uint32_t around = 0;
    for (unsigned lane = 0; lane < kDirections; ++lane) {
      Slide& slide = slides_[slot][view][cell][lane];
      slide.passed.fill(kNoCell);
      if (source_[cell][lane] == cell) continue;
      const std::size_t from = there(use, view, source_[cell][lane]);
      around |= edges[lane] = layout.edge(from, to);
      slide.toggles = toggles_at(layout, from) ^ toggles_at(layout, to);
      slide.down = to < from;
      const auto first = here.begin() + static_cast<std::ptrdiff_t>(std::min(from, to)) + 1;
      std::copy(first, here.begin() + static_cast<std::ptrdiff_t>(std::max(from, to)),
                slide.passed.begin());
    }
    around_[cell][slot][view] = around;
    for (unsigned lane = 0; lane < kDirections; ++lane) {
      if (edges[lane] == 0) continue;
      const unsigned bit = 1U << std::popcount(around & (edges[lane] - 1));
      for (unsigned packed = 0; packed < 16; ++packed) {
        auto& lanes = lanes_[cell][slot][view][packed];
        if (packed & bit)
          lanes = static_cast<std::uint16_t>(lanes | 1U << (kDirections * part + lane));
      }
    }
  }

  // What a tile in a cell adds to a spot, beside its order.
  static Spot toggles_at(const FallLayout& layout, std::size_t cell) {
    return Spot{1} << cell | Spot{layout.edges_at(cell)} << kEdgesAt;
  }

  Spot spot(const PatternUse& use, std::size_t view, const Tiles& tiles) const {
    Spot spot = 0;
    std::array<std::size_t, PatternSpace::kMaxTiles> cells{};
    for (std::size_t i = 0; i < use.tiles.size(); ++i) {
      const auto at = std::find(tiles.begin(), tiles.end(), static_cast<Tile>(use.tiles[i]));
      const auto cell = static_cast<std::size_t>(at - tiles.begin());
      const std::size_t here = cells[number_in(use, view, i)] = there(use, view, cell);
      spot ^= toggles_at(*use.table->falls(), here);
    }
    for (std::size_t i = 0; i < use.tiles.size(); ++i) {
      const auto lower =
          std::count_if(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](std::size_t cell) { return cell < cells[i]; });
      spot += static_cast<Spot>(lower) * PatternSpace::kFactorial[i] << kOrderAt;
    }
    return spot;
  }

  [[gnu::always_inline]] void turn(Board& board, std::size_t slot, std::size_t part,
                                   std::size_t view, std::size_t blank, unsigned lane,
                                   std::size_t tile) const {
    const Slide& slide = slides_[slot][view][blank][lane];
    const auto& passing = passing_[part][view][slide.down][tile];
    std::int32_t change = passing[board.tiles[slide.passed[0]]] +
                          passing[board.tiles[slide.passed[1]]] +
                          passing[board.tiles[slide.passed[2]]];
    if (passed_ > kUsualPassed) [[unlikely]] {
      for (std::size_t i = kUsualPassed; i < passed_; ++i) {
        change += passing[board.tiles[slide.passed[i]]];
      }
    }
    Spot& spot = board.spots[slot][view];
    spot = (spot ^ slide.toggles) + (static_cast<Spot>(std::int64_t{change}) << kOrderAt);
  }

  // Where the falls of a pattern are; in their stead it writes the view.
  [[gnu::always_inline]] std::uint64_t find(Board& board, std::size_t slot) const {
    Spot spot = board.spots[slot][0];
    std::uint32_t view = 0;
    if constexpr (Halves) {
      const Spot other = board.spots[slot][1];
      const bool is_turned = (other & kMask) < (spot & kMask);
      view = is_turned;
      spot = is_turned ? other : spot;
    }
    board.falls[slot] = view << kViewAt;
    return layouts_[slot]->place(spot >> kOrderAt, spot & kMask);
  }

  template <class BitFields>
  [[gnu::always_inline]] std::uint32_t read(const Board& board, std::size_t part) const {
    const std::size_t slot = board.changed[part];
    const std::uint32_t view = Halves ? board.falls[slot] >> kViewAt : 0;
    const auto edges = static_cast<std::uint32_t>(board.spots[slot][view] >> kEdgesAt) & kEdges;
    const FallLayout::Word word = FallLayout::word(data_[slot], board.places[part]);
    return BitFields::deposit(word, edges) | view << kViewAt;
  }

  template <class Value>
  using OfViews = std::array<std::array<Value, kViews>, Slots>;

  const Patterns& patterns_;
  const std::uint8_t* const allowed_;
  const std::array<MovePruning::State, kDirections>* const next_;
  std::size_t slots_ = 0;
  std::size_t passed_ = 0;  // at most
  std::array<const std::uint8_t*, Slots> data_{};
  std::array<const FallLayout*, Slots> layouts_{};
  OfViews<std::array<std::array<Slide, kDirections>, kMostCells>> slides_{};
  std::array<OfViews<std::uint32_t>, kMostCells> around_{};                 // the blank
  std::array<OfViews<std::array<std::uint16_t, 16>>, kMostCells> lanes_{};  // of what falls there
  std::array<std::array<std::uint8_t, Parts>, kMostCells> slot_of_{};       // by tiles
  std::array<std::array<std::uint8_t, kDirections>, kMostCells> source_{};  // of lanes
  std::array<std::uint8_t, kMostCells> moves_of_{};
  std::array<std::uint8_t, 16> lanes_of_{};
  // How passing a tile changes the number of the order, upwards and downwards.
  using Passing = std::array<std::array<std::int32_t, kMostCells>, kMostCells>;
  std::array<std::array<std::array<Passing, 2>, kViews>, Parts> passing_{};
};

}  // namespace taquin
