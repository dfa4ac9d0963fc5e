// Typed arrays: `co_await a.read(i)` and `co_await a.write(i, x)` are the accesses of a warp's
// program, where i are lanes of indices and x lanes of values.
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

/// An array of `size` words of type T in one memory. T needs a default value and copying, no more.
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
      : Array(memory, std::span<const T>(values), std::move(name), offset) {}

  /// An array in words that a block already has: see Warp::shared.
  Array(Memory& memory, Address base, std::uint64_t size, std::string name)
      : ArrayBase(memory, base, size, std::move(name), true), values_(size) {}

  /// Gives all elements values from the host: none is uninitialized any more. Requires size()
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

  /// The host's view of the elements; no machine time passes.
  std::span<Stored> values() { return values_; }
  std::span<const Stored> values() const { return values_; }

  /// Lanes of a[index], for the threads under the warp's mask; the other lanes hold T{}.
  auto read(const Index& index, AccessKind declared = AccessKind::undeclared) {
    return ReadAccess(*this, index, declared);
  }

  /// a[index] ← value, for the threads under the warp's mask.
  auto write(const Index& index, const Lanes<T>& value,
             AccessKind declared = AccessKind::undeclared) {
    return WriteAccess(*this, index, value, declared);
  }

  void transfer(const Access& access, WriterPolicy policy, std::mt19937_64& random) override {
    auto& data = *static_cast<Lanes<T>*>(access.data);
    if (access.operation == Operation::read) {
      if (!access.all_lanes()) std::fill(data.begin(), data.end(), T{});
      for_each_request(access, [&](Width lane, Address index) { data[lane] = values_[index]; });
    } else if (policy == WriterPolicy::highest) {  // the last to store wins
      for_each_request(access, [&](Width lane, Address index) { values_[index] = data[lane]; });
    } else {
      store_in_order(access, policy, random);
    }
  }

  void prefetch(const Access& access) const override {
    for (const Address index : *access.index.lanes()) {
      if (index < size()) __builtin_prefetch(values_.data() + index);
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

  /// Calls f(lane, index) for each request, in thread order; loops that compilers can vectorize for
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

  /// The awaited read or write. It points to its index and value, which the program's frame keeps
  /// until the access is over, so it can only be awaited where it is made.
  class Awaiter {
   public:
    Awaiter(Array& array, const Index& index, void* data, Operation operation, AccessKind declared)
        : access_{&array, index, data, 0, operation, declared} {}
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> program) {
      const bool suspended = program.promise().warp->submit(access_, program);
      if (access_.mask == 0 && access_.operation == Operation::read) [[unlikely]] {
        auto& nothing = *static_cast<Lanes<T>*>(access_.data);  // nobody will fill it
        std::fill(nothing.begin(), nothing.end(), T{});
      }
      return suspended;
    }

   protected:
    Access access_;
  };

  class [[nodiscard]] ReadAccess : public Awaiter {
   public:
    ReadAccess(Array& array, const Index& index, AccessKind declared)
        : Awaiter(array, index, &result_, Operation::read, declared), result_(index.width()) {}
    Lanes<T> await_resume() { return std::move(result_); }

   private:
    Lanes<T> result_;
  };

  class [[nodiscard]] WriteAccess : public Awaiter {
   public:
    WriteAccess(Array& array, const Index& index, const Lanes<T>& value, AccessKind declared)
        : Awaiter(array, index, const_cast<Lanes<T>*>(&value), Operation::write, declared) {}
    void await_resume() const noexcept {}
  };

  std::unique_ptr<Region> region_;  ///< null for an array of a block
  std::vector<Stored> values_;
};

}  // namespace bankproof
