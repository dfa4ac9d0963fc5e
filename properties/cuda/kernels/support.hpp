// Helpers of the differential tests of the CUDA kernels. Each test is compiled twice: with CUDA's
// runtime it runs on a GPU; with bankproof_runtime it runs on the reference machine, which also
// reports the cost and the faults of the kernels' accesses (BANKPROOF_ON_MACHINE).
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../../../cuda/kernels/support/device.hpp"
#include "../../../cuda/kernels/support/elements.hpp"
#include "../../../model/observers/statistics.hpp"
#include "../../../testing/property.hpp"
#include "../../../testing/tasks.hpp"
#include "writers.hpp"
#ifdef BANKPROOF_ON_MACHINE
#include "../../../cuda/runtime/reports.hpp"
#include "../../../ptx/report/text.hpp"
#endif

namespace bankproof::cuda {
/// Prints the map in GoogleTest's messages.
inline void PrintTo(const AffineMap& map, std::ostream* out) {
  *out << "(1 + " << map.a << ")x + " << map.b;
}
}  // namespace bankproof::cuda

namespace bankproof::cuda::tests {

#ifdef BANKPROOF_ON_MACHINE
inline constexpr bool on_machine = true;
#else
inline constexpr bool on_machine = false;
#endif

/// An array of the device between guard words, which no kernel may write. The reference machine
/// needs no guards: it knows the bounds of each array, and which bytes of scratch memory were
/// written.
template <class T, std::size_t guard = on_machine ? 0 : 256 / sizeof(T)>
class GuardedArray {
  static constexpr unsigned char poison = 0xCB;
  static constexpr bool is_known = on_machine && std::is_same_v<T, std::byte>;

 public:
  /// Poisons the elements, so that elements which no kernel writes are recognized.
  explicit GuardedArray(std::size_t size) : size_(size), array_(size + 2 * guard) {
    if (array_.size() == 0 || is_known) return;
    require(cudaMemset(array_.data(), poison, array_.size() * sizeof(T)), "cudaMemset");
  }
  explicit GuardedArray(const std::vector<T>& values) : GuardedArray(values.size()) {
    if (values.empty()) return;
    require(cudaMemcpy(data(), values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }

  T* data() { return array_.data() + guard; }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> in() { return {data(), size_}; }

  /// The elements. Fails the property if a kernel wrote to a guard.
  std::vector<T> values() const {
    const std::vector<T> all = array_.values();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k >= guard && k < guard + size_) continue;
      using Bytes = std::array<unsigned char, sizeof(T)>;
      Bytes untouched;
      untouched.fill(poison);
      if (std::bit_cast<Bytes>(all[k]) != untouched) {
        RC_FAIL("written outside of the array, at element " +
                std::to_string(static_cast<std::int64_t>(k) - static_cast<std::int64_t>(guard)) +
                " of " + std::to_string(size_));
      }
    }
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(guard);
    return {first, first + static_cast<std::ptrdiff_t>(size_)};
  }

 private:
  std::size_t size_;
  DeviceArray<T> array_;
};

/// The type in which an oracle computes: integers wrap, and C++ wraps only unsigned integers.
template <class T>
struct WordOf {
  using Type = T;
};
template <class T>
  requires std::is_integral_v<T>
struct WordOf<T> {
  using Type = std::make_unsigned_t<T>;
};
template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  if constexpr (std::is_same_v<To, From>) {
    return values;
  } else {
    return {values.begin(), values.end()};
  }
}
template <class T>
using Word = typename WordOf<T>::Type;

/// Random numbers: integers have arbitrary bits; maps are one-to-one, because a chain of other maps
/// forgets its first ones; floating-point numbers are whole numbers from −8 to 8, so that the
/// tests' sums and products are exact.
template <class T>
std::vector<T> numbers_of_seed(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(size);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, AffineMap>) {
      value = {static_cast<std::uint32_t>(random()) * 2, static_cast<std::uint32_t>(random())};
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(random());
    } else {
      value = static_cast<T>(static_cast<int>(random() % 17) - 8);
    }
  }
  return values;
}

