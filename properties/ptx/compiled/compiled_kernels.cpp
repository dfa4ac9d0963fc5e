// Kernels on compiled code do what they do in the interpreter: results, counts, faults and what
// they print, whichever of the two runs each turn of a block.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "../../../ptx/alu/row.hpp"
#include "../../../ptx/compiled/cache.hpp"
#include "../../../ptx/compiled/find.hpp"
#include "../../../ptx/exec/compiled_code.hpp"
#include "../../../ptx/exec/describe.hpp"
#include "../../../testing/property.hpp"
#include "../exec/random_kernel.hpp"
#include "compiler.hpp"
#include "outcome.hpp"

namespace bankproof::ptx {
namespace {

class CompiledKernels : public WithCompiler {
 protected:
  bool has_fma() const {
    const Row& row = *find_row("fma.rn.f32");
    compiled::Instruction fma{.kind = compiled::Kind::row, .destinations = 1, .sources = 3};
    fma.d_type[0] = LaneType::b32;
    fma.s_type.fill(LaneType::b32);
    fma.opcode = row.opcode.c_str();
    return compiler_->knows(fma);
  }
};

std::string any_kernel() {
  const auto choices = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
  return *rc::gen::arbitrary<bool>() ? structured_kernel(choices, {}) : tangled_kernel(choices, {});
}

TEST_F(CompiledKernels, do_what_the_interpreter_does) {
  bankproof::testing::check_property(
      [] {
        const std::string text = any_kernel();
        const auto threads = *rc::gen::inRange(1U, 100U);
        const auto schedule = *rc::gen::inRange<std::uint64_t>(0, 4);
        const Outcome plain = outcome(text, threads, {.when = When::never, .schedule = schedule});
        const auto mixed = *rc::gen::inRange<std::uint64_t>(0, 100);
        RC_ASSERT(outcome(text, threads, {.schedule = schedule}) == plain);
        RC_ASSERT(outcome(text, threads, {.mixed = mixed + 1, .schedule = schedule}) == plain);
      },
      {}, 2);
}

/// Kernels whose lanes wait for one another, or for what never happens.
std::string waiting(const std::string& body) {
  return ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
         ".reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<9>;\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n" +
         body + "\n}\n";
}
const std::vector<std::string> waiting_kernels{
    // A lock that lanes of all warps and blocks take.
    waiting(
        "LOCK: atom.global.cas.b32 %r5, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra LOCK;\n"
        "membar.gl;\nld.global.u32 %r6, [%rd1+4];\nadd.s32 %r6, %r6, 1;\n"
        "st.global.u32 [%rd1+4], %r6;\nmembar.gl;\natom.global.exch.b32 %r5, [%rd1], 0;\nret;"),
    // Lanes take turns by a ticket, which is read into a register that nothing else reads.
    waiting("atom.global.add.u32 %r2, [%rd1], 1;\n"
            "TURN: ld.volatile.global.u32 %r3, [%rd1+4];\nsub.u32 %r4, %r2, %r3;\n"
            "setp.ne.u32 %p1, %r4, 0;\n@%p1 bra TURN;\n"
            "atom.global.add.u32 %r5, [%rd1+4], 1;\nret;"),
    // Odd lanes wait for a word that nobody writes, or for one that other lanes write at their end.
    waiting("and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra EVEN;\n"
            "WAIT: ld.volatile.global.u32 %r3, [%rd1+8];\nadd.u32 %r4, %r3, 7;\n"
            "setp.ne.u32 %p2, %r4, 8;\n@%p2 bra WAIT;\nEVEN: ret;"),
    waiting("and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra EVEN;\n"
            "WAIT: ld.volatile.global.u32 %r3, [%rd1+8];\nadd.u32 %r4, %r3, 7;\n"
            "setp.ne.u32 %p2, %r4, 8;\n@%p2 bra WAIT;\nbra END;\n"
            "EVEN: atom.global.exch.b32 %r5, [%rd1+8], 1;\nEND: ret;"),
    // A loop that counts while others wait for it, and one that never ends.
    waiting("mov.u32 %r2, 0;\nLOOP: add.u32 %r3, %r2, 5;\nmin.u32 %r2, %r3, 5000;\n"
            "setp.lt.u32 %p1, %r2, 5000;\nsetp.eq.or.u32 %p1, %r1, 3, %p1;\n@%p1 bra LOOP;\nret;"),
    waiting("bar.sync 0;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 bra END;\nbar.sync 0;\nEND: ret;"),
};

TEST_F(CompiledKernels, wait_as_the_interpreter_does) {
  for (std::size_t k = 0; k < waiting_kernels.size(); ++k) {
    for (const std::uint64_t schedule : {0U, 1U, 2U}) {
      const Outcome plain =
          outcome(waiting_kernels[k], 64, {.when = When::never, .schedule = schedule});
      for (const std::uint64_t mixed : {0U, 1U, 2U, 3U}) {
        EXPECT_EQ(outcome(waiting_kernels[k], 64, {.mixed = mixed, .schedule = schedule}), plain)
            << "kernel " << k << ", schedule " << schedule << ", mixed " << mixed;
      }
    }
  }
}

// Blocks that are executed by some of the lanes, in a loop.
const char* const loop = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .f32 %f<3>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mad.lo.s32 %r2, %r3, %r4, %r1;
mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd3, %rd1, %rd2;
cvt.rn.f32.u32 %f1, %r2;
add.u32 %r5, %r2, 3;
LOOP: fma.rn.f32 %f1, %f1, 0f3F812345, 0f3F823456;
sub.u32 %r5, %r5, 1;
setp.ne.u32 %p1, %r5, 0;
@%p1 bra LOOP;
mov.b32 %r6, %f1;
add.u32 %r6, %r6, %r5;
st.global.u32 [%rd3], %r6;
ret;
}
)";

