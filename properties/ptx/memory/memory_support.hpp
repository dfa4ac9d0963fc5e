// A launch of warps that a test drives access by access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../../../ptx/memory/barriers.hpp"
#include "../../../ptx/memory/warp_memory.hpp"

namespace bankproof::ptx {

/// The registers of an access: addresses, and up to 16 values in lanes of up to 16 bytes.
struct alignas(slot_alignment) Frame {
  static constexpr Slot addresses = 0;
  static constexpr Slot value(std::size_t k) {
    return static_cast<Slot>(slot_bytes(LaneType::b64) + k * slot_bytes(LaneType::b128));
  }
  std::array<std::byte, slot_bytes(LaneType::b64) + 16 * slot_bytes(LaneType::b128)> bytes{};
};

class TestLaunch {
 public:
  TestLaunch(std::uint32_t blocks, std::uint32_t threads, std::uint32_t shared_bytes,
             std::string_view machine = "hmm", std::size_t sites = 64)
      : threads_(threads), shared_bytes_(shared_bytes), blocks_(blocks) {
    launch.global = &memory;
    worker = std::make_unique<Worker>(MachineRules::of(machine), sites);
    machine_ = machine;
    warps_.resize(std::size_t{blocks} * warps_per_block());
  }

  std::uint32_t warps_per_block() const { return (threads_ + warp_lanes - 1) / warp_lanes; }

  /// Starts or restarts the launch.
  void start() {
    const std::size_t sites = worker->strides.size();
    worker = std::make_unique<Worker>(MachineRules::of(machine_), sites);
    start_launch(launch, blocks_.size(), threads_);
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      start_block(blocks_[b], launch, b, shared_bytes_);
      for (std::uint32_t k = 0; k < warps_per_block(); ++k) {
        MemoryWarp& one = warp(b, k);
        one.frame = frame.bytes.data();
        start_warp(one, launch, blocks_[b], *worker, k);
        one.activate(one.existing);
      }
    }
  }

  MemoryWarp& warp(std::uint32_t block, std::uint32_t index) {
    return warps_[std::size_t{block} * warps_per_block() + index];
  }
  BlockMemory& block(std::uint32_t number) { return blocks_[number]; }

  /// A barrier of all threads of the block.
  void barrier(std::uint32_t number) {
    std::vector<Arrival> arrivals;
    for (MemoryWarp* one : blocks_[number].warps) arrivals.push_back({one, one->existing});
    block_barrier(blocks_[number], arrivals);
  }

  template <class T>
  T* value(std::size_t k) {
    return reinterpret_cast<T*>(frame.bytes.data() + Frame::value(k));
  }
  std::uint64_t* addresses() {
    return reinterpret_cast<std::uint64_t*>(frame.bytes.data() + Frame::addresses);
  }

  /// Performs an access; its registers are `addresses()` and `value(k)` of the frame.
  void access(MemoryWarp& one, const Access& what, LaneMask lanes, std::uint32_t site,
              LaneType type = LaneType::b32, bool after_copies = false) {
    MemoryOperands operands;
    operands.after_copies = after_copies;
    operands.access = what;
    operands.address = Frame::addresses;
    operands.type = type;
    for (std::size_t k = 0; k < 16; ++k) operands.values.push_back(Frame::value(k));
    choose_short_ways(operands, level);
    Op op;
    op.use(step_of(what), operands);
    op.site = site;
    one.activate(lanes);
    op.step(one, &op);
    one.activate(one.existing);
  }

  /// Performs a cp.async with whole sources, from `sources()` to `addresses()`.
  void copy(MemoryWarp& one, std::uint32_t bytes, LaneMask lanes, std::uint32_t site) {
    MemoryOperands operands;
    operands.access.operation = Operation::copy;
    operands.access.space = Space::shared;
    operands.access.element_bytes = bytes;
    operands.address = Frame::addresses;
    operands.source = Frame::value(0);
    Op op;
    op.use(step_of(operands.access), operands);
    op.site = site;
    one.activate(lanes);
    op.step(one, &op);
    one.activate(one.existing);
  }
  std::uint64_t* sources() { return value<std::uint64_t>(0); }

  /// The faults of the run, a line each: "race: …".
  std::vector<std::string> faults() const {
    std::vector<std::string> lines;
    for (const auto& [key, fault] : worker->faults.all()) {
      lines.push_back(std::string(name_of(fault.kind)) + ": " + fault.message);
    }
    return lines;
  }

  GlobalMemory memory;
  LaunchMemory launch;
  Level level = best_level();
  std::unique_ptr<Worker> worker;
  Frame frame;

 private:
  std::uint32_t threads_;
  std::uint32_t shared_bytes_;
  std::string machine_;
  std::vector<BlockMemory> blocks_;
  std::vector<MemoryWarp> warps_;
};

inline Access access_to(Operation operation, Space space, std::uint32_t bytes = 4) {
  Access access;
  access.operation = operation;
  access.space = space;
  access.element_bytes = bytes;
  if (operation == Operation::atomic || operation == Operation::reduction) {
    access.atomic = AtomicOperation::exchange;
    access.semantics = Semantics::relaxed;
  }
  return access;
}

}  // namespace bankproof::ptx
