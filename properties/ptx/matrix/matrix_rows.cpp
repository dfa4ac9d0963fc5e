// ldmatrix, stmatrix and movmatrix: which lane holds which elements, the costs of rows, and faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "../../../ptx/matrix/forms.hpp"
#include "../exec/small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string row_tile = ".shared .align 16 .b8 tile[8192];\n";

// Each lane fills 256 bytes of the tile with 16-bit numbers: element i is i.
const std::string fill =
    "mov.u32 %r10, tile;\nmul.lo.u32 %r11, %r1, 256;\nadd.u32 %r12, %r10, %r11;\n"
    "mov.u32 %r13, 0;\n"
    "FILL: add.u32 %r14, %r11, %r13;\nshr.u32 %r14, %r14, 1;\nadd.u32 %r15, %r14, 1;\n"
    "shl.b32 %r15, %r15, 16;\nor.b32 %r14, %r14, %r15;\nadd.u32 %r15, %r12, %r13;\n"
    "st.shared.u32 [%r15], %r14;\nadd.u32 %r13, %r13, 4;\nsetp.lt.u32 %p1, %r13, 256;\n"
    "@%p1 bra FILL;\nbar.sync 0;\n";

// %r16 is the address of lane i: byte i · `stride` + (i / 8) · `of_matrix` of the tile.
std::string addresses(std::uint32_t stride, std::uint32_t of_matrix = 0) {
  return "shr.u32 %r17, %r1, 3;\nmul.lo.u32 %r17, %r17, " + std::to_string(of_matrix) +
         ";\nmul.lo.u32 %r16, %r1, " + std::to_string(stride) +
         ";\nadd.u32 %r16, %r16, %r17;\nadd.u32 %r16, %r16, %r10;\n"
         "cvt.u64.u32 %rd5, %r16;\ncvta.shared.u64 %rd6, %rd5;\n";
}

// A list of registers, such as "{%r20, %r21}".
std::string row_registers(std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t k = 0; k < count; ++k) {
    text += (k == 0 ? "%r2" : ", %r2") + std::to_string(k);
  }
  return text + "}";
}

// Stores register k of lane i to word 4 · i + k.
const std::string keep =
    "mul.wide.u32 %rd3, %r1, 16;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "st.global.v4.u32 [%rd4], {%r20, %r21, %r22, %r23};\nret;";

Ran run_lanes(const std::string& body, std::uint32_t threads = 32, const RunOptions& options = {}) {
  return run(kernel(body, row_tile), 1, threads, 4096, options);
}

std::string address_operand(const ExchangeForm& form) { return form.generic ? "[%rd6]" : "[%r16]"; }

AccessCounts counts_of(const Ran& ran) {
  AccessCounts all;
  for (const auto& [site, counts] : ran.result.counts) {
    if (counts.worst_shared && counts.worst_shared->element_bytes == 4 && counts.accesses == 1) {
      all.add(counts);
    }
  }
  return all;
}

// Row r of matrix m begins at byte 144 · (8 · m + r), which is element 72 · (8 · m + r).
TEST(MatrixRows, are_loaded_as_pairs_of_elements_of_a_row_or_of_a_column) {
  std::uint32_t tried = 0;
  for (const ExchangeForm& form : exchange_forms()) {
    if (form.opcode.rfind("ldmatrix", 0) != 0) continue;
    ++tried;
    const bool transposed = form.opcode.find(".trans") != std::string::npos;
    const auto matrices = static_cast<std::uint32_t>(form.opcode[form.opcode.find(".x") + 2] - '0');
    const Ran ran = run_lanes(fill + addresses(144) + form.opcode + " " + row_registers(matrices) +
                              ", " + address_operand(form) + ";\n" + keep);
    EXPECT_THAT(ran.faults, IsEmpty()) << form.opcode;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t m = 0; m < 4; ++m) {
        const auto element = [&](std::uint32_t row, std::uint32_t column) {
          return 72 * (8 * m + row) + column;
        };
        const std::uint32_t i = lane / 4;
        const std::uint32_t j = 2 * (lane % 4);
        const std::uint32_t pair = transposed ? element(j, i) | element(j + 1, i) << 16U
                                              : element(i, j) | element(i, j + 1) << 16U;
        EXPECT_EQ(ran.out[4 * lane + m], m < matrices ? pair : 0) << form.opcode << lane;
      }
    }
  }
  EXPECT_EQ(tried, 18U);
}

