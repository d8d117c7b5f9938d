#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "board.h"
#include "fall_layout.h"
#include "heartbeat.h"
#include "pattern_space.h"

namespace taquin {

// The tiles of a pattern, by the cells where they are at home. The blank's home matters
// where the pattern shuts it in.
struct Pattern {
  std::size_t rows;
  std::size_t cols;
  std::size_t blank;
  std::vector<std::size_t> homes;

  // Throws std::invalid_argument that names what is wrong.
  Pattern(const Goal& goal, const std::vector<std::int64_t>& cells);

  std::size_t cells() const { return rows * cols; }
  // Whether its table has falls; see PatternTable.
  bool has_falls() const { return cells() <= FallLayout::kMostCells; }
  FallLayout fall_layout() const;
};

// How many moves the tiles of a pattern need at least, for all places where they and the
// blank can be: the moves of the other tiles don't count, so that the values of patterns
// without common tiles add up. Of the blank it only matters in which region it is.
//
// A move of a pattern's tile changes the value by one. Whoever knows the value before needs no
// more than a bit to know the one after. A value that no one knows yet is found by going home.
//
// Tables of small boards have a bit for each slide of an arrangement, set if the value falls by it.
// The blank is where the slide leads, so that its region goes without saying; see FallLayout.
//
// On larger boards that would be too much. There a table has a bit of the value for each place: the
// second lowest one, as the lowest changes with every move. There are four bits for each index,
// without its gaps. The first is that of larger regions, the second that of corners, and the third
// that of other single cells. If the fourth is set, the first is that of the main region alone, and
// other larger ones are the opposite. Where that is not enough, it is set with the second and
// third, and all regions but the main one are elsewhere: behind the others, with a bit for each
// order.
class PatternTable {
 public:
  static std::uint64_t bytes(const Pattern& pattern, const PatternSpace& space);
  // The bytes of memory that building takes, beside those of the table.
  static std::uint64_t working_bytes(const PatternSpace& space);
  // Searches breadth-first from the pattern's home; Stopped when the hook stops it.
  static void build(const Pattern& pattern, std::span<std::uint8_t> out, std::size_t threads,
                    Heartbeat& heart);

  // std::invalid_argument when the bytes of a table are too many or too few.
  static void check_size(const Pattern& pattern, const PatternSpace& space, std::size_t size);
  // On larger boards: where the bits of a far block begin, always with a byte.
  static std::uint64_t far_place(const PatternSpace& space, std::uint32_t block);
  // More than any pattern's tiles need.
  static constexpr int kMostSteps = std::numeric_limits<std::uint8_t>::max() - 1;

  // Both throw std::invalid_argument when the bytes are too many or too few. Tables of as many
  // tiles can share their space, which takes a moment to make.
  PatternTable(const Pattern& pattern, std::span<const std::uint8_t> data);
  PatternTable(Pattern pattern, std::shared_ptr<const PatternSpace> space,
               std::span<const std::uint8_t> data);

  const Pattern& pattern() const { return pattern_; }
  const PatternSpace& space() const { return *space_; }
  const std::uint8_t* data() const { return data_.data(); }
  std::size_t size() const { return data_.size(); }
  // How a table of falls is laid out; null for others.
  const FallLayout* falls() const { return falls_ ? &*falls_ : nullptr; }
  static constexpr unsigned kBitsOfIndex = 4;
  static constexpr unsigned kDiffer = 8;      // larger regions do
  static constexpr unsigned kElsewhere = 14;  // all of these: all regions but the main one are
  static unsigned bit(const std::uint8_t* data, std::uint64_t place) {
    return data[place >> 3U] >> (place & 7U) & 1U;
  }
  // The bit for tiles, given by index and mask, and a blank, on larger boards.
  unsigned bit(std::uint64_t index, PatternSpace::Mask mask, std::size_t blank) const;

  // The value for tiles in these cells, given in the order of their homes, and a blank.
  std::int64_t value(const std::vector<std::int64_t>& cells, std::int64_t blank) const;
  // All of them, at index times cells plus the blank's cell: for small boards.
  std::vector<std::uint8_t> values() const;
  static constexpr std::uint8_t kUnreached = std::numeric_limits<std::uint8_t>::max();

 private:
  struct Spot;
  Spot spot(const std::vector<std::int64_t>& cells, std::int64_t blank) const;
  bool is_odd(const Spot& spot) const;
  bool is_home(const Spot& spot) const;
  // What the table has of a place: its falls, by which edges, and whether of the mirror image. On
  // larger boards it is the bit of the values that are less.
  struct Falls {
    FallLayout::Word word;
    std::uint32_t edges;
    bool is_mirrored;
  };
  Falls falls_of(const Spot& spot) const;
  FallLayout::Word word(const Spot& spot) const;
  bool is_fall(const Falls& falls, const Spot& before, const Spot& after) const;
  Spot mirror_image(const Spot& spot) const;
  unsigned bit(const Spot& spot) const;
  Spot home() const;
  template <class Visit>
  bool any_move(const Spot& spot, const Visit& visit) const;
  std::uint32_t rank(std::uint64_t index, PatternSpace::Mask mask) const;

  Pattern pattern_;
  std::shared_ptr<const PatternSpace> space_;
  std::optional<FallLayout> falls_;
  std::span<const std::uint8_t> data_;
};

}  // namespace taquin
