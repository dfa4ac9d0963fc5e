// Atomic operations, one lane after the other (PTX ISA, "Parallel Synchronization and Communication
// Instructions: atom").
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>

#include "../alu/row.hpp"
#include "mbarrier.hpp"
#include "request.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint32_t widest = 16;
using Element = std::array<std::byte, widest>;

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
T integer_result(AtomicOperation operation, T old, T operand) {
  using Unsigned = std::make_unsigned_t<T>;
  switch (operation) {
    case AtomicOperation::add:
      return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(operand));
    case AtomicOperation::minimum:
      return std::min(old, operand);
    case AtomicOperation::maximum:
      return std::max(old, operand);
    case AtomicOperation::bit_and:
      return old & operand;
    case AtomicOperation::bit_or:
      return old | operand;
    case AtomicOperation::bit_xor:
      return old ^ operand;
    case AtomicOperation::increment:
      return old >= operand ? 0 : static_cast<T>(old + 1);
    case AtomicOperation::decrement:
      return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    default:
      return operand;  // exchange
  }
}

/// Adds floating-point numbers by the row of the instruction add, so that even the bits of a NaN
/// are those of add. In global memory, atom.add.f32 treats subnormal numbers as zeros.
class Sum {
 public:
  Sum(const Access& access, bool global, Scratch* scratch) : row_(row_of(access, global)) {
    warp_.frame = frame_.data();
    warp_.scratch = scratch;
    warp_.activate(all_lanes);
    op_.d[0] = 0;
    op_.s[0] = slot;
    op_.s[1] = 2 * slot;
  }

  /// The sum of the numbers at `old` and `operand`, which have `bytes` bytes each.
  Element of(const std::byte* old, const std::byte* operand, std::uint32_t bytes) {
    std::memcpy(frame_.data() + slot, old, bytes);
    std::memcpy(frame_.data() + std::size_t{2} * slot, operand, bytes);
    row_.step(warp_, &op_);
    Element result{};
    std::memcpy(result.data(), frame_.data(), bytes);
    return result;
  }

 private:
  static const Row& row_of(const Access& access, bool global) {
    static const std::array<const Row*, 7> sums = {
        find_row("add.rn.f16"),    find_row("add.rn.f16x2"), find_row("add.rn.bf16"),
        find_row("add.rn.bf16x2"), find_row("add.rn.f32"),   find_row("add.rn.ftz.f32"),
        find_row("add.rn.f64")};
    if (access.number == Number::bfloat) return *sums[access.packed ? 3 : 2];
    if (access.packed || access.element_bytes == 2) return *sums[access.packed ? 1 : 0];
    if (access.element_bytes == 4) return *sums[global ? 5 : 4];
    return *sums[6];
  }

  static constexpr Slot slot = slot_bytes(LaneType::b64);  // no lane is wider
  const Row& row_;
  // A frame of three slots, of which only the first lane is used.
  alignas(slot_alignment) std::array<std::byte, std::size_t{3} * slot> frame_{};
  WarpState warp_;
  Op op_;
};

template <class T>
void put(Element& element, T value) {
  std::memcpy(element.data(), &value, sizeof value);
}

/// The value that replaces `old`. `old` and `operand` have the size of an element.
Element result_of(const Access& access, const std::byte* old, const std::byte* operand) {
  const std::uint32_t bytes = access.element_bytes;
  Element result{};
  const auto integers = [&]<class T>(T /*type*/) {
    put(result, integer_result<T>(access.atomic, read<T>(old), read<T>(operand)));
  };
  if (access.atomic == AtomicOperation::exchange) {
    std::memcpy(result.data(), operand, bytes);
  } else if (access.atomic == AtomicOperation::arrive ||
             access.atomic == AtomicOperation::arrive_and_drop) {
    put(result, after_arrivals(read<std::uint64_t>(old), read<std::uint64_t>(operand),
                               access.atomic == AtomicOperation::arrive_and_drop));
  } else if (access.number == Number::signed_integer) {
    bytes == 8 ? integers(std::int64_t{}) : integers(std::int32_t{});
  } else {
    bytes == 8 ? integers(std::uint64_t{}) : integers(std::uint32_t{});
  }
  return result;
}

}  // namespace