/// Random numbers; a failure shrinks to few elements, not to small ones.
template <class T>
std::vector<T> numbers(std::size_t size) {
  return numbers_of_seed<T>(size, *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
}

/// The same numbers each time, for scenarios.
template <class T>
std::vector<T> fixed_numbers(std::size_t size) {
  return numbers_of_seed<T>(size, 1);
}

/// A size up to `most`, often one next to a multiple of a warp or a block.
inline std::size_t any_size(std::size_t most) {
  return *rc::gen::oneOf(
      rc::gen::inRange<std::size_t>(0, most + 1),
      rc::gen::map(
          rc::gen::tuple(rc::gen::elementOf(std::vector<std::size_t>{32, 256, 1024}),
                         rc::gen::inRange<std::size_t>(1, 9), rc::gen::inRange<std::size_t>(0, 3)),
          [most](const auto& parts) {
            const auto [unit, factor, offset] = parts;
            return std::min(most, unit * factor + offset - 1);
          }));
}

/// Fails the property, and names the thread that writes the element if it is known.
template <class T, class Expected>
void fail_at(std::size_t element, const T& actual, const Expected& expected,
             const WriterOf& writer_of) {
  const std::optional<Writer> writer = writer_of ? writer_of(element) : std::nullopt;
  RC_FAIL("element " + std::to_string(element) + " is " + ::testing::PrintToString(actual) +
          ", not " + ::testing::PrintToString(expected) +
          (writer ? " (" + text_of(*writer) + ")" : ""));
}

/// Fails at the first element that differs.
template <class T>
void require_equal(const std::vector<T>& actual, const std::vector<T>& expected,
                   const WriterOf& writer_of = {}) {
  RC_ASSERT(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!(actual[i] == expected[i])) fail_at(i, actual[i], expected[i], writer_of);
  }
}

/// The cost of the launches since the last call; fails the property if a launch faulted. On a GPU
/// nothing can be counted, and all counts are zero.
struct MachineCounts {
  std::uint64_t launches = 0;
  std::uint64_t wavefronts = 0;  // of shared memory
  std::uint64_t lines = 0;       // of global memory, 128 bytes each
  std::uint64_t sectors = 0;
};
inline void take_launches_of_machine() {
#ifdef BANKPROOF_ON_MACHINE
  take_launches();
#endif
}
inline MachineCounts take_counts() {
  MachineCounts counts;
#ifdef BANKPROOF_ON_MACHINE
  for (const ptx::KernelReport& report : take_launches()) {
    if (!report.faults.empty()) RC_FAIL(ptx::as_text(report));
    counts.launches += 1;
    counts.wavefronts += report.totals.wavefronts;
    counts.lines += report.totals.lines;
    counts.sectors += report.totals.sectors;
  }
#endif
  return counts;
}

/// While this object lives, `resident_blocks` blocks run at a time, and take turns in an order
/// drawn with `number`; see cuda/runtime/reports.hpp. On a GPU it has no effect.
class DrawnTurns {
 public:
  DrawnTurns([[maybe_unused]] std::uint64_t resident_blocks,
             [[maybe_unused]] std::uint64_t number) {
#ifdef BANKPROOF_ON_MACHINE
    set_schedule(resident_blocks, number);
#endif
  }
  DrawnTurns(const DrawnTurns&) = delete;
  DrawnTurns& operator=(const DrawnTurns&) = delete;
  ~DrawnTurns() {  // NOLINT(modernize-use-equals-default): empty only on a GPU
#ifdef BANKPROOF_ON_MACHINE
    set_schedule();
#endif
  }
};

/// Tries a property in a fraction of the usual number of cases, because each case makes several
/// launches. No launch may fault.
template <class Property>
void check(Property property) {
  const auto without_faults = [&] {
    take_launches_of_machine();
    property();
    take_counts();
  };
  bankproof::testing::check_property(without_faults, {}, 10);
}

/// The cost of the model's algorithm A: the stages of its shared memories, or of its one DMM, and
/// the address groups of its global memory.
template <class A>
MachineCounts counts_of_model(const Task& task) {
  Statistics statistics;
  const auto inputs = bankproof::testing::random_inputs<std::uint64_t>(A::inputs(task), 0);
  bankproof::testing::run_task<A, std::uint64_t>(task, {}, inputs, {&statistics});
  MachineCounts counts;
  counts.wavefronts = statistics.of_banks().stages;
  counts.lines = statistics.of_kind(MemoryKind::groups).stages;
  return counts;
}

}  // namespace bankproof::cuda::tests
