// Measures how fast rows of the arithmetic table compute, in thread instructions per second (32 per
// step of a warp): portable rows and rows compiled for this processor, with all lanes active and
// with half of them. A program is 64 operations on eight registers; the loop that runs kernels also
// runs these programs.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../ptx/alu/row.hpp"

namespace bankproof::ptx {
namespace {

const Row& row_of(Level level, const std::string& opcode) {
  for (const Row& row : rows(level)) {
    if (row.opcode == opcode) return row;
  }
  throw std::invalid_argument("no row " + opcode);
}

struct alignas(slot_alignment) Line {
  std::array<std::byte, slot_alignment> bytes;
};

constexpr std::size_t operations = 64;
constexpr Slot registers = 8;
constexpr auto register_bytes = static_cast<Slot>(slot_bytes(LaneType::b64));

/// A program that repeats the opcodes in turn; its operands change from register to register.
std::vector<Op> program_of(Level level, const std::vector<std::string>& opcodes) {
  std::vector<Op> program(operations + 1);
  Slot next = 0;
  const auto any_register = [&next] { return (next = (next + 3) % registers) * register_bytes; };
  for (std::size_t i = 0; i < operations; ++i) {
    const Row& row = row_of(level, opcodes[i % opcodes.size()]);
    Op& op = program[i];
    op.step = row.step;
    for (std::size_t k = 0; k < row.sources.size(); ++k) op.s.at(k) = any_register();
    for (std::size_t k = 0; k < row.destinations.size(); ++k) op.d.at(k) = any_register();
  }
  program.back().step = [](WarpState&, const Op*) -> const Op* { return nullptr; };
  return program;
}

void run(benchmark::State& state, Level level, const std::vector<std::string>& opcodes,
         LaneMask lanes) {
  if (level == Level::avx2 && best_level() != Level::avx2) {
    state.SkipWithError("this processor has no AVX2");
    return;
  }
  const std::vector<Op> program = program_of(level, opcodes);
  std::vector<Line> frame(std::size_t{registers} * register_bytes / slot_alignment);
  Scratch scratch;
  WarpState warp;
  warp.frame = frame[0].bytes.data();
  warp.scratch = &scratch;
  warp.activate(lanes);
  // Each word is 1 as an f32, and a pair of these words is about 1 as an f64.
  for (std::size_t i = 0; i < frame.size() * slot_alignment / 4; ++i) {
    reinterpret_cast<std::uint32_t*>(warp.frame)[i] = 0x3f800000;
  }
  for (auto _ : state) {
    for (const Op* op = program.data(); op != nullptr;) op = op->step(warp, op);
  }
  state.counters["instructions/s"] = benchmark::Counter(
      static_cast<double>(operations * warp_lanes), benchmark::Counter::kIsIterationInvariantRate);
}

void add(const std::string& name, const std::vector<std::string>& opcodes) {
  for (const auto& [level, suffix] :
       {std::pair{Level::portable, "portable"}, std::pair{Level::avx2, "avx2"}}) {
    for (const auto& [lanes, mask] :
         {std::pair{all_lanes, "all"}, std::pair{LaneMask{0x55555555}, "half"}}) {
      benchmark::RegisterBenchmark((name + "/" + suffix + "/" + mask).c_str(), run, level, opcodes,
                                   lanes);
    }
  }
}

const bool added = [] {
  for (const char* opcode :
       {"fma.rn.f32", "add.f32",        "mul.f32",         "fma.rn.ftz.f32", "add.s32",
        "mul.lo.s32", "mad.lo.s32",     "mul.wide.s32",    "shl.b32",        "shr.u32",
        "and.b32",    "lop3.b32",       "add.s64",         "fma.rn.f64",     "add.f64",
        "div.rn.f32", "cvt.rn.f32.s32", "cvt.rzi.s32.f32", "cvt.s64.s32",    "min.f32",
        "add.rz.f32", "fma.rn.f16x2",   "add.f16x2",       "ex2.approx.f32", "rsqrt.approx.f32",
        "rem.u32",    "popc.b32",       "bfe.u32",         "prmt.b32",       "shf.l.wrap.b32",
        "mov.b32",    "setp.lt.f32"}) {
    add(opcode, {opcode});
  }
  add("setp+selp", {"setp.lt.s32", "selp.b32"});
  add("integers", {"add.s32", "mul.lo.s32", "shl.b32", "xor.b32", "setp.lt.s32", "selp.b32"});
  return true;
}();

}  // namespace
}  // namespace bankproof::ptx
