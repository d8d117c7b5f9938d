#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "heartbeat.h"

namespace taquin {

inline constexpr std::int64_t kMaxThreads = 256;

// Throws std::invalid_argument unless it is from 1 to kMaxThreads.
std::size_t checked_threads(std::int64_t threads);

// Worker threads beside the calling one. However the caller leaves, an exception from
// the hook included, the workers are told to halt and joined first.
class Crew {
 public:
  Crew(Heartbeat& heart, std::size_t workers, std::function<void(std::size_t)> work);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  // Keeps the heart beating until all are done, then throws what a worker threw.
  void join();

 private:
  void run(std::size_t worker);
  void join_threads();

  Heartbeat& heart_;
  const std::function<void(std::size_t)> work_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::size_t running_;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

// Does work(job, thread) for all jobs, on the calling thread, number 0, and others beside
// it. When the heart halts, no further job is begun.
void share_out(Heartbeat& heart, std::size_t threads, std::size_t jobs,
               const std::function<void(std::size_t job, std::size_t thread)>& work);

}  // namespace taquin
