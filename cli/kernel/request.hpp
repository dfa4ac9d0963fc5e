// A request to `kernel`, from the command line or from a launch file: its buffers, its launches,
// which run one after another, and the buffers to save.
//
// A launch file:
//
//     {"buffers": {"in": "f32:1024=iota", "out": "f32:1024"},
//      "launches": [{"kernel": "scale<float>", "grid": [4], "block": 256, "shared": 0,
//                    "arguments": ["buffer:in", "buffer:out", "i32:1024"]}],
//      "symbols": {"table": "f32:16=random:1"},
//      "max_instructions": 1000000,
//      "save": {"out": "out.npy", "table": "table.npy"}}
//
// Buffers are written as on the command line and keep their contents from launch to launch. A
// buffer may also be an object: {"contents": "f32:1024=in.npy", "name": "its name in reports",
// "undefined": [[0, 64]]}, with ranges of bytes that nobody has written (the first byte, and the
// one after the last), or {"freed": true}. A symbol may be "buffer:NAME", if its memory is that
// buffer. "symbols" are variables of the CUDA or PTX file that contains the kernels, and keep their
// contents, too. Before the first launch, a symbol holds the initial value given here, or else its
// value in that file. "grid" and "block" are one to three numbers. These fields may be left out:
// "buffers", "arguments", "shared" (bytes), "kernel" (if there is only one), "symbols",
// "max_instructions" (for the threads of each launch) and "save". Paths are relative to the folder
// in which the program runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../cuda/session/arguments.hpp"
#include "../../ptx/isa/shape.hpp"
#include "../../ptx/memory/buffers.hpp"

namespace bankproof::cli {

struct RequestedBuffer {
  std::string name;   // its name in arguments and in --save
  std::string shown;  // its name in reports
  cuda::BufferDescription description;
  std::vector<ptx::ByteRange> undefined{};  // bytes that nobody has written
  bool freed = false;
  std::string place{};  // of a symbol: the name of its buffer
};

struct RequestedLaunch {
  std::string where;  // begins messages: "launches.json: launch 0: "
  std::string kernel;
  ptx::LaunchShape shape;
  std::vector<cuda::Argument> arguments;  // buffers are references
};

struct RequestedSave {
  std::string buffer;
  std::string file;
};

/// The heap of kernels before the first launch.
struct RequestedHeap {
  std::uint64_t bytes = ptx::Heap::usual_bytes;
  std::vector<RequestedBuffer> allocations;
};

struct KernelRequest {
  std::vector<RequestedBuffer> buffers;
  RequestedHeap heap;
  std::vector<RequestedLaunch> launches;
  std::vector<RequestedSave> saves;
  std::vector<RequestedBuffer> symbols;  // variables of the file that contains the kernels
  std::uint64_t max_instructions = 0;    // 0: no limit
  std::uint64_t schedule = 0;            // 0: the usual one
  std::string file;                      // the launch file; empty for the command line

  /// The number of the buffer of that name. Throws UsageError, which lists the existing names.
  std::size_t buffer(const std::string& name, const std::string& wanted_by) const;
  /// The symbol of that name, or null.
  const RequestedBuffer* symbol(const std::string& name) const;
};

/// One launch; as typed.
struct TypedLaunch {
  std::string kernel;
  std::string grid;
  std::string block;
  std::string shared;
  std::vector<std::string> arguments;
};

/// What the command line adds to its one launch or to a launch file; as typed.
struct TypedAdditions {
  std::vector<std::string> symbols;  // NAME=TYPE:COUNT[=INITIAL]
  std::vector<std::string> saves;    // K=FILE.npy
  std::string max_instructions;
  std::string schedule;
};

/// X, X,Y or X,Y,Z. Throws UsageError, also for an empty text.
ptx::Extent extent_of(const std::string& text, const std::string& option);

/// The request of one launch; its argument K is the buffer "K". Throws UsageError.
KernelRequest request_of(const TypedLaunch& typed);

/// Reads a launch file. Throws InputError.
KernelRequest read_request(const std::string& path);

/// Throws UsageError.
void add_to(KernelRequest& request, const TypedAdditions& typed);

}  // namespace bankproof::cli
