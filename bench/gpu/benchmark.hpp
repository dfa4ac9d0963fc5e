// Benchmarks of the CUDA kernels on a chip: rows of a table, and how one is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../cuda/kernels/support/device.hpp"

namespace bankproof::cuda::bench {

/// Enqueues a run on the default stream. It owns the arrays that it works on.
using Run = std::function<void()>;

/// What a goal is a bound of: the time over that of a copy of as many bytes, at most; or the speed
/// over that of the row's peer, at least.
enum class Against : std::uint8_t { copy, peer };

/// What a row is held to. Numbers are 0 where there is none.
struct Goal {
  double floor = 0;        ///< the least ratio to a copy that the algorithm's accesses allow
  double target = 0;       ///< to reach, with arrays of 2^30 bytes on an H200
  double stretch = 0;      ///< to reach at best
  std::string limit = {};  ///< what sets the floor; without one, what the time is for
  Against against = Against::copy;
};

/// Of what reads each element once, and writes it once or no more than a few.
inline Goal as_a_copy(double target = 0, double stretch = 0) {
  return {1, target, stretch, "a read and a write of each element"};
}
inline Goal as_a_read(double target = 0, double stretch = 0) {
  return {1, target, stretch, "a read of each element"};
}

/// A row of the table. A peer's row is one, too.
struct Benchmark {
  std::string name;  ///< the kernel and its type: "sum.float"
  std::size_t element_bytes = 0;
  /// Arrays that count: 2 where n elements are read and n written, 1 where they are read alone. The
  /// time is held against that of a copy of so many bytes.
  std::size_t arrays = 2;
  double size = 1;  ///< bytes of an array over those of other rows': where a target is of its own
  Goal goal = {};
  std::string peer;  ///< the row of a library that does the same; empty: none
  /// Allocates for n elements, or as many of them as it has a use for. Throws CudaError, and
  /// std::runtime_error where the chip or a library cannot.
  std::function<Run(std::size_t n)> prepare;
  std::size_t most = 0;     ///< elements that it can have; 0: any number
  bool named_only = false;  ///< of the sources' tables: timed where it is named, not with all
  bool on_host = false;     ///< a run is work of the host, done when it returns
};

/// The kernels of this project, a file each subject.
std::vector<Benchmark> benchmarks_of_convolutions();
std::vector<Benchmark> benchmarks_of_matrix_products();
std::vector<Benchmark> benchmarks_of_permutations();
std::vector<Benchmark> benchmarks_of_permutations_in_shared_memory();
std::vector<Benchmark> benchmarks_of_summed_area_tables();
std::vector<Benchmark> benchmarks_of_sums();
std::vector<Benchmark> benchmarks_of_transposes();
/// CUB, Thrust and cuBLAS; none on the reference machine.
std::vector<Benchmark> benchmarks_of_peers();

std::vector<Benchmark> all_benchmarks();

/// The side of the largest square matrix of at most n elements.
std::size_t side_of(std::size_t n);

/// The permutations of THS 5.6: identity, shuffle, random, bit-reversal and transpose.
extern const std::vector<std::string> permutation_kinds;
/// One of them, of n elements or of as many of them as it can have: an even number, a power of two,
/// a square.
std::vector<std::uint32_t> permutation_of(const std::string& kind, std::size_t n);

/// Numbers of no pattern, the same each time.
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

/// Milliseconds of one run: the median of `repeats` samples after a warm-up, the least and the
/// most. A sample is as many runs, one behind the other, as take at least a fifth of a millisecond.
struct Times {
  double median = 0;
  double least = 0;
  double most = 0;
};
Times time_of(const Run& run, std::size_t repeats);
/// The same of a run of the host, by its clock; a sample is one run.
Times time_on_host(const Run& run, std::size_t repeats);

/// `bench …`, as ci/gpu calls it; its words come behind. Prints JSON; returns the exit code.
///
///     --list                                         the rows' names
///     [--bytes B | --elements N] [--repeats R] [NAME…]  times, of the rows named, or of all that
///                                                    are not of the sources' tables alone
int run_benchmarks(const std::vector<std::string>& words);

}  // namespace bankproof::cuda::bench
