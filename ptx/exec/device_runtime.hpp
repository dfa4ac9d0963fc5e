// Calls of CUDA's device runtime: functions of the library cudadevrt that kernels call. nvcc writes
// child<<<grid, block, shared, stream>>>(arguments) in a kernel as
//
//   void* __cudaCDP2GetParameterBufferV2(child, grid, block, shared)    null if it fails
//   … generic stores of the arguments, each at its offset in the parameters …
//   cudaError_t __cudaCDP2LaunchDeviceV2(buffer, stream)
//
// (PTX of nvcc 13.0.) A thread has its parameter buffers at the end of its local memory.
#pragma once

#include <string>
#include <string_view>

#include "../isa/op.hpp"
#include "control.hpp"

namespace bankproof::ptx {

/// A function of the device runtime.
struct DeviceFunction {
  std::string_view name;   // without __cudaCDP2
  std::string_view sizes;  // the bytes of its arguments and, behind ":", of its result: "8 4:4"
  bool launches;           // it enqueues work, or deals with it
  bool uses_heap;
  StepWith<CallOperands> step;
};

/// Null if the machine does not have it; `name` is as in PTX.
const DeviceFunction* device_function(std::string_view name);

/// Why a kernel cannot call a function of the device runtime that the machine does not have; empty
/// for the name of anything else.
std::string why_no_device_function(std::string_view name);

/// Whether the call's arguments and results have the function's sizes.
bool fits(const DeviceFunction& function, const CallOperands& call);

}  // namespace bankproof::ptx
