// The memory of the registers of calls, and its contents before the first instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "../isa/shape.hpp"
#include "program.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

/// The initial contents of the frames of a launch; the same for all workers.
class FrameImages {
 public:
  /// `globals` are the addresses of Program::globals.
  FrameImages(const Program& program, const LaunchShape& shape, std::uint32_t launch,
              std::span<const std::byte> parameters, std::span<const std::uint64_t> globals);

  /// Fills a frame for warp `warp` of block `block`.
  void fill(const Frame& frame, std::uint32_t warp, std::uint64_t block) const;
  /// Prepares a frame of the kernel, which was filled for a warp of an earlier block, for the warp
  /// of the same number in this block.
  void begin_again(const Frame& frame, std::uint64_t block) const;

 private:
  using Lanes = std::array<std::uint32_t, warp_lanes>;

  static void clear_first_reads(const Frame& frame);
  void fill_block(const Frame& frame, std::uint64_t block) const;

  LaunchShape shape_;
  std::unordered_map<const FunctionCode*, SlotContents> images_;  // without constants
  std::vector<std::array<Lanes, 3>> threads_;                     // %tid of each warp of a block
};

/// Frames for reuse. Not thread-safe.
class FramePool {
 public:
  Frame* take(const FunctionCode& code);
  void give_back(Frame* frame) { unused_[frame->code].push_back(frame); }

 private:
  struct Owned {
    Frame frame;
    std::unique_ptr<std::byte[]> memory;
  };
  std::vector<std::unique_ptr<Owned>> all_;
  std::unordered_map<const FunctionCode*, std::vector<Frame*>> unused_;
};

}  // namespace bankproof::ptx
