#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fringe.h"
#include "heartbeat.h"
#include "wide_givens.h"
#include "wide_search.h"

namespace taquin::wide {

inline constexpr std::size_t kBatch = 32;  // boards that are expanded together

// The boards of a wide search that are still to be expanded. Who derives from it expands them.
class Core {
 public:
  Core(const Patterns& patterns, const MovePruning& pruning) : givens_(patterns, pruning) {}
  virtual ~Core() = default;

  void begin(std::int64_t bound, std::size_t numbers);
  void add(const WideSearch::Board& board) { push(node_for(board), brief_for(board)); }
  void add(const std::uint8_t* note);
  void keep(const WideSearch::Board& board, Fringe& fringe) const {
    keep(node_for(board), brief_for(board), fringe);
  }
  virtual WideSearch::Outcome run(Pulse& pulse, Fringe& fringe) = 0;
  const std::vector<std::uint64_t>& sampled() const { return sampled_; }
  std::vector<std::uint8_t> path() const { return way_to(nodes_[node_of(found_)], found_); }
  std::vector<std::vector<std::uint8_t>> left() const;

 protected:
  // Within the next bound both partitions may grow once more.
  void keep(const Node& node, Brief brief, Fringe& fringe) const;
  // For all children of a batch.
  void make_room();

  const Givens givens_;
  std::int64_t bound_ = 0;
  std::vector<Node> nodes_;
  std::vector<Brief> stack_;  // as many of them as `size_` tells
  std::size_t size_ = 0;
  std::vector<std::uint16_t> free_;  // numbers of nodes
  std::size_t free_size_ = 0;
  Brief found_ = 0;
  std::vector<std::uint64_t> sampled_;  // by numbers

 private:
  Node node_for(const WideSearch::Board& board) const;
  Brief brief_for(const WideSearch::Board& board) const;
  void push(const Node& node, Brief brief);
};

// With registers that hold the lanes of one board, or of two.
std::unique_ptr<Core> core_by_one(const Patterns& patterns, const MovePruning& pruning);
std::unique_ptr<Core> core_by_two(const Patterns& patterns, const MovePruning& pruning);

}  // namespace taquin::wide