// ldmatrix of the same form loads what stmatrix stored, and ld.shared finds the elements in rows.
TEST(MatrixRows, are_stored_where_they_are_loaded_from) {
  std::uint32_t tried = 0;
  for (const ExchangeForm& form : exchange_forms()) {
    if (form.opcode.rfind("stmatrix", 0) != 0) continue;
    ++tried;
    const bool transposed = form.opcode.find(".trans") != std::string::npos;
    const auto matrices = static_cast<std::uint32_t>(form.opcode[form.opcode.find(".x") + 2] - '0');
    // Register m of lane i holds the elements 256 · m + 2 · i and the next one.
    std::string body = "mov.u32 %r10, tile;\n" + addresses(32);
    for (std::uint32_t m = 0; m < 4; ++m) {
      body += "shl.b32 %r18, %r1, 1;\nadd.u32 %r18, %r18, " + std::to_string(256 * m) +
              ";\nadd.u32 %r19, %r18, 1;\nshl.b32 %r19, %r19, 16;\nor.b32 %r2" + std::to_string(m) +
              ", %r18, %r19;\n";
    }
    body += form.opcode + " " + address_operand(form) + ", " + row_registers(matrices) + ";\n";
    body += "bar.warp.sync -1;\nsetp.ge.u32 %p2, %r1, " + std::to_string(8 * matrices) +
            ";\n@%p2 bra END;\nld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r16];\n"
            "mul.wide.u32 %rd3, %r1, 16;\nadd.s64 %rd4, %rd1, %rd3;\n"
            "st.global.v4.u32 [%rd4], {%r20, %r21, %r22, %r23};\nEND: ret;";
    const Ran ran = run_lanes(body);
    EXPECT_THAT(ran.faults, IsEmpty()) << form.opcode;
    for (std::uint32_t row = 0; row < 8 * matrices; ++row) {
      for (std::uint32_t column = 0; column < 8; ++column) {
        const std::uint32_t i = transposed ? column : row % 8;
        const std::uint32_t j = transposed ? row % 8 : column;
        const std::uint32_t wanted = 256 * (row / 8) + 2 * (4 * i + j / 2) + j % 2;
        EXPECT_EQ(ran.out[4 * row + column / 2] >> (16 * (column % 2)) & 0xFFFFU, wanted)
            << form.opcode << ' ' << row << ' ' << column;
      }
    }
  }
  EXPECT_EQ(tried, 18U);
}

TEST(MatrixRows, movmatrix_transposes) {
  const Ran ran = run_lanes(
      "shl.b32 %r18, %r1, 1;\nadd.u32 %r19, %r18, 1;\nshl.b32 %r19, %r19, 16;\n"
      "or.b32 %r18, %r18, %r19;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r20, %r18;\n" +
      keep);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t column = lane / 4;
    const std::uint32_t row = 2 * (lane % 4);
    EXPECT_EQ(ran.out[4 * lane], (8 * row + column) | (8 * row + 8 + column) << 16U) << lane;
  }
}

// ---- Costs

// The wavefronts that ldmatrix takes on a machine, and the ideal number of wavefronts.
std::pair<std::uint64_t, std::uint64_t> wavefronts(std::uint32_t matrices, std::uint32_t stride,
                                                   std::uint32_t of_matrix,
                                                   const std::string& machine = "hmm") {
  RunOptions options;
  options.rules = MachineRules::of(machine);
  const Ran ran = run_lanes(fill + addresses(stride, of_matrix) + "ldmatrix.sync.aligned.m8n8.x" +
                                std::to_string(matrices) + ".shared.b16 " +
                                row_registers(matrices) + ", [%r16];\n" + keep,
                            32, options);
  EXPECT_THAT(ran.faults, IsEmpty());
  const AccessCounts counts = counts_of(ran);
  EXPECT_EQ(counts.accesses, 1U);
  return {counts.wavefronts, counts.ideal_wavefronts};
}

