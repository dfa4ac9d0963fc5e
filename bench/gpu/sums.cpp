// Benchmarks of sums and prefix sums.
#include <algorithm>
#include <memory>

#include "../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../cuda/kernels/sum/sum.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

/// The arrays of a run of sums.
template <class T>
struct ArraysOfSums {
  ArraysOfSums(std::size_t n, std::size_t results, std::size_t scratch_bytes)
      : in(filled<T>(n)), out(results), scratch(scratch_bytes) {}

  DeviceArray<T> in;
  DeviceArray<T> out;
  DeviceArray<std::byte> scratch;
};

/// The threads of a single block: half as many as there are numbers, as in MOD 8.
template <class T>
std::uint32_t threads_of_block(const ArraysOfSums<T>& arrays) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(arrays.in.size() / 2, 1, 1024));
}

/// A row for a sum; `call` gets the arrays.
template <class T, class Call>
Benchmark sum_row(const std::string& name, double target, double stretch, const std::string& peer,
                  Call call) {
  return {.name = name,
          .element_bytes = sizeof(T),
          .arrays = 1,
          .goal = as_a_read(target, stretch),
          .peer = peer,
          .prepare = [call](std::size_t n) -> Run {
            const auto arrays =
                std::make_shared<ArraysOfSums<T>>(n, 1, sum_scratch_bytes<T>(n, {1024, 0}));
            return [=] { call(*arrays); };
          }};
}

/// A row for prefix sums. If every level goes through global memory, the row has no floor.
template <class T, class Bytes, class Call>
Benchmark prefix_sums_row(const std::string& name, const Goal& goal, const std::string& peer,
                          Bytes bytes, Call call) {
  return {.name = name,
          .element_bytes = sizeof(T),
          .goal = goal,
          .peer = peer,
          .prepare = [bytes, call](std::size_t n) -> Run {
            const auto arrays = std::make_shared<ArraysOfSums<T>>(n, n, bytes(n));
            return [=] { call(*arrays); };
          }};
}

Benchmark of_one_block(Benchmark row, std::size_t most) {
  row.most = most;
  row.goal = {};
  return row;
}

template <class T>
void add_sums(const std::string& type, std::vector<Benchmark>& rows) {
  const Goal levels{.limit = "each level of sums through the memory"};
  const auto no_bytes = [](std::size_t) { return std::size_t{0}; };
  rows.push_back(
      sum_row<T>("sum_packets." + type, 1.0, 0.97, "cub.sum." + type,
                 [](ArraysOfSums<T>& a) { sum<T>(a.in.span(), a.out.data(), a.scratch.span()); }));
  rows.push_back(sum_row<T>("sum_columns." + type, 0, 0, "", [](ArraysOfSums<T>& a) {
    sum_by_columns<T>(a.in.span(), a.out.data(), a.scratch.span());
  }));
  rows.push_back(of_one_block(sum_row<T>("sum_pairwise." + type, 0, 0, "",
                                         [](ArraysOfSums<T>& a) {
                                           sum_in_shared_memory<T>(a.in.span(), a.out.data(),
                                                                   threads_of_block(a));
                                         }),
                              4096));
  rows.push_back(prefix_sums_row<T>(
      "prefix_sums_one_pass." + type, as_a_copy(1.1, 1.05), "cub.prefix_sums." + type,
      prefix_sums_scratch_bytes<T>,
      [](ArraysOfSums<T>& a) { prefix_sums<T>(a.in.span(), a.out.data(), a.scratch.span()); }));
  rows.push_back(prefix_sums_row<T>("prefix_sums_simple_global." + type, levels, "",
                                    prefix_sums_simple_scratch_bytes<T>, [](ArraysOfSums<T>& a) {
                                      prefix_sums_simple<T>(a.in.span(), a.out.data(),
                                                            a.scratch.span());
                                    }));
  rows.push_back(prefix_sums_row<T>("prefix_sums_optimal_global." + type, levels, "",
                                    prefix_sums_optimal_scratch_bytes<T>, [](ArraysOfSums<T>& a) {
                                      prefix_sums_optimal<T>(a.in.span(), a.out.data(),
                                                             a.scratch.span());
                                    }));
  rows.push_back(of_one_block(prefix_sums_row<T>("prefix_sums_simple." + type, {}, "", no_bytes,
                                                 [](ArraysOfSums<T>& a) {
                                                   prefix_sums_simple_in_shared_memory<T>(
                                                       a.in.span(), a.out.data(),
                                                       threads_of_block(a));
                                                 }),
                              4096));
  rows.push_back(of_one_block(prefix_sums_row<T>("prefix_sums_optimal." + type, {}, "", no_bytes,
                                                 [](ArraysOfSums<T>& a) {
                                                   prefix_sums_optimal_in_shared_memory<T>(
                                                       a.in.span(), a.out.data(),
                                                       threads_of_block(a));
                                                 }),
                              4096));
}

}  // namespace

std::vector<Benchmark> benchmarks_of_sums() {
  std::vector<Benchmark> rows;
  add_sums<std::int32_t>("int32", rows);
  add_sums<float>("float", rows);
  return rows;
}

}  // namespace bankproof::cuda::bench
