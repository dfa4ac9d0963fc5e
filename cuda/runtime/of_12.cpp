// What libcudart.so.12 has beside of_earlier.cpp: its version, and cudaDeviceProp.
#include "earlier_layouts.hpp"
#include "majors.hpp"

namespace bankproof::cuda {

int version() { return 12090; }

}  // namespace bankproof::cuda