TEST_F(CompiledKernels, with_a_mistake_are_found) {
  using compiled::Mistake;
  const Outcome plain = outcome(loop, 64, {.when = When::never});
  EXPECT_EQ(outcome(loop, 64, {}), plain);
  for (const Mistake mistake :
       {Mistake::rounds_twice, Mistake::forgets_mask, Mistake::counts_no_lanes}) {
    if (mistake == Mistake::rounds_twice && !has_fma()) continue;
    EXPECT_NE(outcome(loop, 64, {.mistake = mistake}), plain) << static_cast<int>(mistake);
  }
}

TEST_F(CompiledKernels, are_compiled_when_they_have_earned_it) {
  KernelRun run(loop, "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(256));
  RunOptions options;
  options.compile = {.when = When::earned, .after = 200'000};
  const auto launch = [&] { return outcome_of(run.launch({4, 1, 1}, {64, 1, 1}, options), {}); };
  const Outcome first = launch();
  EXPECT_EQ(run.program().compiled->pieces(), nullptr);  // too few instructions until now
  EXPECT_LT(run.result().thread_instructions, 200'000U);
  launch();
  using namespace std::chrono_literals;
  for (int k = 0; k < 3000 && run.program().compiled->pieces() == nullptr; ++k) {
    std::this_thread::sleep_for(10ms);
    launch();
  }
  EXPECT_NE(run.program().compiled->pieces(), nullptr) << run.program().compiled->why_not();
  EXPECT_EQ(launch(), first);
  EXPECT_EQ(run.data<std::uint32_t>(out).size(), 256U);
}

TEST_F(CompiledKernels, are_kept_on_disk) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("objects" + std::to_string(getpid()));
  RunOptions options;
  options.compile = {.when = When::always, .cache = folder.string()};
  const auto launch = [&] {
    KernelRun run(loop, "k");
    const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(128));
    const LaunchResult& result = run.launch({2, 1, 1}, {64, 1, 1}, options);
    EXPECT_NE(run.program().compiled->pieces(), nullptr);
    return outcome_of(result, run.data<std::uint32_t>(out));
  };
  const Outcome first = launch();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry);
  ASSERT_EQ(files.size(), 1U);
  const auto written = std::filesystem::last_write_time(files[0]);
  EXPECT_EQ(launch(), first);
  EXPECT_EQ(std::filesystem::last_write_time(files[0]), written);
  std::ifstream in(files[0], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Program program = decode(parse(loop, "k.ptx"), "k");
  EXPECT_NE(text.find(std::to_string(compiled::interface_version) + " " + compiler_->name + "\n" +
                      Description(program).key()),
            std::string::npos);
  // Nothing of a file that was cut short is loaded; it is written again.
  const auto bytes = std::filesystem::file_size(files[0]);
  std::filesystem::resize_file(files[0], bytes / 2);
  EXPECT_EQ(launch(), first);
  EXPECT_EQ(std::filesystem::file_size(files[0]), bytes);
  std::filesystem::remove_all(folder);
}

TEST_F(CompiledKernels, with_a_mistake_are_not_kept_on_disk) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("mistakes" + std::to_string(getpid()));
  KernelRun run(loop, "k");
  run.buffer(std::vector<std::uint32_t>(128));
  RunOptions options;
  options.compile = {
      .when = When::always, .cache = folder.string(), .mistake = compiled::Mistake::rounds_twice};
  run.launch({2, 1, 1}, {64, 1, 1}, options);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(CompiledKernels, need_a_plugin_of_the_same_version) {
  EXPECT_EQ(compiler_->version, compiled::interface_version);
  EXPECT_EQ(compiler_->op_bytes, sizeof(Op));
}

TEST(CompilerPlugin, of_another_version_is_refused) {
  compiled::Compiler compiler;
  EXPECT_EQ(compiled::accepted(&compiler, "it").compiler, &compiler);
  EXPECT_EQ(compiled::accepted(nullptr, "it").compiler, nullptr);
  ++compiler.version;
  const compiled::Found refused = compiled::accepted(&compiler, "it");
  EXPECT_EQ(refused.compiler, nullptr);
  EXPECT_EQ(refused.why, "it is of another version of bankproof");
  --compiler.version;
  ++compiler.op_bytes;
  EXPECT_EQ(compiled::accepted(&compiler, "it").compiler, nullptr);
}

TEST(CompilerPlugin, that_is_none_is_refused) {
  const compiled::Found none = compiled::load_compiler("/nonexistent/plug-in.so");
  EXPECT_EQ(none.compiler, nullptr);
  EXPECT_NE(none.why, "");
  const compiled::Found other = compiled::load_compiler("libm.so.6");
  EXPECT_EQ(other.compiler, nullptr);
  EXPECT_NE(other.why.find("another version"), std::string::npos) << other.why;
}

}  // namespace
}  // namespace bankproof::ptx
