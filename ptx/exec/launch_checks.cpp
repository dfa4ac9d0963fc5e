// Compares a launch with what the kernel, CUDA and this computer can have; see launch_checks.hpp.
#include "launch_checks.hpp"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "../races/clock.hpp"
#include "block_run.hpp"
#include "limits.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t most_warps_of_launch = most_warps - 2;  // GlobalMemory::take_warps

}  // namespace

void check_launch(const Program& program, const LaunchShape& shape, std::size_t parameter_bytes) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  if (parameter_bytes != program.parameter_bytes) {
    refuse("its parameters have " + std::to_string(program.parameter_bytes) + " bytes, not " +
           std::to_string(parameter_bytes));
  }
  check_shape(shape);
  // In a kernel with copies, each warp takes two numbers: its own and that of its copier.
  const std::uint64_t most_here = most_warps_of_launch / (program.copies ? 2 : 1);
  if (shape.blocks() > most_here / shape.warps()) {
    refuse("the machine runs at most " + std::to_string(most_here) +
           " warps a launch, and these are " + std::to_string(shape.blocks()) + " blocks of " +
           std::to_string(shape.warps()) + (shape.warps() == 1 ? " warp" : " warps") +
           "; a part of the grid shows the same");
  }
  if (!program.most_threads.empty()) {
    for (std::size_t k = 0; k < shape.block.size() && program.requires_shape; ++k) {
      const std::uint64_t extent = k < program.most_threads.size() ? program.most_threads[k] : 1;
      if (shape.block[k] == extent) continue;
      refuse("it is compiled for blocks of " + std::to_string(extent) + " threads in " + "xyz"[k] +
             ", not " + std::to_string(shape.block[k]));
    }
    std::uint64_t most = 1;
    for (const std::uint64_t extent : program.most_threads) {
      most *= std::min<std::uint64_t>(extent, most_threads_of_block);
    }
    if (volume(shape.block) > most) {
      refuse("it is compiled for blocks of at most " + std::to_string(most) + " threads, not " +
             std::to_string(volume(shape.block)));
    }
  }
  const std::uint64_t shared = shared_bytes(program, shape);
  if (shared > most_shared_bytes) {
    refuse(std::to_string(shared) + " bytes of shared memory, " +
           std::to_string(shared - shape.dynamic_shared_bytes) + " of the kernel's own and " +
           std::to_string(shape.dynamic_shared_bytes) + " of the launch; no chip has more than " +
           std::to_string(most_shared_bytes) + " a block");
  }
}

void check_memory(const Program& program, const LaunchShape& shape, std::uint64_t blocks) {
  const std::uint64_t of_warp =
      warp_lanes * program.local_bytes + program.functions.front()->frame_bytes;
  const std::uint64_t all = blocks * shape.warps() * of_warp;
  const auto here = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                    static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  if (all <= here) return;
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  throw std::invalid_argument(
      "local memory and registers of " + std::to_string(blocks) + " blocks at a time need " +
      std::to_string(all / mebibyte) + " MiB, more than the " + std::to_string(here / mebibyte) +
      " MiB of this machine; let fewer run (--resident), or give the kernel a buffer instead");
}

}  // namespace bankproof::ptx
