// A grid that a kernel launched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "faults.hpp"
#include "shape.hpp"

namespace bankproof::ptx {

struct ChildGrid {
  std::size_t kernel = 0;        // in Family::kernels
  ThreadName by;                 // its launch is the number of the parent
  std::uint32_t site = no_site;  // of the launch
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
};

}  // namespace bankproof::ptx
