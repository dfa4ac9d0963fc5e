// What `kernel` is asked to launch: buffers, launches one after another, and what is saved; from
// the command line or from a file.
//
// A launch file:
//
//     {"buffers": {"in": "f32:1024=iota", "out": "f32:1024"},
//      "launches": [{"kernel": "scale<float>", "grid": [4], "block": 256, "shared": 0,
//                    "arguments": ["buffer:in", "buffer:out", "i32:1024"]}],
//      "save": {"out": "out.npy"}}
//
// Buffers are written as on the command line and live from launch to launch. "grid" and "block"
// are one to three numbers; "shared" (bytes), "kernel" (where there is only one) and "save" may be
// left out. Paths are relative to the folder in which the program runs.
#pragma once

#include <string>
#include <vector>

#include "../../cuda/kernel/arguments.hpp"
#include "../../cuda/ptx/machine/shape.hpp"

namespace bankproof::cli {

struct RequestedBuffer {
  std::string name;   // as arguments and --save have it
  std::string shown;  // as reports have it
  cuda::BufferDescription description;
};

struct RequestedLaunch {
  std::string kernel;
  ptx::LaunchShape shape;
  std::vector<cuda::Argument> arguments;  // buffers are references
};

struct RequestedSave {
  std::string buffer;
  std::string file;
};

struct KernelRequest {
  std::vector<RequestedBuffer> buffers;
  std::vector<RequestedLaunch> launches;
  std::vector<RequestedSave> saves;

  /// The buffer of that name. Throws UsageError, which lists those that there are.
  std::size_t buffer(const std::string& name, const std::string& wanted_by) const;
};

/// One launch; as typed.
struct TypedLaunch {
  std::string kernel;
  std::string grid;
  std::string block;
  std::string shared;
  std::vector<std::string> arguments;
  std::vector<std::string> saves;  // K=FILE.npy
};

/// Argument K is the buffer "K". Throws UsageError.
KernelRequest request_of(const TypedLaunch& typed);

/// Reads a launch file; `saves` of the command line are added. Throws UsageError and InputError.
KernelRequest read_request(const std::string& path, const std::vector<std::string>& saves);

}  // namespace bankproof::cli
