// Each pending operation counts the pending ones that it waits for, and those know that it waits.
#include "queue.hpp"

#include <iterator>
#include <limits>
#include <utility>

namespace bankproof::cuda {

void PendingOperations::set_schedule(std::uint64_t schedule) {
  run_all();
  schedule_ = schedule;
  random_.seed(schedule);
}

/// The first pending operation of the next timeline.
PendingOperations::ByName::const_iterator PendingOperations::next_timeline(
    ByName::const_iterator at) const {
  return pending_.upper_bound({at->first.timeline, std::numeric_limits<std::uint64_t>::max()});
}

/// The operation waits for the last pending one that it knows on each timeline; that one waits for
/// the others of its timeline.
void PendingOperations::add(const Operation& operation, std::function<void()> action) {
  Pending added{operation.before, std::move(action), 0, {}};
  for (auto at = pending_.cbegin(); at != pending_.cend(); at = next_timeline(at)) {
    const Timeline timeline = at->first.timeline;
    auto last = pending_.upper_bound({timeline, operation.before.count(timeline)});
    if (last == pending_.begin()) continue;
    --last;
    if (last->first.timeline != timeline || !waits_for(operation, last->first)) continue;
    last->second.later.push_back(operation.name);
    ++added.awaited;
  }
  const bool is_ready = added.awaited == 0;
  pending_.emplace(operation.name, std::move(added));
  if (!is_ready) return;
  if (schedule_ == 0) {
    run(operation.name);
  } else {
    ready_.push_back(operation.name);
  }
}

std::size_t PendingOperations::pending_in(const Clock& clock) const {
  std::size_t known = 0;
  for (auto at = pending_.cbegin(); at != pending_.cend(); at = next_timeline(at)) {
    const Timeline timeline = at->first.timeline;
    for (auto of = at; of != pending_.cend() && of->first.timeline == timeline; ++of) {
      if (!clock.knows(of->first)) break;
      ++known;
    }
  }
  return known;
}

Name PendingOperations::draw() {
  Name& drawn = ready_[random_() % ready_.size()];
  std::swap(drawn, ready_.back());
  const Name name = ready_.back();
  ready_.pop_back();
  return name;
}

void PendingOperations::run_one(Name name) {
  // Until the action has ended, the operation is pending.
  pending_.at(name).action();
  const auto node = pending_.extract(name);
  ++executed_;
  for (const Name later : node.mapped().later) {
    if (--pending_.at(later).awaited == 0) ready_.push_back(later);
  }
}

void PendingOperations::run(Name name) {
  run_one(name);
  while (schedule_ == 0 && !ready_.empty()) run_one(draw());
}

void PendingOperations::run_until(const Clock& clock) {
  std::size_t left = pending_in(clock);
  while (left > 0) {
    const std::uint64_t before = executed_;
    if (ready_.empty()) {
      wait_();
    } else {
      const Name name = draw();
      run(name);
      if (executed_ == before + 1) {
        if (clock.knows(name)) --left;
        continue;
      }
    }
    left = pending_in(clock);  // others were executed, too
  }
}

void PendingOperations::run_all() {
  while (!pending_.empty()) {
    if (ready_.empty()) {
      wait_();
    } else {
      run(draw());
    }
  }
}

Clock PendingOperations::known_to_all(Clock known_to_later) const {
  for (const auto& [name, operation] : pending_) known_to_later.meet(operation.before);
  return known_to_later;
}

}  // namespace bankproof::cuda
