// The order of cuda/order/ and the oracle's graph side by side, and the streams that programs name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "../../../cuda/order/order.hpp"
#include "graph.hpp"
#include "program.hpp"

namespace bankproof::cuda::tests {

inline constexpr Host main_thread{0};
inline constexpr Device first_device{0};

inline Host host_of(int number) { return Host{static_cast<std::uint64_t>(number)}; }
inline Event event_of(int number) { return Event{static_cast<std::uint64_t>(number)}; }
inline Device device_of(int number) { return Device{static_cast<std::uint32_t>(number % 2)}; }

/// A stream's numbers in both.
struct InBoth {
  Stream stream{};
  std::size_t number = 0;
};

template <class AnyOrder>
class Both {
 public:
  AnyOrder order;
  ProgramGraph graph;

  Both() {
    create(0, 0, StreamKind::blocking, 0);
    create(1, 0, StreamKind::blocking, 0);
    create(2, 0, StreamKind::non_blocking, 0);
    create(3, 1, StreamKind::blocking, 0);
  }

 protected:
  /// Names 0 to 3 are of streams that programs create and destroy, 4 and 5 of legacy streams, 6 and
  /// 7 of the host's per-thread default streams.
  std::optional<InBoth> stream_of(std::size_t name, int host) {
    if (name < 4) {
      const auto found = created_.find(name);
      return found == created_.end() ? std::nullopt : std::optional(found->second);
    }
    const int device = static_cast<int>(name % 2);
    const bool legacy = name < 6;
    const std::pair key(legacy ? -1 : host, device);
    if (const auto found = default_.find(key); found != default_.end()) return found->second;
    const auto kind = legacy ? ProgramGraph::Kind::legacy : ProgramGraph::Kind::blocking;
    return default_[key] = {legacy ? order.legacy(device_of(device))
                                   : order.per_thread(host_of(host), device_of(device)),
                            graph.create(device, kind, host)};
  }

  void create(std::size_t name, int device, StreamKind kind, int host) {
    if (name >= 4 || created_.count(name) != 0) return;
    const auto same = kind == StreamKind::blocking ? ProgramGraph::Kind::blocking
                                                   : ProgramGraph::Kind::non_blocking;
    created_[name] = {order.create(device_of(device), kind, host_of(host)),
                      graph.create(device, same, host)};
  }

  void destroy(std::size_t name) {
    if (created_.count(name) == 0) return;
    order.destroy(created_[name].stream);
    created_.erase(name);
  }

  void pass(int from, int to) {
    order.passed(host_of(from), host_of(to));
    graph.passed(from, to);
  }

  void end(int host) {
    if (!graph.lives(host)) return;
    order.ended(host_of(host));
    graph.ended(host);
    for (const int device : {0, 1}) default_.erase({host, device});
  }

 private:
  std::map<std::size_t, InBoth> created_;
  std::map<std::pair<int, int>, InBoth> default_;
};

}  // namespace bankproof::cuda::tests
