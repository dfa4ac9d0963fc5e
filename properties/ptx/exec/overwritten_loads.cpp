// Loads whose value no path uses need not load what somebody wrote, and do not race.
#include "../../../ptx/flow/overwritten_loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "../../../ptx/syntax/parser.hpp"
#include "any_number.hpp"
#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// Whether no path uses what the kernel's first load from memory loads.
bool is_overwritten(const std::string& body) {
  const Module module = parse(kernel(body), "k.ptx");
  const Function& function = module.functions.back();
  const auto found = overwritten_loads(function, flow_of(function, "k.ptx"));
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i != nullptr && i->base == "ld" && !i->has("param")) return found.contains(i);
  }
  return false;
}

const std::string load_line = "ld.global.u32 %r5, [%rd2];\n";
const std::string store_line = "st.global.u32 [%rd2], %r5;\nret;";

/// A loop that sets %r5 in its first iteration, and adds to it in the others.
std::string loop(const std::string& first) {
  return "mov.u32 %r7, " + first +
         ";\nL:\nsetp.ne.s32 %p2, %r7, 0;\n@%p2 bra M;\n"
         "mov.u32 %r5, 100;\nbra.uni N;\nM:\nadd.u32 %r5, %r5, %r7;\nN:\n"
         "add.u32 %r7, %r7, 1;\nsetp.eq.u32 %p3, %r7, 4;\n@%p3 bra OUT;\nbra.uni L;\nOUT:\n";
}

TEST(OverwrittenLoads, are_set_by_the_first_iteration) {
  EXPECT_TRUE(is_overwritten(load_line + loop("0") + store_line));
  EXPECT_FALSE(is_overwritten(load_line + loop("1") + store_line));
  EXPECT_FALSE(is_overwritten(load_line + loop("%r1") + store_line));
}

TEST(OverwrittenLoads, are_overwritten_on_all_paths) {
  // Nobody comes to the use from here.
  const std::string skip = "mov.u32 %r7, 1;\nsetp.eq.u32 %p4, %r7, 0;\n@%p4 bra USE;\n";
  const auto overwrites = [&](const std::string& body) {
    return is_overwritten(load_line + skip + body + "USE:\n" + store_line);
  };
  const std::string set = "mov.u32 %r5, 1;\n";
  EXPECT_TRUE(overwrites(set));
  EXPECT_TRUE(overwrites("@%p1 bra L;\n" + set + "bra M;\nL:\n" + set + "M:\n"));
  EXPECT_TRUE(overwrites("@%p1 ret;\n" + set));
  EXPECT_FALSE(overwrites(""));
  EXPECT_FALSE(overwrites("@%p1 bra L;\n" + set + "L:\n"));
  EXPECT_FALSE(overwrites("@%p1 " + set));
  EXPECT_FALSE(overwrites("add.u32 %r5, %r5, 1;\n"));
  EXPECT_FALSE(overwrites("setp.eq.u32 %p1, %r5, 1;\n" + set));
  EXPECT_FALSE(overwrites("st.global.u32 [%rd1], %r5;\n" + set));
  EXPECT_FALSE(overwrites("mov.b64 {%r5, %r6}, %rd1;\n"));
  EXPECT_FALSE(overwrites("mov.b64 %rd5, {%r5, %r6};\n" + set));
  // A way through a table
  EXPECT_FALSE(overwrites("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA:\n" + set + "B:\n"));
  const std::string rest = skip + set + "USE:\n" + store_line;
  EXPECT_FALSE(is_overwritten("@%p1 " + load_line + rest));
  EXPECT_FALSE(is_overwritten("ld.volatile.global.u32 %r5, [%rd2];\n" + rest));
  // Nobody could use it.
  EXPECT_FALSE(is_overwritten(load_line + set + store_line));
}

