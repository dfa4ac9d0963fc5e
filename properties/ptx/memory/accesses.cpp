// Opcodes of memory instructions: their meaning, the refused opcodes, and the opcodes that need
// exact clocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../../ptx/memory/access.hpp"
#include "../../../ptx/memory/worker_records.hpp"
#include "../support.hpp"
#include "memory_support.hpp"

namespace bankproof::ptx {
namespace {

Instruction instruction(const std::string& text) {
  const Module module =
      parse(with_body(".reg .b32 r, s; .reg .b64 d; .reg .f32 f; .reg .pred q; " + text), "k.ptx");
  return all_of<Instruction>(module).at(0);
}

Access access(const std::string& text) { return access_of(instruction(text), "k.ptx"); }

TEST(Accesses, say_what_their_opcodes_mean) {
  EXPECT_EQ(access("ld.global.nc.L1::no_allocate.f32 f, [d];").element_bytes, 4U);
  EXPECT_FALSE(access("ld.global.f32 f, [d];").generic);
  EXPECT_TRUE(access("ld.u8 r, [d];").generic);
  EXPECT_TRUE(access("ld.shared.s8 r, [d];").sign_extended);
  EXPECT_FALSE(access("ld.shared.u8 r, [d];").sign_extended);
  EXPECT_EQ(access("ld.volatile.shared.u32 r, [d];").semantics, Semantics::relaxed);
  EXPECT_EQ(access("ld.acquire.gpu.global.u32 r, [d];").semantics, Semantics::acquire);
  EXPECT_EQ(access("st.release.cta.global.u32 [d], r;").scope, Scope::block);
  EXPECT_EQ(access("st.release.cluster.global.u32 [d], r;").scope, Scope::block)
      << "a block is a cluster of its own";
  EXPECT_EQ(access("ld.shared::cluster.u32 r, [d];").space, Space::shared);
  EXPECT_EQ(access("ld.param::func.u32 r, [d];").space, Space::param);
  EXPECT_EQ(access("ld.global.v2.u32 {r, s}, [d];").bytes(), 8U);
  const Access add = access("atom.global.add.u32 r, [d], s;");
  EXPECT_EQ(add.atomic, AtomicOperation::add);
  EXPECT_EQ(add.number, Number::unsigned_integer);
  EXPECT_EQ(add.semantics, Semantics::relaxed);
  EXPECT_EQ(access("red.relaxed.gpu.global.add.f32 [d], f;").operation, Operation::reduction);
  EXPECT_EQ(access("atom.acq_rel.gpu.shared.cas.b32 r, [d], r, s;").semantics,
            Semantics::acquire_release);
  const Access copy = access("cp.async.cg.shared.global.L2::128B [r], [d], 16;");
  EXPECT_EQ(copy.operation, Operation::copy);
  EXPECT_EQ(copy.element_bytes, 16U);
  EXPECT_EQ(access("prefetch.global.L2 [d];").operation, Operation::prefetch);
}

TEST(Accesses, by_atomic_operations_are_of_the_types_that_have_them) {
  for (const std::string opcode :
       {"exch.b32", "exch.b64", "exch.b128", "cas.b16", "cas.b32", "add.u32", "add.s32", "add.u64",
        "add.f32", "add.f64", "add.noftz.f16", "add.noftz.bf16x2", "min.s32", "max.u64", "and.b32",
        "or.b64", "xor.b32", "inc.u32", "dec.u32"}) {
    EXPECT_NO_THROW(access("atom.global." + opcode + " r, [d], s;")) << opcode;
  }
  EXPECT_EQ(access("atom.global.inc.u32 r, [d], s;").atomic, AtomicOperation::increment);
}

TEST(Accesses, that_are_not_known_are_refused_with_their_place) {
  for (const std::string opcode : {"ld.global.f31",
                                   "ld.somewhere.u32",
                                   "ld.release.gpu.u32",
                                   "st.const.u32",
                                   "atom.global.add.b32",
                                   "atom.global.inc.s32",
                                   "atom.global.inc.u64",
                                   "atom.global.dec.u16",
                                   "atom.global.and.b16",
                                   "atom.global.and.u32",
                                   "atom.global.or.b128",
                                   "atom.global.exch.b8",
                                   "atom.global.add.u16",
                                   "atom.global.max.s16",
                                   "atom.local.add.u32",
                                   "ld.global",
                                   "red.async.global.add.u32",
                                   "ld.shared::cta2.u32",
                                   "atom.global.min.noftz.f16",
                                   "red.global.max.noftz.bf16x2",
                                   "ld.global.shared.u32",
                                   "ld.relaxed.acquire.gpu.global.u32",
                                   "ld.relaxed.gpu.sys.global.u32",
                                   "ld.global.v2.v4.u32",
                                   "ld.global.u32.f32",
                                   "cp.async.ca.shared.global",
                                   "atom.global.add.min.u32",
                                   "ld.global.pred"}) {
    try {
      access("\n  " + opcode + " r, [d];");
      ADD_FAILURE() << opcode << " is accepted";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "unsupported: " + opcode + ", k.ptx:6:3");
    }
  }
}

TEST(Accesses, of_fences_releases_and_partial_barriers_need_exact_clocks) {
  const std::vector<std::pair<std::string, bool>> table = {
      {"membar.gl;", true},
      {"fence.acq_rel.gpu;", true},
      {"ld.acquire.gpu.global.u32 r, [d];", true},
      {"ld.volatile.global.u32 r, [d];", false},
      {"atom.global.add.u32 r, [d], s;", false},
      {"bar.sync 0;", false},
      {"bar.sync 1, 64;", true},
      {"barrier.sync 0;", false},
      {"bar.arrive 1, 64;", true},
      {"bar.red.popc.u32 r, 0, q;", false},
      {"bar.red.popc.u32 r, 0, 64, q;", true},
      {"bar.warp.sync -1;", false},
      {"bar.warp.sync 0xffffffff;", false},
      {"bar.warp.sync 15;", true},
      {"bar.warp.sync r;", true},
      {"add.u32 r, r, s;", false},
  };
  for (const auto& [text, needed] : table) {
    EXPECT_EQ(needs_exact_clocks(instruction(text)), needed) << text;
  }
}

TEST(Accesses, cp_async_fills_bytes_that_its_source_lacks_with_zeros) {
  TestLaunch machine(1, 32, 1024);
  machine.memory.add_buffer("in", 1024, true);
  std::fill_n(machine.memory[0].data.data(), 1024, std::byte{1});
  machine.launch.copies = true;
  machine.start();
  MemoryOperands operands;
  operands.access = access("cp.async.ca.shared.global [r], [d], 16;");
  operands.address = Frame::value(0);
  operands.wide_address = false;
  operands.source = Frame::addresses;
  operands.source_offset = 16;
  operands.source_bytes = Frame::value(1);
  // Some sources are longer than the copy.
  const auto length = [](std::uint32_t lane) { return lane < 17 ? lane : 2 * lane; };
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    machine.addresses()[lane] = buffer_address(0) + lane * 16;
    machine.value<std::uint32_t>(0)[lane] = lane * 16;
    machine.value<std::uint32_t>(1)[lane] = length(lane);
  }
  Op op;
  op.use(step_of(operands.access), operands);
  op.step(machine.warp(0, 0), &op);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    for (std::uint32_t k = 0; k < 16; ++k) {
      EXPECT_EQ(machine.block(0).shared[lane * 16 + k], std::byte{k < length(lane)}) << lane << k;
    }
  }
  EXPECT_THAT(machine.faults(), testing::IsEmpty());
}

