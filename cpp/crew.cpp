#include "crew.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace taquin {

std::size_t checked_threads(std::int64_t threads) {
  if (threads < 1 || threads > kMaxThreads) {
    throw std::invalid_argument("threads must be 1 to " + std::to_string(kMaxThreads) + ", not " +
                                std::to_string(threads));
  }
  return static_cast<std::size_t>(threads);
}

Crew::Crew(Heartbeat& heart, std::size_t workers, std::function<void(std::size_t)> work)
    : heart_(heart), work_(std::move(work)), running_(workers) {
  threads_.reserve(workers);
  try {
    for (std::size_t i = 0; i < workers; ++i) threads_.emplace_back(&Crew::run, this, i);
  } catch (...) {
    heart_.finish();
    join_threads();
    throw;
  }
}

Crew::~Crew() {
  if (threads_.empty()) return;
  heart_.finish();
  join_threads();
}

void Crew::run(std::size_t worker) {
  std::exception_ptr error;
  try {
    work_(worker);
  } catch (...) {
    error = std::current_exception();
    heart_.finish();
  }
  const std::lock_guard lock(mutex_);
  if (error && !error_) error_ = error;
  if (--running_ == 0) done_.notify_one();
}

void Crew::join() {
  std::unique_lock lock(mutex_);
  while (running_ > 0) {
    // The system clock, because ThreadSanitizer does not see waits on the steady one.
    done_.wait_until(lock, std::chrono::system_clock::now() + std::chrono::milliseconds(10));
    lock.unlock();
    heart_.beat();
    lock.lock();
  }
  lock.unlock();
  join_threads();
  if (error_) std::rethrow_exception(error_);
}

void Crew::join_threads() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void share_out(Heartbeat& heart, std::size_t threads, std::size_t jobs,
               const std::function<void(std::size_t job, std::size_t thread)>& work) {
  std::atomic<std::size_t> next{0};
  const auto take_jobs = [&](std::size_t thread) {
    for (std::size_t job = next++; job < jobs && !heart.halted(); job = next++) work(job, thread);
  };
  const std::size_t helpers = std::min(threads, jobs) - std::min<std::size_t>(jobs, 1);
  Crew crew(heart, helpers, [&](std::size_t helper) { take_jobs(helper + 1); });
  take_jobs(0);
  crew.join();
}

}  // namespace taquin