TEST(MatrixRows, cost_a_wavefront_a_matrix_or_one_for_each_row_in_the_same_banks) {
  using Cost = std::pair<std::uint64_t, std::uint64_t>;
  for (const std::string machine : {"hmm", "sm_90"}) {
    for (const std::uint32_t matrices : {1U, 2U, 4U}) {
      EXPECT_EQ(wavefronts(matrices, 128, 0, machine), Cost(8 * matrices, matrices));
      EXPECT_EQ(wavefronts(matrices, 144, 0, machine), Cost(matrices, matrices));
      EXPECT_EQ(wavefronts(matrices, 16, 0, machine), Cost(matrices, matrices));
      EXPECT_EQ(wavefronts(matrices, 32, 0, machine), Cost(2 * matrices, matrices));
      EXPECT_EQ(wavefronts(matrices, 64, 0, machine), Cost(4 * matrices, matrices));
    }
    // All rows are the same row, which a matrix reads once.
    EXPECT_EQ(wavefronts(4, 0, 0, machine), Cost(4, 4));
  }
}

TEST(MatrixRows, are_pictured_word_by_word) {
  const Ran ran =
      run_lanes(fill + addresses(128) +
                "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20, %r21}, [%r16];\n" + keep);
  const auto worst = counts_of(ran).worst_shared;
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->excess, 7U);
  EXPECT_EQ(worst->lanes, all_lanes);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(worst->addresses[lane] % 1024, lane / 4 * 128 + lane % 4 * 4);
  }
}

// ---- Faults

TEST(MatrixRows, tell_what_is_wrong_with_the_row_of_a_lane) {
  const std::string load =
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r16];\n" + keep;
  const auto first_thread = [](const Ran& ran) {
    return ran.result.faults.all().begin()->second.thread.thread;
  };
  const auto only = [](std::uint32_t lane, const std::string& then) {
    return "setp.eq.u32 %p3, %r1, " + std::to_string(lane) + ";\n@%p3 " + then + ";\n";
  };
  const Ran misaligned = run_lanes(fill + addresses(16) + only(9, "add.u32 %r16, %r16, 8") + load);
  EXPECT_THAT(misaligned.faults, ElementsAre(FaultKind::misaligned));
  EXPECT_EQ(first_thread(misaligned), 9U);
  const Ran outside = run_lanes(fill + addresses(16) + only(17, "add.u32 %r16, %r10, 8192") + load);
  EXPECT_THAT(outside.faults, ElementsAre(FaultKind::out_of_bounds));
  EXPECT_EQ(first_thread(outside), 17U);
  const Ran unwritten = run_lanes("mov.u32 %r10, tile;\n" + addresses(16) + load);
  EXPECT_THAT(unwritten.faults, ElementsAre(FaultKind::uninitialized));
}

TEST(MatrixRows, do_not_need_addresses_of_lanes_without_a_row) {
  const Ran ran = run_lanes(fill + addresses(16) +
                            "setp.gt.u32 %p3, %r1, 7;\n@%p3 mov.u32 %r16, 1;\n"
                            "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r16];\n" +
                            keep);
  EXPECT_THAT(ran.faults, IsEmpty());
}

TEST(MatrixRows, are_loaded_though_those_of_all_other_lanes_are_elsewhere) {
  for (const std::uint32_t inside : {0U, 5U}) {
    const Ran ran =
        run_lanes(fill + addresses(16) + "setp.ne.u32 %p3, %r1, " + std::to_string(inside) +
                  ";\n@%p3 mov.u64 %rd6, %rd1;\n"
                  "ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%rd6];\n" +
                  keep);
    EXPECT_THAT(ran.faults, ElementsAre(FaultKind::out_of_bounds));
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t element = 8 * inside + 2 * (lane % 4);
      EXPECT_EQ(ran.out[4 * lane], lane / 4 == inside ? element | (element + 1) << 16U : 0U);
    }
  }
}

TEST(MatrixRows, at_generic_addresses_are_in_shared_memory) {
  const Ran ran = run_lanes(fill + addresses(16) +
                            "setp.eq.u32 %p3, %r1, 3;\n@%p3 mov.u64 %rd6, %rd1;\n"
                            "ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%rd6];\n" +
                            keep);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::out_of_bounds));
  const Fault& fault = ran.result.faults.all().begin()->second;
  EXPECT_EQ(fault.thread.thread, 3U);
  EXPECT_THAT(fault.message, ::testing::HasSubstr("which is not in shared memory"));
}