/// Workers run their blocks at the same time: thread t of block b stores to `place(b, t)`.
template <class Place>
bool suspected(std::uint32_t workers, const Place& place) {
  constexpr std::uint32_t blocks = 64;
  TestLaunch machine(blocks, 32, 0);
  machine.memory.add_buffer("out", blocks * 256, false);
  machine.launch.workers = workers;
  machine.launch.several = workers > 1;
  make_records(machine.memory, workers);
  machine.start();
  std::vector<std::thread> threads;
  threads.reserve(workers);
  std::vector<Worker> own;
  own.reserve(workers);
  for (std::uint32_t w = 0; w < workers; ++w) {
    own.emplace_back(MachineRules::of("hmm"), 1).number = w;
  }
  for (std::uint32_t w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      Frame frame;
      MemoryOperands operands;
      operands.access = access_to(Operation::store, Space::global);
      operands.address = Frame::addresses;
      operands.values = {Frame::value(0)};
      Op op;
      op.use(step_of(operands.access), operands);
      for (std::uint32_t b = w; b < blocks; b += workers) {
        MemoryWarp& warp = machine.warp(b, 0);
        warp.worker = &own[w];
        warp.frame = frame.bytes.data();
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
          reinterpret_cast<std::uint64_t*>(frame.bytes.data())[lane] =
              buffer_address(0) + place(b, lane);
        }
        op.step(warp, &op);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return undecided(machine.launch) || workers_conflict(machine.launch);
}

TEST(Accesses, of_several_workers_are_suspected_exactly_when_those_of_one_are) {
  for (const std::uint32_t workers : {1U, 2U, 3U}) {
    EXPECT_FALSE(
        suspected(workers, [](std::uint64_t b, std::uint64_t t) { return b * 128 + t * 4; }));
    EXPECT_FALSE(
        suspected(workers, [](std::uint64_t b, std::uint64_t t) { return t * 256 + b * 4; }));
    EXPECT_TRUE(
        suspected(workers, [](std::uint64_t b, std::uint64_t t) { return b * 124 + t * 4; }));
    EXPECT_TRUE(suspected(workers, [](std::uint64_t b, std::uint64_t t) {
      return b == 63 && t == 5 ? 8 : b * 128 + t * 4;
    }));
  }
}

}  // namespace
}  // namespace bankproof::ptx
