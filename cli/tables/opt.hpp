// Tasks for the two algorithms of OPT, and the parts of their times.
#pragma once

#include <cstdint>

#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/matrix_product.hpp"
#include "growth.hpp"

namespace bankproof::cli {

inline Task conv_hmm() { return {"CONV-HMM", Sizes(ImageConvolution::size_keys), {}}; }
inline Task mul_hmm() { return {"MUL-HMM", Sizes(MatrixProduct::size_keys), {}}; }

inline Cost<std::uint64_t> cost_of(const Task& task) {
  return task.variant == "CONV-HMM" ? ImageConvolution::cost(task) : MatrixProduct::cost(task);
}

inline double opt_time(const Task& task) {
  return static_cast<double>(lockstep_time(cost_of(task), task.machine));
}

/// The four parts of a lockstep time; their sum is the time.
struct OptTime {
  double bandwidth;    ///< stages of global memory
  double latency;      ///< L − 1 for each round of global memory
  double computation;  ///< stages of shared memory
  double shared_latency;

  explicit OptTime(const Task& task) {
    const Cost<std::uint64_t> cost = cost_of(task);
    const auto waiting = [](const Rounds<std::uint64_t>& rounds, std::uint64_t each) {
      return static_cast<double>(rounds.rounds * (each - 1));
    };
    bandwidth = static_cast<double>(cost.global.stages);
    latency = waiting(cost.global, task.machine.L);
    computation = static_cast<double>(cost.shared.stages);
    shared_latency = waiting(cost.shared, task.machine.l);
  }
};

}  // namespace bankproof::cli
