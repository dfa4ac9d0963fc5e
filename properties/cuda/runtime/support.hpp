// Helpers of the tests of CUDA's runtime on the reference machine.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "../../../cuda/kernels/support/device.hpp"
#include "../../../cuda/runtime/reports.hpp"
#include "kernels.hpp"

namespace bankproof::cuda::tests {

// Of the arrays in tests of the order of operations.
constexpr unsigned size = 64;
constexpr std::size_t bytes = size * sizeof(int);

inline void expect_no_faults() {
  for (const ptx::KernelReport& report : take_launches()) EXPECT_TRUE(report.faults.empty());
}

/// Takes the findings about the program's calls; returns their kinds.
inline std::vector<ptx::FaultKind> take_kinds() {
  std::vector<ptx::FaultKind> kinds;
  for (const ptx::FaultReport& fault : take_findings()) kinds.push_back(fault.kind);
  return kinds;
}

}  // namespace bankproof::cuda::tests
