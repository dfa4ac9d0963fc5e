// All functions of the driver API, in the order of functions.def. libcuda.so.1 and cuGetProcAddress
// find them here.
#pragma once

namespace bankproof::cuda::driver {

struct DriverFunction {
  const char* name;
  void (*function)();
};

}  // namespace bankproof::cuda::driver

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): among exported names, it says whose it is.
extern const bankproof::cuda::driver::DriverFunction bankproof_driver_functions[];
extern const unsigned bankproof_driver_function_count;
// NOLINTEND(readability-identifier-naming)
}
