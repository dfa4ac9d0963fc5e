// Executes calls of the device's library: printf, whose arguments follow each other, each aligned
// to its size of 4 or 8 bytes; failed assertions; and the heap (../memory/allocations.hpp).
#include "library.hpp"

#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "../isa/print_format.hpp"
#include "../memory/allocations.hpp"
#include "block_run.hpp"
#include "call_values.hpp"
#include "control.hpp"
#include "device_runtime.hpp"

namespace bankproof::ptx {

namespace {

/// The text at an address up to its zero byte, as one lane sees it.
std::string text_at(const Warp& warp, std::uint32_t lane, std::uint64_t address) {
  const auto bytes = bytes_from(warp, lane, address);
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(all.substr(0, all.find('\0')));
}

const Op* print_formatted(WarpState& state, const Op* op, const CallOperands& call) {
  const Warp& warp = warp_of(state);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    const auto format = value_in<std::uint64_t>(warp, call.arguments[0], lane);
    const auto arguments = value_in<std::uint64_t>(warp, call.arguments[1], lane);
    Formatted printed =
        formatted(text_at(warp, lane, format), bytes_from(warp, lane, arguments),
                  [&](std::uint64_t address) { return text_at(warp, lane, address); });
    warp.run->print(std::move(printed.text));
    set_value(warp, call.results[0], lane, printed.arguments);
  });
  return op + 1;
}

const Op* fail_assertion(WarpState& state, const Op* op, const CallOperands& call) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(state, op);
  if (lanes == 0) return op + 1;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const auto text = [&](std::size_t argument) {
    return text_at(warp, lane, value_in<std::uint64_t>(warp, call.arguments[argument], lane));
  };
  warp.run->stop(op, warp, lanes, [&] {
    return "assertion failed: " + text(0) + " (" + text(1) + ":" +
           std::to_string(value_in<std::uint32_t>(warp, call.arguments[2], lane)) + ", " + text(3) +
           ")";
  });
  return nullptr;
}

const Op* allocate_memory(WarpState& state, const Op* op, const CallOperands& call) {
  Warp& warp = warp_of(state);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    const std::uint64_t address =
        allocate(warp, value_in<std::uint64_t>(warp, call.arguments[0], lane));
    set_value(warp, call.results[0], lane, address);
  });
  return op + 1;
}

const Op* free_memory(WarpState& state, const Op* op, const CallOperands& call) {
  Warp& warp = warp_of(state);
  LaneMask strangers = 0;
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    const auto address = value_in<std::uint64_t>(warp, call.arguments[0], lane);
    if (!free_allocation(warp, op->site, lane, address)) strangers |= LaneMask{1} << lane;
  });
  if (strangers == 0) return op + 1;
  warp.run->stop(op, warp, strangers,
                 [] { return std::string("frees memory that malloc() did not give"); });
  return nullptr;
}

}  // namespace

bool allocates(std::string_view name) {
  return name == "malloc" || name == "__cuda_syscall_aligned_malloc" || name.starts_with("_Znw") ||
         name.starts_with("_Zna");
}

bool frees(std::string_view name) {
  return name == "free" || name.starts_with("_Zdl") || name.starts_with("_Zda");
}

bool is_of_library(std::string_view name) {
  return name == "vprintf" || name == "__assertfail" || allocates(name) || frees(name) ||
         device_function(name) != nullptr || !why_no_device_function(name).empty();
}

constinit const StepWith<CallOperands> print_step = handled_by<print_formatted>;
constinit const StepWith<CallOperands> assert_step = handled_by<fail_assertion>;
constinit const StepWith<CallOperands> malloc_step = handled_by<allocate_memory>;
constinit const StepWith<CallOperands> free_step = handled_by<free_memory>;

}  // namespace bankproof::ptx
