#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>

namespace taquin {

struct Progress {
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::int64_t bound = 0;
  std::int64_t lower_bound = 0;
  double share = 0;  // of the work on this bound that is done, as far as that is known
};

// Returns true to stop the run. It may throw; the exception leaves the native call.
using Hook = std::function<bool(const Progress&)>;

// Thrown where a stopped run has nothing to give back, such as half a table.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The one channel between a run and its caller: progress, cancel and the limit of
// expansions. Threads count through a Pulse each; only the thread that made the call
// runs the hook, because only there can Python look at its signals.
class Heartbeat {
 public:
  explicit Heartbeat(Hook hook = {}, std::optional<std::uint64_t> max_expanded = {},
                     std::chrono::milliseconds interval = std::chrono::milliseconds(50));

  void set_bounds(std::int64_t bound, std::int64_t lower_bound);
  // Runs the hook if it is due, and never again once there was a reason to halt. Only for the
  // calling thread.
  void beat();
  // The same where there is nothing to give back; throws Stopped when that was a reason to halt.
  void beat_or_stop();
  // Counts work that is done in bulk, which no limit of expansions holds up.
  void count(std::uint64_t expanded) { expanded_ += expanded; }
  // What the work on a bound consists of, and that some of it is done.
  void set_work(std::uint64_t work);
  void work_done(std::uint64_t work) { work_done_ += work; }
  // Tells all threads that the work is done.
  void finish() { halt(State::finished); }

  bool halted() const { return state_.load(std::memory_order_relaxed) != State::running; }
  bool limit_reached() const { return state_.load() == State::limit; }
  std::uint64_t expanded() const { return expanded_.load(); }
  std::uint64_t generated() const { return generated_.load(); }

 private:
  friend class Pulse;
  using Clock = std::chrono::steady_clock;
  enum class State { running, finished, stopped, limit };

  void halt(State state);
  double share() const;
  std::uint64_t take_fuel();
  void settle(std::uint64_t expanded, std::uint64_t generated, std::uint64_t unused);

  const Hook hook_;
  const bool limited_;
  const std::chrono::milliseconds interval_;  // of the beats
  std::atomic<std::uint64_t> fuel_;
  std::atomic<std::uint64_t> expanded_{0};
  std::atomic<std::uint64_t> generated_{0};
  std::atomic<std::uint64_t> work_done_{0};
  std::atomic<State> state_{State::running};
  std::uint64_t work_ = 0;
  std::int64_t bound_ = 0;
  std::int64_t lower_bound_ = 0;
  Clock::time_point next_beat_{};
};

// One thread's counter. Expansions are paid with fuel that is fetched in bulk, so
// the shared counters and the clock are touched once in a few thousand ticks.
class Pulse {
 public:
  enum class Role { caller, worker };

  explicit Pulse(Heartbeat& heart, Role role = Role::caller) : heart_(heart), role_(role) {}
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;
  ~Pulse() { settle(); }

  // Before each expansion; false means that it must not happen.
  [[gnu::always_inline]] bool tick(unsigned children) {
    if (fuel_ == 0 && !refuel()) return false;
    --fuel_;
    generated_ += children;
    return true;
  }

  // Before several expansions: how many of them may happen, none if it is to stop.
  std::uint64_t ticks(std::uint64_t wanted) {
    if (fuel_ == 0 && !refuel()) return 0;
    const std::uint64_t granted = std::min(fuel_, wanted);
    fuel_ -= granted;
    return granted;
  }

  // Between expansions that take long: whether the search is still wanted.
  bool look() {
    if (role_ == Role::caller) heart_.beat();
    return !heart_.halted();
  }

  void generate(std::uint64_t children = 1) { generated_ += children; }
  // By this thread, in all.
  std::uint64_t expanded() const { return expanded_ + granted_ - fuel_; }
  // Brings the shared counters up to date.
  void settle();

 private:
  bool refuel();

  Heartbeat& heart_;
  const Role role_;
  std::uint64_t fuel_ = 0;
  std::uint64_t granted_ = 0;
  std::uint64_t expanded_ = 0;  // before the last settling
  std::uint64_t generated_ = 0;
};

}  // namespace taquin