// Lane 0 wrote to the row that lane 5 reads, without a barrier in between.
TEST(MatrixRows, race_with_what_other_lanes_wrote) {
  const std::string store = "mov.u32 %r10, tile;\nsetp.eq.u32 %p3, %r1, 0;\n" + addresses(16) +
                            "st.shared.v4.u32 [%r16], {%r1, %r1, %r1, %r1};\nbar.sync 0;\n"
                            "@%p3 st.shared.u8 [%r16+87], %r1;\n";
  const std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r16];\n" + keep;
  EXPECT_THAT(run_lanes(store + load).faults, ElementsAre(FaultKind::race));
  EXPECT_THAT(run_lanes(store + "bar.warp.sync -1;\n" + load).faults, IsEmpty());
}

TEST(MatrixRows, collide_if_two_are_stored_to_one_place) {
  const Ran ran =
      run_lanes("mov.u32 %r10, tile;\n" + addresses(0) +
                "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r16], {%r1, %r1};\n" + keep);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::colliding_writes));
}

TEST(Matrices, need_all_lanes_of_the_warp) {
  const std::string product =
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r20, %r21}, {%r1}, {%r1}, {%r22, %r23};\n";
  EXPECT_THAT(run_lanes(product + keep, 32).faults, IsEmpty());
  EXPECT_THAT(run_lanes(product + keep, 48).faults, ElementsAre(FaultKind::inactive_lane));
  const Ran left = run_lanes("setp.gt.u32 %p1, %r1, 20;\n@%p1 exit;\n" + product + keep);
  EXPECT_THAT(left.faults, ElementsAre(FaultKind::inactive_lane));
  EXPECT_EQ(left.result.faults.all().begin()->second.message,
            "an instruction of the whole warp, in which 11 lanes do not take part");
}

TEST(Matrices, are_waited_for_where_lanes_come_one_after_the_other) {
  // Odd lanes take another path and reconverge with the others before the instruction.
  const Ran ran = run_lanes(fill + addresses(16) +
                            "and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra JOIN;\n"
                            "add.u32 %r5, %r5, 1;\n"
                            "JOIN: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r16];\n" +
                            keep);
  EXPECT_THAT(ran.faults, IsEmpty());
}

TEST(Matrices, are_one_instruction_for_all_lanes) {
  const std::string product =
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r20, %r21}, {%r1}, {%r1}, {%r22, %r23};\n";
  const Ran arms = run_lanes("setp.gt.u32 %p1, %r1, 15;\n@%p1 bra HIGH;\n" + product +
                             "bra JOIN;\nHIGH: " + product + "JOIN: " + keep);
  EXPECT_THAT(arms.faults, ElementsAre(FaultKind::inactive_lane));
  const Ran never = run_lanes("setp.gt.u32 %p1, %r1, 15;\n@%p1 bra HIGH;\n" + product +
                              "bra JOIN;\nHIGH: bra HIGH;\nJOIN: " + keep);
  EXPECT_THAT(never.faults, Contains(FaultKind::deadlock));
}

TEST(Matrices, that_are_not_known_are_refused_with_their_place) {
  for (const std::string instruction : {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
                                        "mma.sync.aligned.m16n8k8.row.row.f16.f16.f16.f16",
                                        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
                                        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8",
                                        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8"}) {
    try {
      run_lanes("\n" + instruction + " {%r1}, {%r2}, {%r3}, {%r4};\nret;");
      ADD_FAILURE() << instruction << " is accepted";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("unsupported: " + instruction + ", k.ptx:", 0), 0U)
          << error.what();
    }
  }
  for (const std::string operands :
       {"{%r1}, {%r2}, {%r3}, {%r4, %r5}", "{%r1, %r2}, {%r2}, {%r3}, {%r4}",
        "{%r1, %r2}, {%r2}, {%r3}", "{%rd1, %rd2}, {%r2}, {%r3}, {%r4, %r5}"}) {
    EXPECT_THROW(
        run_lanes("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 " + operands + ";\nret;"), Error)
        << operands;
  }
  EXPECT_THROW(run_lanes("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];\nret;"), Error);
  EXPECT_THROW(run_lanes("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, {%r2};\nret;"), Error);
}

}  // namespace
}  // namespace bankproof::ptx
