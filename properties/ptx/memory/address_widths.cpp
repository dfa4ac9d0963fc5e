// An address in a register of 64 bits counts by its low 32 bits in shared and in local memory, and
// as a whole in global memory.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "../../../testing/property.hpp"
#include "../exec/small_kernel.hpp"

namespace bankproof::ptx {
namespace {

/// Each thread stores its number in its word of a space and loads it again, by addresses to which
/// numbers with 32 low bits of 0 are added.
std::string added(const std::string& space, std::uint32_t to_store, std::uint32_t to_load) {
  const auto add = [](std::uint32_t high) {
    return "add.u64 %rd4, %rd3, " + std::to_string(std::uint64_t{high} << 32) + ";\n";
  };
  return kernel("." + space +
                " .align 4 .b8 words[256];\nmov.u64 %rd3, words;\n"
                "mul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd3, %rd3, %rd4;\n" +
                add(to_store) + "st." + space + ".u32 [%rd4], %r1;\n" + add(to_load) + "ld." +
                space + ".u32 %r6, [%rd4];\nst.global.u32 [%rd2], %r6;\nret;");
}

TEST(AddressWidths, addresses_are_cut_to_the_width_of_the_space) {
  bankproof::testing::check_property([] {
    const auto space = *rc::gen::element<std::string>("shared", "local");
    const auto any = rc::gen::oneOf(rc::gen::just(0U), rc::gen::arbitrary<std::uint32_t>());
    const auto threads = *rc::gen::inRange(1U, 64U);
    const Ran ran = run(added(space, *any, *any), 1, threads);
    RC_ASSERT(ran.faults.empty());
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      RC_ASSERT(ran.out[thread] == thread);
    }
  });
}

TEST(AddressWidths, addresses_of_global_memory_are_not_cut) {
  const std::string text =
      kernel("add.u64 %rd2, %rd2, 1099511627776;\nst.global.u32 [%rd2], %r1;\nret;");
  EXPECT_EQ(run(text, 1, 32).faults.size(), 1U);
}

}  // namespace
}  // namespace bankproof::ptx
