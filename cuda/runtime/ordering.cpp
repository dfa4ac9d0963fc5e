// See ordering.hpp.
#include "ordering.hpp"

#include <atomic>
#include <utility>

namespace bankproof::cuda {

thread_local std::optional<Ordering::Performed> Ordering::current_of_thread;

Host Ordering::host() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const Host mine{threads++};
  if (last_host_ && *last_host_ != mine) order_.passed(*last_host_, mine);
  last_host_ = mine;
  return mine;
}

void Ordering::perform(const Operation& operation, Enqueued enqueued,
                       std::function<void()> action) {
  const Place place = places_.size();
  places_.push_back(std::move(enqueued));
  pending_.add(operation, [operation, place, action = std::move(action)] {
    const auto outer = std::exchange(current_of_thread, Performed{operation, place});
    action();
    current_of_thread = outer;
  });
  // What is known to all can race with nothing any more.
  constexpr std::uint64_t between = 256;
  if (++begun_ % between == 0) history_.forget(pending_.known_to_all(order_.known_to_all()));
}

void Ordering::perform_awaited() { pending_.run_until(order_.known(host())); }

std::vector<StreamRace> Ordering::touch(std::uint64_t begin, std::uint64_t end, AccessKind kind) {
  return current_of_thread ? touch_by(*current_of_thread, begin, end, kind)
                           : std::vector<StreamRace>();
}

std::vector<StreamRace> Ordering::touch_as_host(std::uint64_t begin, std::uint64_t end,
                                                AccessKind kind, const HostCall& call,
                                                const std::string& what) {
  places_.push_back({what, call});
  return touch_by({order_.host_operation(host()), places_.size() - 1}, begin, end, kind);
}

std::vector<StreamRace> Ordering::touch_by(const Performed& performed, std::uint64_t begin,
                                           std::uint64_t end, AccessKind kind) {
  std::vector<StreamRace> races;
  for (const Conflict& conflict :
       history_.add(performed.operation, begin, end, kind, performed.place)) {
    races.push_back({.earlier = places_[conflict.earlier.place],
                     .later = places_[performed.place],
                     .earlier_writes = conflict.earlier.kind != AccessKind::read,
                     .later_writes = kind != AccessKind::read,
                     .begin = conflict.begin,
                     .end = conflict.end});
  }
  return races;
}

}  // namespace bankproof::cuda
