// What the program's operations touch, and the races between operations that nothing orders.
//
// Every operation of a stream (a launch, a copy, a fill, a callback) is named by Order when the
// host enqueues it, and is performed at once; with a schedule, it is performed when somebody waits,
// in another order that the program allows. While it is performed, it says which bytes it touches.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../order/accesses.hpp"
#include "../order/order.hpp"
#include "../order/queue.hpp"
#include "report/host_place.hpp"

namespace bankproof::cuda {

/// Where the program enqueued an operation, and what the operation is: "cudaMemcpyAsync".
struct Enqueued {
  std::string what;
  HostCall call{};
};

/// Two operations on the same bytes that nothing orders.
struct StreamRace {
  Enqueued earlier;
  Enqueued later;
  bool earlier_writes = false;
  bool later_writes = false;
  std::uint64_t begin = 0;  // the bytes
  std::uint64_t end = 0;
};

/// The caller has one lock for all calls.
class Ordering {
 public:
  explicit Ordering(std::uint64_t schedule) : pending_(schedule), is_late_(schedule != 0) {}

  Order& order() { return order_; }
  /// The calling thread. It learns what the threads that called before it have waited for: threads
  /// of the host order themselves by means that the machine does not see, such as joins and locks,
  /// and are taken to have done so.
  Host host();
  /// Whether the program has used a stream beside the legacy default stream. Without one, no two
  /// operations of streams are unordered.
  bool has_streams() const { return has_streams_; }
  void use_streams() { has_streams_ = true; }

  /// Whether operations are performed when somebody waits for them, not when they are enqueued.
  bool is_late() const { return is_late_; }
  /// Performs the action as this operation, now or later. The action must not throw.
  void perform(const Operation& operation, Enqueued enqueued, std::function<void()> action);
  /// wait() lets other threads go on, where one of them has to finish an operation first.
  void set_wait(std::function<void()> wait) { pending_.set_wait(std::move(wait)); }
  /// Performs all that the calling thread has waited for.
  void perform_awaited();
  /// Performs all that happens before the operation.
  void perform_before(const Operation& operation) { pending_.run_until(operation.before); }
  void perform_all() { pending_.run_all(); }

  /// The operation that is being performed touches bytes.
  std::vector<StreamRace> touch(std::uint64_t begin, std::uint64_t end, AccessKind kind);
  /// The calling thread itself touches bytes, at this place; `what` is it, or its call.
  std::vector<StreamRace> touch_as_host(std::uint64_t begin, std::uint64_t end, AccessKind kind,
                                        const HostCall& call, const std::string& what = "the host");
  /// The operation that is being performed; there has to be one.
  Name current() const { return current_of_thread->operation.name; }
  /// Where the program enqueued it; null if no operation is being performed.
  const Enqueued* current_place() const {
    return current_of_thread ? &places_[current_of_thread->place] : nullptr;
  }
  /// Whether the calling thread has waited for the operation.
  bool has_waited_for(Name operation) { return order_.known(host()).knows(operation); }

 private:
  struct Performed {
    Operation operation;
    Place place = 0;
  };

  std::vector<StreamRace> touch_by(const Performed& performed, std::uint64_t begin,
                                   std::uint64_t end, AccessKind kind);

  Order order_;
  PendingOperations pending_;
  AccessHistory history_;
  std::vector<Enqueued> places_;
  static thread_local std::optional<Performed> current_of_thread;  // by this thread
  std::optional<Host> last_host_;                                  // the thread of the last call
  bool is_late_;
  bool has_streams_ = false;
  std::uint64_t begun_ = 0;
};

/// Addresses of the host, apart from those of devices.
constexpr std::uint64_t host_address(std::uint64_t address) {
  return address | std::uint64_t{1} << 63U;
}
constexpr bool is_host_address(std::uint64_t address) { return address >> 63U != 0; }

/// Textures and surfaces have addresses, too: a kernel reads those that it uses, and who destroys
/// one writes it.
constexpr std::uint64_t object_address(std::uint64_t handle) {
  return handle | std::uint64_t{1} << 62U;
}
constexpr bool is_object_address(std::uint64_t address) { return address >> 62U == 1; }

}  // namespace bankproof::cuda
