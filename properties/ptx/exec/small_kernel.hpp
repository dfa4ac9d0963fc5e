// Kernels of a few lines that store their findings in one buffer, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../kernel_run.hpp"

namespace bankproof::ptx {

/// A kernel whose only parameter is a buffer. %rd1 is the buffer's address, %r1 the thread in its
/// block, %r2 the thread in the grid, and %rd2 the address of the thread's word.
inline std::string kernel(const std::string& body, const std::string& items = {}) {
  return ".version 8.3\n.target sm_90\n.address_size 64\n" + items +
         ".visible .entry k(.param .u64 out)\n{\n"
         ".reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<9>;\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r3, %ctaid.x;\n"
         "mov.u32 %r4, %ntid.x;\nmad.lo.s32 %r2, %r3, %r4, %r1;\n"
         "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd2, %rd1, %rd2;\n" +
         body + "\n}\n";
}

struct Ran {
  std::vector<std::uint32_t> out;
  std::vector<FaultKind> faults;
  LaunchResult result;
};

inline Ran run(const std::string& text, std::uint32_t blocks, std::uint32_t threads,
               std::uint32_t words = 0, const RunOptions& options = {}) {
  KernelRun kernel_run(text, "k");
  const std::uint32_t out =
      kernel_run.buffer(std::vector<std::uint32_t>(std::max(words, blocks * threads)));
  kernel_run.launch({blocks, 1, 1}, {threads, 1, 1}, options);
  return {kernel_run.data<std::uint32_t>(out), kernel_run.faults(), kernel_run.result()};
}

inline RunOptions with_schedule(std::uint64_t schedule) {
  RunOptions options;
  options.schedule = schedule;
  return options;
}

inline RunOptions with_threads(std::uint32_t threads) {
  RunOptions options;
  options.threads = threads;
  return options;
}

}  // namespace bankproof::ptx
