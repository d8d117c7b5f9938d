#include <cstdio>

#include "move_pruning.h"

using namespace taquin;

// Writes the automaton that knows most, as rows for an array: where each direction leads.
int main() {
  const MovePruning pruning(MovePruning::kMostMoves);
  for (std::size_t state = 0; state < pruning.states(); ++state) {
    std::putchar('{');
    for (const MovePruning::State next : pruning.next()[state]) std::printf("%u,", next);
    std::puts("},");
  }
}
