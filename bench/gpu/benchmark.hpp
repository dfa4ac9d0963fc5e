// Benchmarks of the CUDA kernels on a chip: the rows of a table, and how a row is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../cuda/kernels/support/device.hpp"

namespace bankproof::cuda::bench {

/// Enqueues one run on the default stream, and owns the run's arrays.
using Run = std::function<void()>;

/// A goal bounds either the time or the speed of a row: the time is at most a multiple of the time
/// of a copy of the same number of bytes; the speed is at least a multiple of the peer row's speed.
enum class Against : std::uint8_t { copy, peer };

/// The goal of a row. A number is 0 if the row has no such bound or goal.
struct Goal {
  double floor = 0;        ///< the least multiple of a copy's time that the accesses allow
  double target = 0;       ///< the goal, with arrays of 2^30 bytes on an H200
  double stretch = 0;      ///< a better value that seems possible
  std::string limit = {};  ///< what sets the floor or, without a floor, the time
  Against against = Against::copy;
};

/// The goals of kernels that read each element once. as_a_copy() is for kernels that also write
/// each element once, as_a_read() for kernels that write only a few results.
inline Goal as_a_copy(double target = 0, double stretch = 0) {
  return {1, target, stretch, "a read and a write of each element"};
}
inline Goal as_a_read(double target = 0, double stretch = 0) {
  return {1, target, stretch, "a read of each element"};
}

/// A row of the table. A peer's row is a Benchmark, too.
struct Benchmark {
  std::string name;  ///< the kernel and its type: "sum.float"
  std::size_t element_bytes = 0;
  /// The number of arrays that a run moves: 2 if it reads n elements and writes n, 1 if it only
  /// reads n. The time is compared with the time of a copy that moves the same number of bytes.
  std::size_t arrays = 2;
  double size = 1;  ///< the size of an array in bytes, as a multiple of the arrays of other rows
  Goal goal = {};
  std::string peer;  ///< the row of a library that computes the same; empty if there is no such row
  /// Allocates memory for n elements or, if the row cannot use n elements, for the largest smaller
  /// number that it can use. Throws CudaError, and std::runtime_error if the chip or a library
  /// cannot run the row.
  std::function<Run(std::size_t n)> prepare;
  std::size_t most = 0;     ///< the most elements of the row; 0: any number
  bool named_only = false;  ///< for the sources' tables: timed only if named
  bool on_host = false;     ///< a run works on the host, and its call returns at the end
};

/// The benchmarks of this project's kernels, one file per subject.
std::vector<Benchmark> benchmarks_of_convolutions();
std::vector<Benchmark> benchmarks_of_matrix_products();
std::vector<Benchmark> benchmarks_of_permutations();
std::vector<Benchmark> benchmarks_of_permutations_in_shared_memory();
std::vector<Benchmark> benchmarks_of_summed_area_tables();
std::vector<Benchmark> benchmarks_of_sums();
std::vector<Benchmark> benchmarks_of_transposes();
/// Rows of CUB, Thrust and cuBLAS; empty on the reference machine.
std::vector<Benchmark> benchmarks_of_peers();

std::vector<Benchmark> all_benchmarks();

/// The side of the largest square matrix of at most n elements.
std::size_t side_of(std::size_t n);

/// The permutations of THS 5.6: identity, shuffle, random, bit-reversal and transpose.
extern const std::vector<std::string> permutation_kinds;
/// A permutation of this kind. It has n elements or, if the kind requires an even number, a power
/// of two or a square, the largest such number below n.
std::vector<std::uint32_t> permutation_of(const std::string& kind, std::size_t n);

/// Numbers without a pattern, the same in every run.
template <class T>
DeviceArray<T> filled(std::size_t n) {
  DeviceArray<T> array(n);
  const std::size_t first = n < (std::size_t{1} << 20) ? n : std::size_t{1} << 20;
  std::vector<T> values(first);
  std::size_t state = 1;
  for (T& value : values) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<T>(state >> 54);
  }
  for (std::size_t at = 0; at < n; at += first) {
    const std::size_t count = n - at < first ? n - at : first;
    require(cudaMemcpy(array.data() + at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  return array;
}

/// Milliseconds of one run: the median, minimum and maximum of `repeats` samples after a warm-up. A
/// sample is the mean of back-to-back runs that together take at least a fifth of a millisecond.
struct Times {
  double median = 0;
  double least = 0;
  double most = 0;
};
Times time_of(const Run& run, std::size_t repeats);
/// The times of a run on the host, by the host's clock; a sample is one run.
Times time_on_host(const Run& run, std::size_t repeats);

/// `bench …`, as ci/gpu calls it; `words` are its arguments. Prints JSON and returns the exit code.
///
///     --list                                            the names of the rows
///     [--bytes B | --elements N] [--repeats R] [NAME…]  the times of these rows; without names, of
///                                                       all but the sources' tables
int run_benchmarks(const std::vector<std::string>& words);

}  // namespace bankproof::cuda::bench
