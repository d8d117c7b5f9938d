#include "checkpoint.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace taquin {

Checkpoint::Checkpoint(std::int64_t bound, std::vector<std::uint8_t> done)
    : bound_(bound), done_(std::move(done)) {}

std::int64_t Checkpoint::bound() const {
  const std::lock_guard lock(mutex_);
  return bound_;
}

std::vector<std::uint8_t> Checkpoint::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::int64_t Checkpoint::open(std::size_t roots, std::int64_t lower_bound) {
  const std::lock_guard lock(mutex_);
  if (!done_.empty() && done_.size() != roots) {
    throw std::invalid_argument("the checkpoint is of a search with " +
                                std::to_string(done_.size()) + " roots, this one has " +
                                std::to_string(roots));
  }
  // What was done within a lower bound says nothing about a higher one.
  if (bound_ < lower_bound) done_.clear();
  done_.resize(roots);
  bound_ = std::max(bound_, lower_bound);
  return bound_;
}

void Checkpoint::begin(std::int64_t bound) {
  const std::lock_guard lock(mutex_);
  bound_ = bound;
  std::fill(done_.begin(), done_.end(), std::uint8_t{0});
}

void Checkpoint::finish(std::size_t root) {
  const std::lock_guard lock(mutex_);
  done_[root] = 1;
}

bool Checkpoint::is_done(std::size_t root) const {
  const std::lock_guard lock(mutex_);
  return done_[root] != 0;
}

}  // namespace taquin
