// The results and the scratch of one host thread that runs blocks. Faults, costs and changed bytes
// each have a field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../isa/faults.hpp"
#include "../isa/op.hpp"
#include "cost_log.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

/// The owner joins the results of all workers.
struct Worker {
  Worker(const MachineRules& rules, std::size_t sites)
      : costs(rules, sites), strides(sites, TouchedPages::few) {}

  std::uint32_t number = 0;  // of the worker in its launch; its records are those of this number
  FaultLog faults;
  CostLog costs;
  std::uint64_t changes = 0;  // stores that changed a byte
  Scratch scratch;            // the scratch of the warps that this thread runs
  /// For each site, where the first warp of a block has accessed global memory last, and how far
  /// ahead the site will probably access it next (lane_rows.cpp).
  struct Stride {
    std::uint64_t last = 0;
    std::uint64_t block = 0;  // one more than its number; 0: it has not yet
    std::uint64_t step = 0;
  };
  ZeroedArray<Stride> strides;
};

}  // namespace bankproof::ptx
