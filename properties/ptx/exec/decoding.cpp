// The decoded form of operands, variables and special registers, and the refusals of the decoder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../kernel_run.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string decoded_kernel(const std::string& body, const std::string& items = {},
                           const std::string& parameters = {}) {
  return ".version 8.3\n.target sm_80\n.address_size 64\n" + items +
         ".visible .entry k(.param .u64 out" + parameters +
         ")\n{\n.reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"
         "ld.param.u64 %rd1, [out];\n" +
         body + "\n}\n";
}

// The 8 words that one thread stores to its buffer.
std::vector<std::uint32_t> words(const std::string& text, std::uint64_t dynamic_shared = 0) {
  KernelRun run(text, "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(8));
  run.launch({1, 1, 1}, {1, 1, 1}, {}, dynamic_shared);
  EXPECT_THAT(run.faults(), IsEmpty());
  return run.data<std::uint32_t>(out);
}

std::string refused(const std::string& text) {
  try {
    decode(parse(text, "k.ptx"), "k");
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

// ---- Operands

TEST(Operands, of_conversions_may_be_wider_than_their_types) {
  const auto got =
      words(decoded_kernel("mov.b32 %r1, 0x12345680;\ncvt.s32.s8 %r2, %r1;\n"
                           "cvt.u32.u16 %r3, %r1;\ncvt.s16.s8 %rs1, %r1;\n"
                           "cvt.u32.u16 %r4, %rs1;\ncvt.s8.s32 %r5, %r1;\n"
                           "mov.b64 %rd2, 0x1122334455667788;\ncvt.u32.u8 %r6, %rd2;\n"
                           "st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};\n"
                           "st.global.u32 [%rd1+16], %r6;\nret;"));
  EXPECT_EQ(got[0], 0xFFFFFF80U);
  EXPECT_EQ(got[1], 0x5680U);
  EXPECT_EQ(got[2], 0xFF80U);
  EXPECT_EQ(got[3], 0xFFFFFF80U);
  EXPECT_EQ(got[4], 0x88U);
}

TEST(Operands, are_packed_and_unpacked) {
  const auto got =
      words(decoded_kernel("mov.b64 %rd2, {0x11111111, 0x22222222};\n"
                           "mov.b64 {_, %r1}, %rd2;\nmov.b32 %r2, 0x33334444;\n"
                           "mov.b32 {%rs1, %rs2}, %r2;\nmov.b32 %r3, {%rs2, %rs1};\n"
                           "st.global.u64 [%rd1], %rd2;\nst.global.v2.b32 [%rd1+8], "
                           "{%r1, %r3};\nret;"));
  EXPECT_THAT(std::vector<std::uint32_t>(got.begin(), got.begin() + 4),
              ElementsAre(0x11111111U, 0x22222222U, 0x22222222U, 0x44443333U));
}

TEST(Operands, carry_from_one_instruction_to_the_next) {
  const auto got =
      words(decoded_kernel("mov.u32 %r1, 0xFFFFFFFF;\nadd.cc.u32 %r2, %r1, 2;\n"
                           "addc.cc.u32 %r3, %r1, 0;\naddc.u32 %r4, 0, 0;\n"
                           "st.global.v2.u32 [%rd1], {%r2, %r3};\n"
                           "st.global.u32 [%rd1+8], %r4;\nret;"));
  EXPECT_EQ(got[0], 1U);
  EXPECT_EQ(got[1], 0U);
  EXPECT_EQ(got[2], 1U);
}

TEST(Operands, special_registers) {
  KernelRun run(
      decoded_kernel("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\n"
                     "mov.u32 %r4, %ntid.x;\nmov.u32 %r5, %ntid.y;\nmad.lo.u32 %r6, %r3, %r5, "
                     "%r2;\nmad.lo.u32 %r6, %r6, %r4, %r1;\nmov.u32 %r7, %ctaid.y;\n"
                     "mov.u32 %r8, %nctaid.x;\nmov.u32 %r9, %ctaid.x;\n"
                     "mad.lo.u32 %r7, %r7, %r8, %r9;\nmad.lo.u32 %r7, %r7, 70, %r6;\n"
                     "mul.wide.u32 %rd2, %r7, 16;\nadd.u64 %rd2, %rd1, %rd2;\n"
                     "mov.u32 %r10, %laneid;\nmov.u32 %r11, %warpid;\n"
                     "mov.u32 %r12, %lanemask_lt;\nmov.u32 %r13, %lanemask_ge;\n"
                     "st.global.v4.u32 [%rd2], {%r10, %r11, %r12, %r13};\nret;"),
      "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(std::size_t{4} * 70 * 6));
  run.launch({3, 2, 1}, {5, 7, 2});
  EXPECT_THAT(run.faults(), IsEmpty());
  const auto got = run.data<std::uint32_t>(out);
  for (std::uint32_t t = 0; t < 70 * 6; ++t) {
    const std::uint32_t lane = t % 70 % 32;
    EXPECT_EQ(got[4 * t], lane);
    EXPECT_EQ(got[4 * t + 1], t % 70 / 32);
    EXPECT_EQ(got[4 * t + 2], (1U << lane) - 1);
    EXPECT_EQ(got[4 * t + 3], ~((1U << lane) - 1));
  }
}

TEST(Operands, of_accesses_are_as_many_and_as_wide_as_they_must) {
  const auto error = [](const std::string& line) {
    return refused(decoded_kernel(line + "\nret;"));
  };
  for (const char* const line :
       {"st.global.u32 [%rd1], {};", "st.global.u32 [%rd1], [%rd1];",
        "st.global.v2.u32 [%rd1], %r1;", "st.global.u32 [%rd1], {%r1, %r2};",
        "ld.global.u32 {%r1, %r2}, [%rd1];", "atom.global.add.u32 %r1, [%rd1];",
        "atom.global.cas.b32 %r1, [%rd1], %r2;", "red.global.add.u32 [%rd1], %r1, %r2;"}) {
    EXPECT_NE(error(line), "taken") << line;
  }
  EXPECT_THAT(error("st.global.u32 [%rd1], {};"), HasSubstr("another number of values, k.ptx:"));
  EXPECT_THAT(error("st.global.u64 [%rd1], %r1;"), HasSubstr("a register that is too small"));
  EXPECT_THAT(error("st.global.u32 [%rd1], %p1;"), HasSubstr("a register that is too small"));
  EXPECT_THAT(error("ld.global.u32 %r1, [%rs1];"), HasSubstr("an address in a register"));
  EXPECT_THAT(error("cp.async.ca.shared.global [%r1], [%r2], 4;"),
              HasSubstr("a source with an address of 32 bits"));
  EXPECT_THAT(error("st.global.v2.u32 [%rd1], {%r1, _};"), HasSubstr("this form of operand"));
}

// Each block forms a cluster by itself.
TEST(Operands, name_each_part_of_a_space_in_each_instruction) {
  const auto got = words(
      decoded_kernel("mov.u64 %rd2, word;\ncvta.shared::cluster.u64 %rd3, %rd2;\n"
                     "st.shared::cta.u32 [%rd2], 7;\nld.shared::cluster.u32 %r1, [word];\n"
                     "ld.u32 %r2, [%rd3];\nisspacep.shared::cluster %p1, %rd3;\n"
                     "selp.u32 %r3, 1, 0, %p1;\n"
                     "st.global.v2.u32 [%rd1], {%r1, %r2};\nst.global.u32 [%rd1+8], %r3;\nret;",
                     ".shared .align 4 .u32 word;\n"));
  EXPECT_THAT(got, ElementsAre(7U, 7U, 1U, 0U, 0U, 0U, 0U, 0U));
  for (const char* const line :
       {"ld.shared::other.u32 %r1, [%rd1];", "cvta.local::x.u64 %rd2, %rd1;",
        "isspacep.shared::other %p1, %rd1;"}) {
    EXPECT_THAT(refused(decoded_kernel(std::string(line) + "\nret;")), StartsWith("unsupported: "))
        << line;
  }
}

TEST(Operands, tell_on_which_of_how_many_multiprocessors_a_block_runs) {
  KernelRun run(
      decoded_kernel("mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd2, %r1, 8;\n"
                     "add.u64 %rd2, %rd1, %rd2;\nmov.u32 %r2, %smid;\nmov.u32 %r3, %nsmid;\n"
                     "st.global.v2.u32 [%rd2], {%r2, %r3};\nret;"),
      "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(80));
  run.launch({40, 1, 1}, {1, 1, 1});
  const auto got = run.data<std::uint32_t>(out);
  for (std::uint32_t b = 0; b < 40; ++b) {
    EXPECT_EQ(got[2 * b], b % 16);
    EXPECT_EQ(got[2 * b + 1], 16U);
  }
}

// nvcc gives shared memory an address of 32 bits, and global memory an address of 64 bits.
TEST(Operands, of_cp_async_have_addresses_of_two_sizes) {
  const auto got = words(decoded_kernel(
      ".shared .align 16 .b8 tile[64];\nmov.u32 %r1, 5;\nst.global.u32 [%rd1], %r1;\n"
      "mov.u32 %r2, tile;\nadd.u32 %r2, %r2, 16;\n"
      "cp.async.ca.shared.global [%r2], [%rd1], 4;\ncp.async.wait_all;\n"
      "ld.shared.u32 %r3, [tile+16];\nst.global.u32 [%rd1+4], %r3;\nret;"));
  EXPECT_EQ(got[1], 5U);
}

TEST(Operands, clocks_advance) {
  const auto got =
      words(decoded_kernel("mov.u64 %rd2, %clock64;\nnanosleep.u32 1000;\n"
                           "mov.u64 %rd3, %clock64;\nsub.u64 %rd4, %rd3, %rd2;\n"
                           "st.global.u64 [%rd1], %rd4;\nret;"));
  EXPECT_GE(got[0], 1000U);
  EXPECT_LT(got[0], 2000U);
}

// Cooperative groups use the workspace in this way: they read its size, and change the word of the
// grid's barrier, which keeps its value until the next launch.
TEST(Operands, name_the_workspace_of_the_grid) {
  KernelRun run(
      decoded_kernel("mov.u32 %r1, %envreg2;\nmov.u32 %r2, %envreg1;\ncvt.u64.u32 %rd2, %r1;\n"
                     "cvt.u64.u32 %rd3, %r2;\nshl.b64 %rd3, %rd3, 32;\nor.b64 %rd2, %rd2, %rd3;\n"
                     "ld.u32 %r3, [%rd2];\natom.add.release.gpu.u32 %r4, [%rd2+4], 5;\n"
                     "st.global.v2.u32 [%rd1], {%r3, %r4};\nret;"),
      "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(2));
  run.launch({1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(run.data<std::uint32_t>(out), ElementsAre(8U, 0U));
  run.launch({1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(run.data<std::uint32_t>(out), ElementsAre(8U, 5U));
  EXPECT_THAT(run.faults(), IsEmpty());
}

TEST(Operands, name_shared_memory_reserved_for_cooperative_groups) {
  const auto got =
      words(decoded_kernel("mov.u32 %r1, %reserved_smem_offset_1;\nst.shared.u32 [%r1+284], 7;\n"
                           "st.shared.u32 [fixed], 1;\nst.shared.u32 [pool], 2;\n"
                           "ld.shared.u32 %r2, [%r1+284];\nmov.u32 %r4, pool;\n"
                           "sub.u32 %r4, %r4, %r1;\nst.global.v2.u32 [%rd1], {%r2, %r4};\nret;",
                           ".extern .shared .align 16 .b8 pool[];\n.shared .align 4 .u32 fixed;\n"),
            16);
  EXPECT_EQ(got[0], 7U);
  EXPECT_GE(static_cast<std::int32_t>(got[1]), 288);
}

// ---- Variables

TEST(Variables, have_their_initial_values_and_addresses) {
  const std::string items =
      ".const .align 4 .u32 table[3] = {5, 6, 7};\n"
      ".global .align 4 .u32 counter = 40;\n"
      ".global .align 8 .u64 where = generic(counter);\n"
      ".extern .shared .align 16 .b8 pool[];\n"
      ".shared .align 4 .u32 fixed;\n";
  const auto got = words(
      decoded_kernel(
          "ld.const.u32 %r1, [table+8];\nmov.u64 %rd2, table;\ncvta.const.u64 %rd2, %rd2;\n"
          "ld.u32 %r2, [%rd2+4];\nld.global.u64 %rd3, [where];\nld.u32 %r3, [%rd3];\n"
          "st.shared.u32 [fixed], 1;\nst.shared.u32 [pool+4], 2;\nld.shared.u32 %r4, [fixed];\n"
          "mov.u64 %rd4, pool;\ncvta.shared.u64 %rd5, %rd4;\nld.u32 %r5, [%rd5+4];\n"
          "isspacep.shared %p1, %rd5;\nselp.u32 %r6, 1, 0, %p1;\n"
          "isspacep.global %p2, %rd5;\nselp.u32 %r7, 1, 0, %p2;\n"
          "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\n"
          "st.global.v2.u32 [%rd1+16], {%r5, %r6};\nst.global.u32 [%rd1+24], %r7;\nret;",
          items),
      64);
  EXPECT_THAT(got, ElementsAre(7U, 6U, 40U, 1U, 2U, 1U, 0U, 0U));
}

TEST(Variables, keep_their_values_over_launches) {
  KernelRun run(
      decoded_kernel("atom.global.add.u32 %r1, [counter], 1;\nst.global.u32 [%rd1], %r1;\nret;",
                     ".global .align 4 .u32 counter = 40;\n"),
      "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(1));
  for (std::uint32_t k = 0; k < 3; ++k) {
    run.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(run.data<std::uint32_t>(out).front(), 40 + k);
  }
}

TEST(Variables, parameters_can_be_addressed) {
  KernelRun run(
      decoded_kernel("mov.b64 %rd2, box;\nld.param.u32 %r1, [%rd2+4];\n"
                     "ld.param.s8 %r2, [box+8];\nst.global.v2.u32 [%rd1], {%r1, %r2};\nret;",
                     "", ", .param .align 4 .b8 box[12]"),
      "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(2));
  run.value(std::array<std::uint32_t, 3>{1, 2, 0xFE}, 4);
  run.launch({1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(run.data<std::uint32_t>(out), ElementsAre(2U, 0xFFFFFFFEU));
}

// ---- Calls

const char* const functions =
    ".func (.param .b32 result) twice(.param .b32 x)\n{ .reg .b32 %r<3>;\n"
    "ld.param.b32 %r1, [x];\nadd.u32 %r1, %r1, %r1;\nst.param.b32 [result], %r1;\nret; }\n"
    ".func (.param .b32 result) deep(.param .b32 x)\n{ .reg .b32 %r<3>;\n"
    "ld.param.b32 %r1, [x];\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
    "call.uni (b), deep, (a);\nld.param.b32 %r2, [b]; }\nst.param.b32 [result], %r2;\nret; }\n";

TEST(Calls, go_to_addresses_of_functions) {
  const auto got =
      words(decoded_kernel("mov.u64 %rd2, twice;\n{ .param .b32 a; .param .b32 b;\n"
                           "st.param.b32 [a], 21;\n"
                           "shape: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                           "call (b), %rd2, (a), shape;\nld.param.b32 %r1, [b]; }\n"
                           "st.global.u32 [%rd1], %r1;\nret;",
                           functions));
  EXPECT_EQ(got[0], 42U);
}

// A virtual destructor has such calls, even if no code ever calls it.
TEST(Calls, free_no_buffer_of_the_host) {
  for (const char* const name : {"free", "_ZdlPv", "_ZdlPvm", "_ZdaPv"}) {
    const std::string of = name;
    KernelRun run(decoded_kernel("{ .param .b64 a; st.param.b64 [a], %rd2;\ncall.uni " + of +
                                     ", (a); }\nmov.u32 %r1, 7;\nst.global.u32 [%rd1], %r1;\n"
                                     "{ .param .b64 a; st.param.b64 [a], %rd1;\ncall.uni " +
                                     of + ", (a); }\nst.global.u32 [%rd1], 8;\nret;",
                                 ".extern .func " + of + "(.param .b64 pointer);\n"),
                  "k");
    const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(1));
    run.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(run.data<std::uint32_t>(out), ElementsAre(7U)) << name;
    EXPECT_THAT(run.faults(), ElementsAre(FaultKind::trap)) << name;
  }
}

TEST(Calls, that_nest_too_deep_end_the_launch) {
  KernelRun run(decoded_kernel("{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], 21;\n"
                               "call.uni (b), deep, (a); }\nret;",
                               functions),
                "k");
  run.buffer(std::vector<std::uint32_t>(1));
  run.launch({1, 1, 1}, {32, 1, 1});
  EXPECT_THAT(run.faults(), ElementsAre(FaultKind::trap));
}

TEST(Calls, tables_of_branches_have_an_end) {
  KernelRun run(decoded_kernel("mov.u32 %r1, %tid.x;\nT: .branchtargets A, B;\nbrx.idx %r1, T;\n"
                               "A: ret;\nB: ret;"),
                "k");
  run.buffer(std::vector<std::uint32_t>(1));
  run.launch({1, 1, 1}, {2, 1, 1});
  EXPECT_THAT(run.faults(), IsEmpty());
  run.launch({1, 1, 1}, {3, 1, 1});
  EXPECT_THAT(run.faults(), ElementsAre(FaultKind::trap));
}

// ---- Refusals

TEST(Decoding, refuses_what_it_does_not_know_at_its_place) {
  EXPECT_EQ(refused(decoded_kernel("frobnicate.u32 %r1, %r2;\nret;")),
            "unsupported: frobnicate.u32, k.ptx:11:1");
  for (const char* const body :
       {"mapa.u64 %rd2, %rd3, %r1;", "barrier.cluster.arrive;", "add.u32 %r1;",
        "add.u32 %rd1, %r1, 2;", "shfl.down.b32 %r1, %r2, 1, 31;", "bar.sync;", "bar.arrive 1;",
        "add.u32 %r1, {%r1, %r2}, 3;", "mov.b64 {%r1, %r2, %r3}, %rd1;", "fence.proxy.async;",
        "cvta.u64 %rd1, %rd2;", "ld.param.u32 %r1, [out+8];", "vote.sync.ballot.b32 %r1, %p1;",
        "tex.2d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1, %rd2, {%r5, %r6}];",
        "tex.2d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];",
        "suld.p.2d.b32.trap {%r1}, [%rd1, {%r5, %r6}];"}) {
    EXPECT_THAT(refused(decoded_kernel(std::string(body) + "\nret;")),
                ::testing::AnyOf(StartsWith("unsupported: "), StartsWith("unknown name ")))
        << body;
  }
  // The decoder refuses these opcodes with any operands; other kernels of the file still run.
  for (const char* const instruction :
       {"wmma.load.a.sync.aligned.row.m8n8k32.shared.s4 {%r1, %r2}, [%rd1];",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1}, [%r5];",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile [%r1], [%rd1, {%r2, %r3}], [%r4];",
        "txq.width.b32 %r1, [%rd1];", "ld.global.u32 %r1, [%rd1, {%r2}];",
        "barrier.cluster.wait;"}) {
    const std::string text = instruction;
    EXPECT_EQ(refused(decoded_kernel(text + "\nret;")),
              "unsupported: " + text.substr(0, text.find_first_of(" ;")) + ", k.ptx:11:1");
    const std::string other = decoded_kernel("ret;",
                                             ".entry other(.param .u64 out)\n{\n.reg .b32 %r<9>;\n"
                                             ".reg .b64 %rd<9>;\n" +
                                                 text + "\nret;\n}\n");
    EXPECT_EQ(refused(other), "taken");
  }
  EXPECT_EQ(refused(decoded_kernel("mov.u32 %r1, %envreg0;\nret;")),
            "unsupported: mov.u32: %envreg0, k.ptx:11:1");
  EXPECT_EQ(refused(decoded_kernel("ret;")), "taken");
}

TEST(Decoding, refuses_more_shared_memory_than_any_chip_has) {
  const auto of_bytes = [](const std::string& bytes) {
    return refused(
        decoded_kernel("mov.u32 %r1, tile;\nret;", ".shared .b8 tile[" + bytes + "];\n"));
  };
  EXPECT_EQ(of_bytes("232448"), "taken");
  EXPECT_EQ(of_bytes("232449"),
            "unsupported: 232449 bytes of shared variables; no chip has more than 232448 a block, "
            "k.ptx:5:1");
}

TEST(Decoding, refuses_clusters_and_more_parameters_than_there_can_be) {
  const auto of_clusters = [](const std::string& directive) {
    return refused(".version 8.3\n.target sm_90\n.address_size 64\n.entry k()\n" + directive +
                   "\n{\nret;\n}\n");
  };
  EXPECT_EQ(of_clusters(".explicitcluster .reqnctapercluster 2, 1, 1"),
            "unsupported: clusters of several blocks (.reqnctapercluster), k.ptx:4:1");
  EXPECT_EQ(of_clusters(".explicitcluster .reqnctapercluster 1"), "taken");
  const auto of_bytes = [](const std::string& bytes) {
    return refused(decoded_kernel("ret;", "", ", .param .align 8 .b8 box[" + bytes + "]"));
  };
  EXPECT_EQ(of_bytes("32756"), "taken");
  EXPECT_THAT(of_bytes("32757"), StartsWith("unsupported: more than 32764 bytes of parameters"));
  EXPECT_THAT(of_bytes("4611686018427387904"), StartsWith("unsupported: too large"));
}

// A variable without an initializer has no stored initial bytes.
TEST(Variables, may_be_as_large_as_memory_is) {
  const Program program = decode(
      parse(decoded_kernel("ld.global.u8 %r1, [large];\nret;", ".global .b8 large[4294967296];\n"),
            "k.ptx"),
      "k");
  EXPECT_EQ(program.globals.front().bytes, std::uint64_t{1} << 32U);
  EXPECT_THAT(program.globals.front().initial, IsEmpty());
}

TEST(Decoding, wants_a_kernel_of_that_name) {
  const Module module = parse(decoded_kernel("ret;", functions), "k.ptx");
  EXPECT_THROW(decode(module, "other"), Error);
  EXPECT_THROW(decode(module, "twice"), Error);
}

}  // namespace
}  // namespace bankproof::ptx
