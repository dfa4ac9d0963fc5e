// What libcudart.so.12 has beside of_earlier.cpp: its version, and cudaDeviceProp.
#include "../majors.hpp"
#include "earlier_layouts.hpp"

namespace bankproof::cuda {

int version() { return 12090; }

}  // namespace bankproof::cuda
