// All functions of the driver API: those of functions.def in its order, and those of
// per_thread.def, whose names have the endings, in its order. libcuda.so.1 and cuGetProcAddress
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
extern const bankproof::cuda::driver::DriverFunction bankproof_driver_functions_of_threads[];
extern const unsigned bankproof_driver_function_of_threads_count;
// NOLINTEND(readability-identifier-naming)
}
