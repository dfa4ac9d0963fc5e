// Typed arrays. A warp's program accesses them by `co_await a.read(i)` and `co_await a.write(i,
// x)`, where i are lanes of indices and x are lanes of values.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <coroutine>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "warp.hpp"

namespace bankproof {

/// An array of `size` words of type T in one memory. The memory's machine must outlive the array. T
/// needs only a default value and copies.
template <class T>
class Array final : public ArrayBase {
  /// std::vector<bool> has no elements to refer to.
  using Stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

 public:
  /// An array whose elements are uninitialized (they hold T{}); it starts `offset` words past a
  /// multiple of the width.
  Array(Memory& memory, std::uint64_t size, std::string name = "array", std::uint64_t offset = 0)
      : Array(memory, size, T{}, std::move(name), offset, true) {}

  /// An array with these values.
  Array(Memory& memory, std::span<const T> values, std::string name = "array",
        std::uint64_t offset = 0)
      : Array(memory, values.size(), T{}, std::move(name), offset, false) {
    std::copy(values.begin(), values.end(), values_.begin());
  }
  Array(Memory& memory, const std::vector<T>& values, std::string name = "array",
        std::uint64_t offset = 0)
      : Array(memory, values.size(), T{}, std::move(name), offset, false) {
    std::copy(values.begin(), values.end(), values_.begin());  // vector<bool> makes no span
  }

  /// An array in words that a block already owns: see Warp::shared.
  Array(Memory& memory, Address base, std::uint64_t size, std::string name)
      : ArrayBase(memory, base, size, std::move(name), true), values_(size) {}

  /// Sets all elements from the host; afterwards all elements are initialized. Requires size()
  /// values.
  void assign(std::span<const T> values) {
    if (values.size() != size()) {
      throw fault::bad_launch("array " + name() + ": " + std::to_string(values.size()) +
                                  " values for " + std::to_string(size()) + " elements",
                              memory().name());
    }
    std::copy(values.begin(), values.end(), values_.begin());
    mark_initialized();
  }

  /// The host's view of the elements; no machine time passes. To observers, an uninitialized
  /// element stays uninitialized even if the host writes it here; assign() initializes all.
  std::span<Stored> values() { return values_; }
  std::span<const Stored> values() const { return values_; }

  /// Lanes of a[index], for the threads under the warp's mask; the other lanes hold T{}.
  /// `index` is Lanes<Address> or a Progression. The request refers to `index` and makes no copy.
  template <std::convertible_to<Index> I>
  auto read(const I& index, AccessKind declared = AccessKind::undeclared) {
    return Request<Read>(*this, Index(index), nullptr, Operation::read, declared);
  }

  /// a[index] ← value, for the threads under the warp's mask.
  template <std::convertible_to<Index> I>
  auto write(const I& index, const Lanes<T>& value, AccessKind declared = AccessKind::undeclared) {
    detail::require_equal(index.width(), value.width());
    return Request<Write>(*this, Index(index), &value, Operation::write, declared);
  }

  void store(const Access& access, WriterPolicy policy, std::mt19937_64& random) override {
    if (policy == WriterPolicy::highest) {  // the last to store wins
      const auto& data = *static_cast<const Lanes<T>*>(access.data);
      for_each_request(access, [&](Width lane, Address index) { values_[index] = data[lane]; });
    } else {
      store_in_order(access, policy, random);
    }
  }

  void prefetch(const Access& access) const override {
    const auto fetch = [this](Address index) {
      if (index < size()) __builtin_prefetch(values_.data() + index);
    };
    if (access.index.lanes() != nullptr) {
      for (const Address index : *access.index.lanes()) fetch(index);
    } else if (const Progression& run = *access.index.progression(); run.step() == 1) {
      constexpr Width cache_line = 64;
      constexpr Width stride = sizeof(Stored) < cache_line ? cache_line / sizeof(Stored) : 1;
      for (Width lane = 0; lane < run.width(); lane += stride) fetch(run[lane]);
    }
  }

