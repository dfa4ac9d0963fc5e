// Two kernels whose code differs have two keys in the cache of compiled kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "../../../ptx/exec/describe.hpp"
#include "../exec/small_kernel.hpp"
#include "compiler.hpp"

namespace bankproof::ptx {
namespace {

std::string key_of(const std::string& body) {
  // All registers are named first, so that they have the same places in all kernels.
  const std::string names =
      "add.u32 %r5, %r6, %r7;\nsetp.eq.u32 %p1, %r8, %r9;\nsetp.eq.u32 %p2, %r8, %r9;\n"
      "add.u64 %rd3, %rd4, %rd5;\n";
  const Program program = decode(parse(kernel(names + body), "k.ptx"), "k");
  return Description(program).key();
}

TEST(CompiledKeys, of_kernels_with_other_code_differ) {
  const std::vector<std::string> bodies = {
      "add.u32 %r5, %r6, 1;\nret;",
      "sub.u32 %r5, %r6, 1;\nret;",
      "add.u32 %r7, %r6, 1;\nret;",
      "add.u32 %r5, %r8, 1;\nret;",
      "add.u32 %r5, %r6, 2;\nret;",
      "@%p1 add.u32 %r5, %r6, 1;\nret;",
      "@!%p1 add.u32 %r5, %r6, 1;\nret;",
      "@%p2 add.u32 %r5, %r6, 1;\nret;",
      "add.u32 %r5, %r6, 1;\nadd.u32 %r5, %r6, 1;\nret;",
      "@%p1 bra A;\nadd.u32 %r5, %r6, 1;\nA:\nadd.u32 %r5, %r6, 1;\nB:\nret;",
      "@%p1 bra B;\nadd.u32 %r5, %r6, 1;\nA:\nadd.u32 %r5, %r6, 1;\nB:\nret;",
      "@%p1 bra A;\nadd.u32 %r5, %r6, 1;\nbra B;\nA:\nadd.u32 %r5, %r6, 1;\nB:\nret;",
      "@%p1 bra B;\nadd.u32 %r5, %r6, 1;\nbra A;\nA:\nadd.u32 %r5, %r6, 1;\nB:\nret;",
      "cvta.shared.u64 %rd3, %rd4;\nret;",
      "cvta.local.u64 %rd3, %rd4;\nret;",
      "cvta.to.shared.u64 %rd3, %rd4;\nret;",
  };
  std::map<std::string, std::string> seen;
  for (const std::string& body : bodies) {
    const auto [found, is_new] = seen.emplace(key_of(body), body);
    EXPECT_TRUE(is_new) << body << "\nhas the key of\n" << found->second;
    EXPECT_EQ(key_of(body), found->first);
  }
}

// The store is not compiled, but it decides which registers compiled code must store.
TEST(CompiledKeys, tell_which_registers_are_temporary) {
  const std::string add = "add.u32 %r10, %r6, 1;\nadd.u32 %r11, %r6, 1;\n";
  EXPECT_NE(key_of(add + "st.global.u32 [%rd2], %r10;\nret;"),
            key_of(add + "st.global.u32 [%rd2], %r11;\nret;"));
}

class CompilerName : public WithCompiler {};

TEST_F(CompilerName, tells_llvm_its_version_the_processor_and_its_features) {
  const std::string shown = compiler_->shown;
  const std::string name = compiler_->name;
  EXPECT_THAT(shown, ::testing::ContainsRegex("^LLVM [0-9]+\\.[0-9]+\\.[0-9]+[^ ]* for ."));
  ASSERT_TRUE(name.starts_with(shown + " ")) << name;
  EXPECT_THAT(name.substr(shown.size()), ::testing::ContainsRegex("[+-][a-z0-9]+"));
}

}  // namespace
}  // namespace bankproof::ptx
