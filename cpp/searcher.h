#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "board.h"
#include "heartbeat.h"
#include "idastar.h"
#include "subtrees.h"

namespace taquin {

// What can be asked of a search, whichever diver goes down its tree. There are twenty kinds of
// divers, which take long to compile: each family of them has a file of its own.
class Searcher {
 public:
  virtual ~Searcher() = default;

  virtual Report deepen(const Tiles& tiles, const SearchOptions& options, Heartbeat& heart) = 0;
  virtual Portion search_subtrees(const Tiles& tiles, const std::vector<std::string>& paths,
                                  const PortionOptions& options, Heartbeat& heart) = 0;
  virtual Portion look_on(const Tiles& tiles, const FringePaths& fringe, std::int64_t bound,
                          Heartbeat& heart) = 0;
  // std::logic_error without patterns.
  virtual Answers all_answers(const Tiles& tiles, std::int64_t length, std::size_t most,
                              Heartbeat& heart) = 0;
};

// All that they are given must outlive them.
std::unique_ptr<Searcher> searcher_by_manhattan(const Goal& goal);
std::unique_ptr<Searcher> searcher_by_walking(const WalkingDistance& walking);
// By tables of falls, or by those of larger boards.
std::unique_ptr<Searcher> searcher_by_falls(const Patterns& patterns, const MovePruning& pruning);
std::unique_ptr<Searcher> searcher_by_places(const Patterns& patterns, const MovePruning& pruning);

}  // namespace taquin