  bool writes_differ(const Access& access, Width first, Width second) const override {
    if constexpr (std::equality_comparable<T>) {
      const auto& data = *static_cast<const Lanes<T>*>(access.data);
      return !(data[first] == data[second]);
    } else {
      return true;
    }
  }

  void reset() override {
    std::fill(values_.begin(), values_.end(), Stored{});
    mark_uninitialized();
  }

 private:
  Array(Memory& memory, std::uint64_t size, const T& value, std::string name, std::uint64_t offset,
        bool uninitialized)
      : Array(std::make_unique<Region>(memory, size + offset), memory, size, value, std::move(name),
              offset, uninitialized) {}
  Array(std::unique_ptr<Region> region, Memory& memory, std::uint64_t size, const T& value,
        std::string name, std::uint64_t offset, bool uninitialized)
      : ArrayBase(memory, region->base() + offset, size, std::move(name), uninitialized),
        region_(std::move(region)),
        values_(size, value) {}

  /// Calls f(lane, index) for each request, in thread order. Compilers can vectorize the loops for
  /// the usual cases.
  template <class F>
  static void for_each_request(const Access& access, F f) {
    const Width width = access.index.width();
    if (!access.all_lanes()) {
      for_each_lane(access.mask, [&](Width lane) { f(lane, access.index[lane]); });
    } else if (access.index.lanes() != nullptr) {
      const Lanes<Address>& index = *access.index.lanes();
      for (Width lane = 0; lane < width; ++lane) f(lane, index[lane]);
    } else if (const Progression& progression = *access.index.progression();
               progression.step() == 1) {
      const Address first = progression[0];
      for (Width lane = 0; lane < width; ++lane) f(lane, first + lane);
    } else {
      for (Width lane = 0; lane < width; ++lane) f(lane, progression[lane]);
    }
  }

  void store_in_order(const Access& access, WriterPolicy policy, std::mt19937_64& random) {
    const auto& data = *static_cast<const Lanes<T>*>(access.data);
    std::array<Width, widest_warp> order{};
    std::size_t count = 0;
    for_each_lane(access.mask, [&](Width lane) { order[count++] = lane; });
    if (policy == WriterPolicy::lowest) {
      std::reverse(order.begin(), order.begin() + count);
    } else {
      std::shuffle(order.begin(), order.begin() + count, random);
    }
    for (std::size_t k = 0; k < count; ++k) values_[access.index[order[k]]] = data[order[k]];
  }

  /// The lanes of a[index] for the requests of a read; T{} in the other lanes.
  Lanes<T> load(const Access& access) const {
    Lanes<T> result(access.index.width());
    if (!access.all_lanes()) std::fill(result.begin(), result.end(), T{});
    for_each_request(access, [&](Width lane, Address index) { result[lane] = values_[index]; });
    return result;
  }

  /// A read or a write that a program awaits. A request points to its index and its value, which
  /// the program's frame keeps until the end of the expression that makes the request. So the
  /// program must await the request in this expression, as in `co_await a.read(i)`; to await a
  /// stored request does not compile.
  template <class Awaiter>
  class [[nodiscard]] Request {
   public:
    Request(Array& array, Index index, const void* data, Operation operation, AccessKind declared)
        : access_{&array, index, data, Mask(), operation, declared} {}
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    Awaiter operator co_await() && { return {access_}; }
    void operator co_await() & = delete;  // co_await a.read(i) in one expression

   private:
    Access access_;
  };

  struct Submission {
    Access& access;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> program) {
      return program.promise().warp->submit(access, program);
    }
  };

  /// The machine resumes a program right after it has dispatched the access, so a read returns the
  /// values at dispatch.
  struct Read : Submission {
    Lanes<T> await_resume() const {
      return static_cast<const Array*>(this->access.array)->load(this->access);
    }
  };
  struct Write : Submission {
    void await_resume() const noexcept {}
  };

  std::unique_ptr<Region> region_;  ///< null if the array belongs to a block
  std::vector<Stored> values_;
};

}  // namespace bankproof
