#include <chrono>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "heartbeat.h"
#include "idastar.h"

using namespace taquin;

namespace {

// Takes minutes with the Manhattan distance: Korf's instance 88.
const Goal kGoal(4, 4, 0);
const Tiles kHard{15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4};

void the_limit_is_exact() {
  for (const std::uint64_t limit : {1U, 2U, 1000U, 4096U, 100'003U}) {
    for (const int threads : {1, 2, 4}) {
      Heartbeat heart({}, limit);
      const Report report = idastar(kGoal, kHard, {}, {1.0, threads}, heart);
      CHECK(!report.moves && report.limit_reached);
      CHECK(threads == 1 ? report.expanded == limit : report.expanded <= limit);
      CHECK(report.lower_bound > 0);
    }
  }
}

void the_hook_runs_in_the_calling_thread_and_stops(int threads) {
  const auto caller = std::this_thread::get_id();
  int beats = 0;
  Progress last;
  Heartbeat heart([&](const Progress& progress) {
    CHECK(std::this_thread::get_id() == caller);
    CHECK(progress.expanded >= last.expanded);
    CHECK(progress.lower_bound >= last.lower_bound);
    last = progress;
    return ++beats == 3;
  });
  const Report report = idastar(kGoal, kHard, {}, {1.0, threads}, heart);
  CHECK(!report.moves && !report.limit_reached);
  CHECK(beats == 3);
  CHECK(last.bound == last.lower_bound && report.lower_bound >= last.lower_bound);
}

void a_hook_that_said_stop_is_left_alone() {
  int beats = 0;
  Heartbeat heart([&](const Progress&) { return ++beats > 0; });
  heart.beat();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  heart.beat();
  CHECK(beats == 1 && heart.halted());
}

void an_exception_comes_out(int threads) {
  int beats = 0;
  Heartbeat heart([&](const Progress&) -> bool {
    if (++beats == 3) throw std::domain_error("from the hook");
    return false;
  });
  CHECK_THROWS(std::domain_error, idastar(kGoal, kHard, {}, {1.0, threads}, heart));
}

void the_first_reason_counts() {
  Heartbeat heart({}, 1);
  heart.finish();
  Pulse pulse(heart);
  CHECK(!pulse.tick(1));
  CHECK(!heart.limit_reached());
}

void unused_fuel_goes_back() {
  Heartbeat heart({}, 100);
  for (int i = 0; i < 100; ++i) CHECK(Pulse(heart).tick(2));
  CHECK(!Pulse(heart).tick(2));
  CHECK(heart.expanded() == 100 && heart.generated() == 200);
}

}  // namespace

int main() {
  the_limit_is_exact();
  for (const int threads : {1, 2, 4}) {
    the_hook_runs_in_the_calling_thread_and_stops(threads);
    an_exception_comes_out(threads);
  }
  a_hook_that_said_stop_is_left_alone();
  the_first_reason_counts();
  unused_fuel_goes_back();
}
