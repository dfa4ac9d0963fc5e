// The faults of a kernel, with the instructions that cause them, and the names of the faults that a
// whole program can have.
//
// All cases with the same kind and the same pair of instructions are one fault. Its report has the
// number of cases, and the first case as an example. The first case is the first by launch, block
// and thread, not by the order in which this machine happened to run them, so that each run gives
// the same report.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace bankproof::ptx {

enum class FaultKind : std::uint8_t {
  race,
  out_of_bounds,
  misaligned,
  uninitialized,
  barrier_divergence,
  deadlock,
  inactive_lane,     // a shuffle reads a lane that takes no part; a matrix instruction lacks a lane
  colliding_writes,  // lanes of one store write different values to one place
  trap,
  instruction_limit,  // the launch executed more instructions than its limit
  // Faults of a program's calls of CUDA; a launch alone can have none of these but a double_free.
  use_after_free,
  double_free,
  invalid_copy,     // beyond either side, or in the wrong direction
  leak,             // memory that is not freed when the program ends
  unchecked_error,  // a call failed, the program never looked, and went on
};
inline constexpr int fault_kind_count = static_cast<int>(FaultKind::unchecked_error) + 1;

/// The name in reports: "out_of_bounds".
constexpr std::string_view name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::race:
      return "race";
    case FaultKind::out_of_bounds:
      return "out_of_bounds";
    case FaultKind::misaligned:
      return "misaligned";
    case FaultKind::uninitialized:
      return "uninitialized";
    case FaultKind::barrier_divergence:
      return "barrier_divergence";
    case FaultKind::deadlock:
      return "deadlock";
    case FaultKind::inactive_lane:
      return "inactive_lane";
    case FaultKind::colliding_writes:
      return "colliding_writes";
    case FaultKind::trap:
      return "trap";
    case FaultKind::instruction_limit:
      return "instruction_limit";
    case FaultKind::use_after_free:
      return "use_after_free";
    case FaultKind::double_free:
      return "double_free";
    case FaultKind::invalid_copy:
      return "invalid_copy";
    case FaultKind::leak:
      return "leak";
    case FaultKind::unchecked_error:
      break;
  }
  return "unchecked_error";
}

inline constexpr std::uint32_t no_site = ~std::uint32_t{0};

/// A thread of a launch.
struct ThreadName {
  std::uint32_t launch = 0;
  std::uint64_t block = 0;   // linear: x fastest
  std::uint32_t thread = 0;  // linear in its block
  auto operator<=>(const ThreadName&) const = default;
};

struct Fault {
  FaultKind kind = FaultKind::race;
  std::uint32_t site = no_site;
  // For a race: the other access, if known. For an access to freed memory of the heap, and for
  // double_free: where this launch has freed it.
  std::uint32_t other_site = no_site;
  ThreadName thread;
  std::string message;      // one line without place: "read of `tile`, 4 bytes behind its end"
  std::uint64_t count = 1;  // number of cases
};

/// The faults of a run. Not thread-safe: each worker fills its own log, and the logs are joined.
class FaultLog {
 public:
  /// Calls `message()`, which returns a string, only if this case precedes all cases that were
  /// added before.
  template <class Message>
  void add(FaultKind kind, std::uint32_t site, std::uint32_t other_site, const ThreadName& thread,
           const Message& message) {
    const Key key{kind, site, other_site};
    const auto [found, is_new] = faults_.try_emplace(key);
    Fault& fault = found->second;
    if (is_new || thread < fault.thread) {
      const std::uint64_t count = is_new ? 0 : fault.count;
      fault = Fault{kind, site, other_site, thread, message(), count};
    }
    ++fault.count;
  }

  void join(const FaultLog& other) {
    for (const auto& [key, fault] : other.faults_) {
      const auto [found, is_new] = faults_.try_emplace(key, fault);
      if (is_new) continue;
      const std::uint64_t count = found->second.count + fault.count;
      if (fault.thread < found->second.thread) found->second = fault;
      found->second.count = count;
    }
  }

  bool empty() const { return faults_.empty(); }

  using Key = std::tuple<FaultKind, std::uint32_t, std::uint32_t>;
  const std::map<Key, Fault>& all() const { return faults_; }

 private:
  std::map<Key, Fault> faults_;
};

}  // namespace bankproof::ptx
