#include "checkpoint.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace taquin {

Checkpoint::Checkpoint(std::int64_t bound, std::vector<std::uint8_t> done,
                       std::vector<std::uint64_t> sizes, std::vector<std::uint64_t> found,
                       std::vector<std::size_t> order, FringePaths fringe)
    : bound_(bound),
      done_(std::move(done)),
      sizes_(std::move(sizes)),
      found_(std::move(found)),
      fringes_{{kBefore, std::move(fringe)}} {
  if (sizes_.size() != done_.size()) sizes_.assign(done_.size(), 1);
  if (found_.size() != done_.size()) found_.assign(done_.size(), 0);
  take(std::move(order));
}

void Checkpoint::take(std::vector<std::size_t> order) {
  for (const std::size_t root : order) {
    if (root >= done_.size()) {
      throw std::invalid_argument("the checkpoint has no root " + std::to_string(root));
    }
  }
  order_ = std::move(order);
}

std::int64_t Checkpoint::bound() const {
  const std::lock_guard lock(mutex_);
  return bound_;
}

std::vector<std::uint8_t> Checkpoint::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::vector<std::uint64_t> Checkpoint::sizes() const {
  const std::lock_guard lock(mutex_);
  return sizes_;
}

std::vector<std::uint64_t> Checkpoint::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

std::vector<std::size_t> Checkpoint::order() const {
  const std::lock_guard lock(mutex_);
  return order_;
}

std::int64_t Checkpoint::open(std::size_t roots, std::int64_t lower_bound, std::uint64_t expanded) {
  const std::lock_guard lock(mutex_);
  if (!done_.empty() && done_.size() != roots) {
    throw std::invalid_argument("the checkpoint is of a search with " +
                                std::to_string(done_.size()) + " roots, this one has " +
                                std::to_string(roots));
  }
  // What was done within a lower bound says nothing about a higher one.
  if (bound_ < lower_bound) {
    done_.clear();
    found_.clear();
    order_.clear();
    fringes_.clear();
  }
  done_.resize(roots);
  found_.resize(roots);
  sizes_.resize(roots, 1 + expanded / std::max<std::size_t>(roots, 1));
  bound_ = std::max(bound_, lower_bound);
  fringes_ = {{kBefore, nearest()}};
  return bound_;
}

void Checkpoint::begin(std::int64_t bound, std::vector<std::size_t> order) {
  const std::lock_guard lock(mutex_);
  take(std::move(order));
  // Those of which nothing is known are taken to have grown as the rest did.
  double before = 0;
  double after = 0;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i] > 0) before += static_cast<double>(sizes_[i]);
    after += static_cast<double>(found_[i]);
  }
  const double growth = before > 0 ? after / before : 1.0;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto grown = static_cast<std::uint64_t>(growth * static_cast<double>(sizes_[i]));
    sizes_[i] = std::max<std::uint64_t>(1, found_[i] > 0 ? found_[i] : grown);
  }
  bound_ = bound;
  fringes_.clear();
  std::fill(done_.begin(), done_.end(), std::uint8_t{0});
  std::fill(found_.begin(), found_.end(), std::uint64_t{0});
}

void Checkpoint::finish(std::size_t root, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  done_.at(root) = 1;
  found_.at(root) = std::max<std::uint64_t>(size, 1);
}

bool Checkpoint::is_done(std::size_t root) const {
  const std::lock_guard lock(mutex_);
  return done_[root] != 0;
}

void Checkpoint::keep(std::size_t thread, FringePaths fringe) {
  const std::lock_guard lock(mutex_);
  fringes_[thread] = std::move(fringe);
}

FringePaths Checkpoint::fringe() const {
  const std::lock_guard lock(mutex_);
  return nearest();
}

FringePaths Checkpoint::nearest() const {
  FringePaths all;
  std::size_t left = kMostBoards;
  for (std::int64_t h = 1; h < bound_ + 2 && left > 0; ++h) {
    const auto moves = static_cast<std::size_t>(bound_ + 2 - h);
    for (const auto& [thread, fringe] : fringes_) {
      const auto same = fringe.find(h);
      if (same == fringe.end()) continue;
      const std::size_t count = std::min(left, same->second.size() / moves);
      const auto begin = same->second.begin();
      all[h].insert(all[h].end(), begin, begin + static_cast<std::ptrdiff_t>(count * moves));
      left -= count;
    }
  }
  return all;
}

}  // namespace taquin
