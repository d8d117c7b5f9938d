#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace taquin {

// Numbers the ways to put 7 or 8 tiles into 16 cells, from 0 without gaps, in the order of
// their positional index. That index has four bits for each tile, so that its upper part
// (the leading tiles) and its lower one (the last four) are looked up each. The last four
// are looked up by the numbers that their cells have among those left free by the leading.
class DensePlaces {
 public:
  static constexpr std::size_t kCells = 16;
  // With fewer tiles the gaps cost little, and doing without this arithmetic is quicker.
  static constexpr std::size_t kFewestTiles = 7;

  // Whether tables of so many tiles are laid out this way.
  static constexpr bool suit(std::size_t cells, std::size_t tiles) {
    return cells == kCells && tiles >= kFewestTiles;
  }

  // How many places there are.
  static std::uint64_t count(std::size_t tiles);

  // std::invalid_argument when the tiles are too few or too many.
  explicit DensePlaces(std::size_t tiles);

  // The place of tiles that lie in different cells.
  [[gnu::always_inline]] std::uint32_t of(std::uint32_t index) const {
    const std::uint32_t leading = index >> 16U;
    const std::uint32_t cells = leading | padding_;
    const std::uint64_t last = spread(index & 0xffffU);
    const std::uint64_t twice = last | last << 32U | kEighths;
    const std::uint64_t above = ((twice - beyond_[cells & 255U]) >> 7U & kOnes) +
                                ((twice - beyond_[cells >> 8U]) >> 7U & kOnes);
    const std::uint64_t free = last - (above & 0xffffffffU) - (above >> 32U);
    return leading_[leading] * last_count_ + last_[numbered(free)];
  }

 private:
  static constexpr std::size_t kLast = 4;

  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::uint64_t kEighths = kOnes << 7U;  // the bits that show what is above

  // Four numbers of four bits, a byte for each.
  static std::uint64_t spread(std::uint64_t packed) {
    const std::uint64_t pairs = (packed | packed << 8U) & 0x00ff00ffU;
    return (pairs | pairs << 4U) & 0x0f0f0f0fU;
  }
  // Four bytes as the digits of a number to the base of the free cells: the caches hold more of a
  // table without the gaps that a base of sixteen would leave.
  std::uint64_t numbered(std::uint64_t bytes) const {
    const std::uint64_t pairs = (bytes & 0x00ff00ffU) + (bytes >> 8U & 0x00ff00ffU) * free_count_;
    return (pairs & 0xffffU) + (pairs >> 16U) * free_count_ * free_count_;
  }

  // What is to be taken from four bytes with an eighth bit, to see in that bit whether they
  // are above a cell; in the two halves of a word for the two cells that are packed.
  std::array<std::uint64_t, 256> beyond_;
  std::uint32_t padding_;  // stands for the leading tiles that are missing; above no cell
  std::uint32_t last_count_;
  std::uint64_t free_count_;  // the cells that the leading tiles leave
  std::vector<std::uint16_t> leading_;
  std::vector<std::uint16_t> last_;
};

}  // namespace taquin
