// Addresses of the device: numbers in the driver API, pointers in the runtime.
#pragma once

#include <cstdint>

#include "../headers/parts/driver_functions.h"

namespace bankproof::cuda::driver {

inline void* pointer_of(CUdeviceptr address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine, not of the host.
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
inline CUdeviceptr address_of(const void* pointer) {
  return static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace bankproof::cuda::driver
