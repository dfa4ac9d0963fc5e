// Benchmarks of permutations of 1024 elements in the shared memory of one block of 1024 threads
// (THS 4.5): from array to array, with indices of 2 bytes, and in place. A run is one launch. A run
// repeats the move so often that all other work is negligible. The times are compared with one
// another, not with a copy.
#include <memory>
#include <span>
#include <utility>

#include "../../algorithms/permutation/plan.hpp"
#include "../../cuda/kernels/permutation/permutation.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

constexpr std::size_t size = 1024;
#ifdef BANKPROOF_ON_MACHINE
constexpr std::uint32_t repetitions = 2;
#else
constexpr std::uint32_t repetitions = 10000;
#endif
constexpr OneBlock block{1024, repetitions};

/// The arrays of a run, up to two of which are indices.
template <class T>
struct ArraysInShared {
  using Indices = std::vector<std::uint16_t>;
  explicit ArraysInShared(const Indices& of_first = {}, const Indices& of_second = {})
      : a(filled<T>(size)), b(size), first(of_first), second(of_second) {}

  std::span<const T> in() const { return a.span(); }

  DeviceArray<T> a;
  DeviceArray<T> b;
  DeviceArray<std::uint16_t> first;
  DeviceArray<std::uint16_t> second;
};

/// A row; `make` makes its arrays, and `call` permutes them.
template <class T, class Make, class Call>
Benchmark shared_permutation_row(const std::string& name, Make make, Call call) {
  return {.name = "permutation_shared_" + name,
          .element_bytes = sizeof(T),
          .peer = {},
          .prepare = [=](std::size_t) -> Run {
            const std::shared_ptr<ArraysInShared<T>> arrays = make();
            return [=] { call(*arrays); };
          },
          .most = size,
          .named_only = true};
}

template <class T>
std::shared_ptr<ArraysInShared<T>> without_indices() {
  return std::make_shared<ArraysInShared<T>>();
}

template <class T>
void add_rows_of_arrays(const std::string& kind, const std::string& type,
                        std::vector<Benchmark>& rows) {
  const std::string name = "." + kind + "." + type;
  const auto p = [=] {
    const auto permutation = permutation_of(kind, size);
    return std::make_shared<ArraysInShared<T>>(
        std::vector<std::uint16_t>(permutation.begin(), permutation.end()));
  };
  const auto q = [=] {
    const auto permutation = permutation_of(kind, size);
    std::vector<std::uint16_t> inverse(size);
    for (std::size_t i = 0; i < size; ++i) inverse[permutation[i]] = static_cast<std::uint16_t>(i);
    return std::make_shared<ArraysInShared<T>>(inverse);
  };
  const auto plan = [=] {
    const auto permutation = permutation_of(kind, size);
    const auto made =
        plan_banks(std::span<const std::uint32_t>(permutation), Width{128 / sizeof(T)});
    return std::make_shared<ArraysInShared<T>>(
        std::vector<std::uint16_t>(made.s.begin(), made.s.end()),
        std::vector<std::uint16_t>(made.d.begin(), made.d.end()));
  };
  rows.push_back(shared_permutation_row<T>("destination" + name, p, [](ArraysInShared<T>& of) {
    permute_destination_designated_in_shared_memory<T>(of.in(), of.b.data(), of.first.span(),
                                                       block);
  }));
  rows.push_back(shared_permutation_row<T>("source" + name, q, [](ArraysInShared<T>& of) {
    permute_source_designated_in_shared_memory<T>(of.in(), of.b.data(), of.first.span(), block);
  }));
  rows.push_back(shared_permutation_row<T>("conflict_free" + name, plan, [](ArraysInShared<T>& of) {
    permute_conflict_free_in_shared_memory<T>(of.in(), of.b.data(),
                                              {of.first.span(), of.second.span()}, block);
  }));
}

template <class T>
void add_rows_in_place(const std::string& type, std::vector<Benchmark>& rows) {
  const std::pair<const char*, InPlacePermutation> kinds[] = {
      {"transpose", InPlacePermutation::transpose},
      {"shuffle", InPlacePermutation::shuffle},
      {"bit-reversal", InPlacePermutation::bit_reversal}};
  const std::pair<const char*, InPlaceVariant> variants[] = {
      {"destination", InPlaceVariant::destination_designated},
      {"source", InPlaceVariant::source_designated},
      {"conflict_free", InPlaceVariant::conflict_free}};
  for (const auto& [variant_name, variant] : variants) {
    for (const auto& [kind_name, kind] : kinds) {
      const std::string name =
          std::string("in_place_") + variant_name + "." + kind_name + "." + type;
      rows.push_back(shared_permutation_row<T>(
          name, without_indices<T>, [kind = kind, variant = variant](ArraysInShared<T>& of) {
            permute_in_place_in_shared_memory<T>(of.in(), of.b.data(), kind, variant, block);
          }));
    }
  }
}

template <class T>
void add_shared_permutations(const std::string& type, std::vector<Benchmark>& rows) {
  rows.push_back(shared_permutation_row<T>(
      "copy." + type, without_indices<T>,
      [](ArraysInShared<T>& of) { copy_in_shared_memory<T>(of.in(), of.b.data(), block); }));
  for (const std::string& kind : permutation_kinds) add_rows_of_arrays<T>(kind, type, rows);
  add_rows_in_place<T>(type, rows);
}

}  // namespace

std::vector<Benchmark> benchmarks_of_permutations_in_shared_memory() {
  std::vector<Benchmark> rows;
  add_shared_permutations<float>("float", rows);
  add_shared_permutations<double>("double", rows);
  return rows;
}

}  // namespace bankproof::cuda::bench