TEST(OverwrittenLoads, follow_constants) {
  const auto skips = [](const std::string& compare, const std::string& guard) {
    return is_overwritten(load_line + "mov.u32 %r7, 5;\nmov.u32 %r8, %r7;\n" + compare + ";\n" +
                          guard + " bra L;\nmov.u32 %r5, 1;\nL:\n" + store_line);
  };
  EXPECT_TRUE(skips("setp.eq.u32 %p1, %r8, 4", "@%p1"));
  EXPECT_TRUE(skips("setp.ne.s32 %p1, %r8, 4", "@!%p1"));
  EXPECT_TRUE(skips("setp.ne.b32 %p1, 5, %r8", "@%p1"));
  EXPECT_FALSE(skips("setp.eq.u32 %p1, %r8, 5", "@%p1"));
  EXPECT_FALSE(skips("setp.eq.f32 %p1, %r8, 4", "@%p1"));
  EXPECT_FALSE(skips("setp.eq.and.u32 %p1, %r8, 4, %p2", "@%p1"));
  EXPECT_FALSE(skips("@%p3 mov.u32 %r8, 4;\nsetp.eq.u32 %p1, %r8, 4", "@%p1"));
  EXPECT_FALSE(skips("add.u32 %r8, %r8, 4;\nsetp.eq.u32 %p1, %r8, 4", "@%p1"));
  EXPECT_FALSE(skips("setp.eq.u32 %p1, %r8, 4;\nmov.pred %p1, %p2", "@%p1"));
  // The low 16 bits of 65541 are 5.
  EXPECT_FALSE(skips("mov.u32 %r8, 65541;\nsetp.ne.u16 %p1, %r8, 5", "@!%p1"));
}

TEST(OverwrittenLoads, search_ends_in_an_endless_loop) {
  EXPECT_FALSE(is_overwritten(load_line + "L:\nbra L;\nmov.u32 %r5, 1;\n" + store_line));
}

TEST(OverwrittenLoads, need_no_written_place_and_do_not_race) {
  const std::string tile = ".shared .align 4 .b8 tile[4];\n";
  const auto faults = [&](const std::string& first) {
    return run(kernel("ld.shared.u32 %r5, [tile];\nsetp.eq.u32 %p4, %r1, 0;\n"
                      "@%p4 st.shared.u32 [tile], 9;\n" +
                          loop(first) + store_line,
                      tile),
               1, 64)
        .faults;
  };
  EXPECT_THAT(faults("0"), IsEmpty());
  EXPECT_THAT(faults("1"), Contains(FaultKind::race));
  EXPECT_THAT(faults("1"), Contains(FaultKind::uninitialized));
}

std::string any_kernel() {
  const auto any_register = [] { return "%r" + std::to_string(any(5, 9)); };
  std::string body =
      "mov.u32 %r6, %r1;\nmov.u32 %r7, 0;\nmov.u32 %r8, 8;\nmov.u32 %r9, 0;\n" + load_line;
  body += "LOOP:\n";
  for (int k = 0; k < 6; ++k) {
    const std::string label = "B" + std::to_string(k);
    if (any(0, 2) == 0) {
      body += std::string("setp.") + (any(0, 2) == 0 ? "eq" : "ne") + ".u32 %p1, " +
              (any(0, 3) == 0 ? any_register() : "%r9") + ", " + std::to_string(any(0, 2)) + ";\n" +
              (any(0, 2) == 0 ? "@%p1" : "@!%p1") + " bra " + label + ";\n";
    }
    for (int n = any(0, 3); n > 0; --n) {
      const std::string result = any_register();
      body += any(0, 2) == 0 ? "mov.u32 " + result + ", " + std::to_string(any(0, 3)) + ";\n"
                             : "add.u32 " + result + ", " + any_register() + ", %r1;\n";
    }
    body += label + ":\n";
  }
  return body +
         "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p3, %r9, 2;\n@%p3 bra LOOP;\n"
         "st.global.u32 [%rd2+128], %r5;\nst.global.u32 [%rd2+256], %r6;\n"
         "st.global.u32 [%rd2+384], %r7;\nst.global.u32 [%rd2+512], %r8;\nret;";
}

RC_GTEST_PROP(OverwrittenLoads, change_nothing, ()) {
  std::string body;
  bool found = false;
  for (int tries = 0; tries < 200 && !found; ++tries) {
    body = any_kernel();
    found = is_overwritten(body);
  }
  RC_PRE(found);
  const auto results = [&](std::uint32_t loaded) {
    KernelRun kernel_run(kernel(body), "k");
    std::vector<std::uint32_t> words(160, loaded);
    const std::uint32_t buffer = kernel_run.buffer(words);
    kernel_run.launch({1, 1, 1}, {32, 1, 1});
    auto all = kernel_run.data<std::uint32_t>(buffer);
    all.erase(all.begin(), all.begin() + 32);
    return all;
  };
  RC_ASSERT(results(1) == results(1000));
}

}  // namespace
}  // namespace bankproof::ptx
