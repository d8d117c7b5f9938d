#include "heartbeat.h"

#include <algorithm>
#include <utility>

namespace taquin {

namespace {

constexpr std::uint64_t kQuantum = 4096;

}  // namespace

Heartbeat::Heartbeat(Hook hook, std::optional<std::uint64_t> max_expanded,
                     std::chrono::milliseconds interval)
    : hook_(std::move(hook)),
      limited_(max_expanded.has_value()),
      interval_(interval),
      fuel_(max_expanded.value_or(0)) {}

void Heartbeat::set_bounds(std::int64_t bound, std::int64_t lower_bound) {
  bound_ = bound;
  lower_bound_ = lower_bound;
}

void Heartbeat::set_work(std::uint64_t work) {
  work_ = work;
  work_done_ = 0;
}

double Heartbeat::share() const {
  return work_ == 0 ? 0.0 : static_cast<double>(work_done_) / static_cast<double>(work_);
}

void Heartbeat::beat() {
  if (!hook_ || halted()) return;
  const auto now = Clock::now();
  if (now < next_beat_) return;
  if (hook_({expanded(), generated(), bound_, lower_bound_, share()})) halt(State::stopped);
  next_beat_ = Clock::now() + interval_;
}

void Heartbeat::beat_or_stop() {
  beat();
  if (halted()) throw Stopped("it was not wanted any more");
}

// The first reason to halt is the one that counts.
void Heartbeat::halt(State state) {
  State running = State::running;
  state_.compare_exchange_strong(running, state);
}

// Close to the limit the portions shrink, so that no thread sits on fuel which
// another one lacks.
std::uint64_t Heartbeat::take_fuel() {
  if (!limited_) return kQuantum;
  std::uint64_t left = fuel_.load();
  std::uint64_t portion = 0;
  do {
    if (left == 0) {
      halt(State::limit);
      return 0;
    }
    portion = std::clamp<std::uint64_t>(left / 8, 1, kQuantum);
  } while (!fuel_.compare_exchange_weak(left, left - portion));
  return portion;
}

void Heartbeat::settle(std::uint64_t expanded, std::uint64_t generated, std::uint64_t unused) {
  expanded_ += expanded;
  generated_ += generated;
  if (limited_) fuel_ += unused;
}

void Pulse::settle() {
  expanded_ += granted_ - fuel_;
  heart_.settle(granted_ - fuel_, generated_, fuel_);
  fuel_ = granted_ = generated_ = 0;
}

bool Pulse::refuel() {
  settle();
  if (role_ == Role::caller) heart_.beat();
  if (heart_.halted()) return false;
  fuel_ = granted_ = heart_.take_fuel();
  return fuel_ > 0;
}

}  // namespace taquin
