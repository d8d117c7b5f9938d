#include "wide_search.h"

#include <stdexcept>

#include "wide_board.h"
#include "wide_core.h"

namespace taquin {

using namespace wide;

namespace {

std::unique_ptr<Core> core([[maybe_unused]] const Patterns& patterns,
                           [[maybe_unused]] const MovePruning& pruning, std::size_t abreast) {
  if (abreast == 0 || abreast > WideSearch::most_abreast()) {
    throw std::invalid_argument("this processor has no such wide search");
  }
#ifdef TAQUIN_HAS_WIDE
  return abreast == 1 ? core_by_one(patterns, pruning) : core_by_two(patterns, pruning);
#else
  return nullptr;
#endif
}

}  // namespace

std::size_t WideSearch::most_abreast() {
#ifdef TAQUIN_HAS_WIDE
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return 0;
  const bool has_longer =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  return has_longer ? 2 : 1;
#else
  return 0;
#endif
}

bool WideSearch::suits(const Patterns& patterns) {
  if (patterns.parts().size() != kParts || patterns.goal().cells() > kMostCells ||
      patterns.has_falls()) {
    return false;
  }
  const std::uintptr_t first = Givens::first_address(patterns);
  for (const Patterns::Part& part : patterns.parts()) {
    if (part.uses.size() > kMostPatterns) return false;
    for (const PatternUse& use : part.uses) {
      const std::uintptr_t words = (Givens::address(use) - first) / sizeof(Givens::Word);
      if (Givens::address(use) % sizeof(Givens::Word) != 0 || words > UINT32_MAX / 2 ||
          !fits_an_index(patterns.goal().cells(), use.tiles.size())) {
        return false;
      }
    }
  }
  return true;
}

WideSearch::WideSearch(const Patterns& patterns, const MovePruning& pruning, std::size_t abreast)
    : core_(core(patterns, pruning, abreast)) {}
WideSearch::WideSearch(WideSearch&&) noexcept = default;
WideSearch::~WideSearch() = default;

void WideSearch::begin(std::int64_t bound, std::size_t numbers) {
  core_->begin(bound, numbers);
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
const std::vector<std::uint64_t>& WideSearch::sampled() const {
  return core_->sampled();
}
std::vector<std::uint8_t> WideSearch::path() const {
  return core_->path();
}
std::vector<std::vector<std::uint8_t>> WideSearch::left() const {
  return core_->left();
}

}  // namespace taquin