namespace {

/// Calls operate(lane), which returns whether a byte has changed, for one lane after the other. If
/// there are several workers, no other worker has an atomic operation on the page meanwhile.
template <class Operate>
void in_turn(const Request& request, const Memory& memory, const Operate& operate) {
  LaunchMemory& launch = *request.warp.launch;
  std::uint64_t changes = 0;
  each_lane(request.lanes, [&](std::uint32_t lane) {
    std::unique_lock<PageLock> lock;
    if (launch.several && memory.buffer != nullptr) {
      const std::uint64_t page = request.at[lane] / GlobalMemory::page_bytes;
      lock = std::unique_lock(launch.lock_of(memory.index, page));
    }
    changes += operate(lane) ? 1U : 0U;
  });
  request.warp.worker->changes += changes;
}

/// Whether the host's sum of these numbers, which is the exact sum rounded once, is the sum of the
/// instruction: all NaN of an instruction have the same bits, and subnormal numbers may count as
/// zeros.
template <class Number>
bool is_plain(Number a, Number b, Number sum) {
  const auto plain = [](Number x) { return x == 0 || std::isnormal(x); };
  return plain(a) && plain(b) && plain(sum);
}

/// The operations of elements that are one number of type Number. `result(old, operand)` returns
/// the new number.
template <class Number, class Result>
void operate_on_numbers(const Request& request, const Memory& memory, const std::byte* operands,
                        const Result& result) {
  in_turn(request, memory, [&](std::uint32_t lane) {
    std::byte* const at = memory.storage.data + request.at[lane];
    const auto old = read<Number>(at);
    const Number after = result(old, read<Number>(operands + lane * sizeof(Number)));
    std::memcpy(value_of(request.values, lane, sizeof old), &old, sizeof old);
    std::memcpy(at, &after, sizeof after);
    using Bits = std::conditional_t<sizeof old == 8, std::uint64_t, std::uint32_t>;
    return std::bit_cast<Bits>(old) != std::bit_cast<Bits>(after);
  });
}

/// Performs usual operations: on single integers of 4 or 8 bytes, and sums of f32 and f64. Returns
/// false for all others.
bool perform_usual(const Request& request, const Memory& memory, const std::byte* operands) {
  const Access& access = request.operands.access;
  const bool wide = access.element_bytes == 8;
  if (access.vector != 1 || access.packed || (access.element_bytes != 4 && !wide) ||
      lane_bytes(request.operands.type) != access.element_bytes)
    return false;
  const auto integers = [&]<class T>(T /*type*/) {
    operate_on_numbers<T>(request, memory, operands, [&](T old, T operand) {
      return integer_result<T>(access.atomic, old, operand);
    });
    return true;
  };
  const auto sums = [&]<class T>(T /*type*/) {
    std::optional<Sum> exact;
    operate_on_numbers<T>(request, memory, operands, [&](T old, T operand) {
      const T sum = old + operand;
      if (is_plain(old, operand, sum)) [[likely]]
        return sum;
      const auto bytes =
          std::bit_cast<std::array<std::byte, 2 * sizeof(T)>>(std::array{old, operand});
      if (!exact) exact.emplace(access, memory.space == Space::global, request.warp.scratch);
      return read<T>(exact->of(bytes.data(), bytes.data() + sizeof(T), sizeof(T)).data());
    });
    return true;
  };
  switch (access.atomic) {
    case AtomicOperation::compare_and_swap:
    case AtomicOperation::arrive:
    case AtomicOperation::arrive_and_drop:
      return false;
    default:
      break;
  }
  switch (access.number) {
    case Number::signed_integer:
      return wide ? integers(std::int64_t{}) : integers(std::int32_t{});
    case Number::unsigned_integer:
    case Number::bits:
      return wide ? integers(std::uint64_t{}) : integers(std::uint32_t{});
    case Number::floating:
      return access.atomic == AtomicOperation::add && (wide ? sums(double{}) : sums(float{}));
    default:
      return false;
  }
}

}  // namespace

LaneMask perform_atomic(const Request& request, const Memory& memory) {
  const MemoryOperands& operands = request.operands;
  const Access& access = operands.access;
  const std::uint32_t bytes = access.element_bytes;
  const bool swaps = access.atomic == AtomicOperation::compare_and_swap;
  const std::size_t first_operand = access.operation == Operation::atomic ? access.vector : 0;
  if (perform_usual(request, memory, request.warp.frame + operands.values[first_operand])) return 0;
  std::optional<Sum> sum;
  if (access.atomic == AtomicOperation::add &&
      (access.number == Number::floating || access.number == Number::bfloat)) {
    sum.emplace(access, memory.space == Space::global, request.warp.scratch);
  }
  const std::size_t stride = lane_bytes(operands.type);
  const auto operand = [&](std::size_t k, std::uint32_t lane) {
    return request.warp.frame + operands.values[first_operand + k] + lane * stride;
  };
  LaneMask failed = 0;
  in_turn(request, memory, [&](std::uint32_t lane) {
    bool changed = false;
    for (std::uint32_t k = 0; k < access.vector; ++k) {
      std::byte* at = memory.storage.data + request.at[lane] + std::size_t{k} * bytes;
      std::byte* old = value_of(request.values, lane, request.bytes) + std::size_t{k} * bytes;
      std::memcpy(old, at, bytes);
      if (swaps && std::memcmp(old, operand(0, lane), bytes) != 0) {
        failed |= LaneMask{1} << lane;
        continue;
      }
      if (swaps) {
        std::memcpy(at, operand(1, lane), bytes);
      } else {
        const Element result =
            sum ? sum->of(old, operand(k, lane), bytes) : result_of(access, old, operand(k, lane));
        std::memcpy(at, result.data(), bytes);
      }
      changed = changed || std::memcmp(old, at, bytes) != 0;
    }
    return changed;
  });
  return failed;
}

}  // namespace bankproof::ptx
