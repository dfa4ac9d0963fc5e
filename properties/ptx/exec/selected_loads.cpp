// A lane need not use what it loads: compilers load first, and then select.
#include "../../../ptx/flow/selected_loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
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

/// The answer for the kernel's first load from global memory.
std::optional<UnusedIf> answer_of(const std::string& body) {
  const Module module = parse(kernel(body), "k.ptx");
  const Function& function = module.functions.back();
  const SelectedLoads loads(function, flow_of(function, "k.ptx"));
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i != nullptr && i->base == "ld" && !i->has("param")) return loads.of(*i);
  }
  return std::nullopt;
}

const std::string test_word = "setp.lt.u32 %p1, %r1, 16;\n";
const std::string load_word = "ld.global.u32 %r5, [%rd2];\n";
const std::string select_word = "selp.b32 %r6, -1, %r5, %p1;\n";
const std::string store_word = "st.global.u32 [%rd2], %r6;\nret;";

TEST(SelectedLoads, are_used_in_some_lanes_alone) {
  ASSERT_TRUE(answer_of(test_word + load_word + select_word + store_word));
  EXPECT_TRUE(answer_of(test_word + load_word + select_word + store_word)->value);
  EXPECT_FALSE(
      answer_of(test_word + load_word + "selp.b32 %r6, %r5, -1, %p1;\n" + store_word)->value);
  EXPECT_TRUE(answer_of(test_word + load_word + "add.u32 %r7, %r1, 1;\n" + select_word +
                        select_word + store_word));
}

TEST(SelectedLoads, may_stand_before_the_comparison) {
  const std::string select = select_word + store_word;
  EXPECT_TRUE(answer_of(load_word + test_word + select));
  EXPECT_TRUE(answer_of(load_word + "add.u32 %r7, %r2, 1;\n" + test_word + select));
  EXPECT_TRUE(answer_of(test_word + load_word + "setp.lt.u32 %p1, %r1, 8;\n" + select));
  // It depends on what stands between them.
  for (const std::string& between :
       {std::string("add.u32 %r1, %r2, 1;\n"), std::string("selp.b32 %r7, 1, 2, %p1;\n"),
        std::string("@%p1 add.u32 %r7, %r2, 1;\n"), std::string("setp.lt.u32 %p1, %r2, 1;\n")}) {
    EXPECT_FALSE(answer_of(test_word + load_word + between + test_word + select)) << between;
  }
  EXPECT_FALSE(answer_of(load_word + "@%p2 " + test_word + select));
  EXPECT_FALSE(answer_of(load_word + "setp.lt.u32 %p1|%p2, %r1, 8;\n" + select));
  EXPECT_FALSE(answer_of(load_word + test_word + "not.pred %p1, %p1;\n" + select));
  // Neither what a selection reads nor what it writes may change.
  EXPECT_FALSE(
      answer_of(test_word + load_word + "selp.b32 %r7, -1, %r5, %p1;\n" + test_word + select));
  EXPECT_FALSE(answer_of(test_word + load_word + "selp.b32 %r7, -1, %r5, %p1;\n" +
                         "setp.lt.u32 %p1, %r7, 8;\n" + select));
}

const std::string new_block = "@%p8 bra N;\nN:\n";

TEST(SelectedLoads, may_be_selected_in_another_block) {
  const std::string select = select_word + store_word;
  ASSERT_TRUE(answer_of(test_word + load_word + new_block + select));
  EXPECT_TRUE(answer_of(test_word + load_word + new_block + select)->value);
  EXPECT_TRUE(answer_of(load_word + new_block + test_word + select));
  EXPECT_TRUE(
      answer_of(load_word + "L:\n" + test_word + select_word + "@%p1 bra L;\n" + store_word));
  EXPECT_TRUE(answer_of("L:\n" + load_word + new_block + test_word + select_word + "@%p1 bra L;\n" +
                        store_word));
  EXPECT_TRUE(answer_of(load_word + new_block + test_word + select_word + "@%p8 bra M;\n" +
                        select_word + "M:\n" + store_word));
  // Every predicate that nobody changes will do, once it is known.
  EXPECT_TRUE(answer_of("and.pred %p1, %p2, %p3;\n" + load_word + new_block + select));
  EXPECT_FALSE(answer_of(load_word + new_block + "and.pred %p1, %p2, %p3;\n" + select));
  // Uses of other kinds, or by other predicates
  for (const std::string& use :
       {std::string("add.u32 %r7, %r5, 1;\n"), std::string("selp.b32 %r7, %r5, -1, %p1;\n"),
        std::string("selp.b32 %r7, -1, %r5, %p2;\n"), std::string("mov.u32 %r5, %r1;\n"),
        std::string("@%p1 selp.b32 %r7, -1, %r5, %p1;\n"),
        std::string("ld.global.u32 %r5, [%rd1];\n")}) {
    EXPECT_FALSE(answer_of(test_word + load_word + new_block + use + select)) << use;
  }
}

TEST(SelectedLoads, are_selected_elsewhere_only_by_what_lasts) {
  const std::string select = select_word + store_word;
  const std::string test_other = "setp.lt.u32 %p1, %r7, 16;\n";
  EXPECT_TRUE(answer_of("add.u32 %r7, %r1, 1;\n" + load_word + new_block + test_other + select));
  for (const std::string& body :
       {"L:\n" + load_word + new_block + "add.u32 %r7, %r1, 1;\n" + test_other + select,
        "L:\nadd.u32 %r7, %r7, 1;\n" + load_word + new_block + "@%p8 bra L;\n" + test_other +
            select,
        "add.u32 %r7, %r1, 1;\n" + load_word + new_block + "add.u32 %r7, %r7, 1;\n" + test_other +
            select,
        "@%p8 add.u32 %r7, %r1, 1;\n" + load_word + new_block + test_other + select,
        "@%p8 bra L;\nadd.u32 %r7, %r1, 1;\nL:\n" + load_word + new_block + test_other + select,
        load_word + new_block + "@%p8 " + test_word + select,
        // The selection reads a predicate that nobody has written.
        load_word + new_block + select_word + test_word + store_word,
        load_word + new_block + "setp.lt.u32 %p1|%p2, %r1, 16;\n" + select,
        load_word + new_block + test_word + "not.pred %p1, %p1;\n" + select}) {
    EXPECT_FALSE(answer_of(body)) << body;
  }
}

// The selection stands behind a loop, and the comparison beside it.
TEST(SelectedLoads, race_only_in_lanes_that_use_them_in_another_block) {
  const std::string tile = ".shared .align 4 .b8 tile[4];\n";
  const auto ran = [&](const std::string& compared) {
    return run(kernel("setp.eq.u32 %p2, %r1, 0;\n@%p2 st.shared.u32 [tile], %r1;\nbar.sync 0;\n"
                      "ld.shared.u32 %r5, [tile];\nmov.u32 %r7, 0;\nL:\n"
                      "@%p2 st.shared.u32 [tile], 9;\n"
                      "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p3, %r7, 3;\n@%p3 bra L;\nsetp." +
                          compared + ".u32 %p1, %r1, 0;\nselp.b32 %r6, %r5, 7, %p1;\n" + store_word,
                      tile),
               1, 64);
  };
  const Ran first = ran("eq");
  EXPECT_THAT(first.faults, IsEmpty());
  EXPECT_EQ(first.out[0], 0U);
  EXPECT_EQ(first.out[63], 7U);
  EXPECT_THAT(ran("ne").faults, Contains(FaultKind::race));
  // The machine does not count the comparison that it executes ahead of the load.
  EXPECT_EQ(first.result.thread_instructions, ran("ne").result.thread_instructions);
}

TEST(SelectedLoads, race_only_in_lanes_that_use_them) {
  const std::string tile = ".shared .align 4 .b8 tile[4];\n";
  const auto faults = [&](const std::string& compared, bool before) {
    const std::string compare = "setp." + compared + ".u32 %p1, %r1, 0;\n";
    const std::string load = "ld.shared.u32 %r5, [tile];\n";
    return run(kernel("setp.eq.u32 %p2, %r1, 0;\n@%p2 st.shared.u32 [tile], %r1;\nbar.sync 0;\n" +
                          (before ? compare + load : load + compare) +
                          "selp.b32 %r6, %r5, 7, %p1;\n@%p2 st.shared.u32 [tile], %r6;\n" +
                          store_word,
                      tile),
               1, 64)
        .faults;
  };
  for (const bool before : {false, true}) {
    EXPECT_THAT(faults("eq", before), IsEmpty());
    EXPECT_THAT(faults("ne", before), Contains(FaultKind::race));
    EXPECT_THAT(faults("lt", before), IsEmpty());
  }
}

TEST(SelectedLoads, are_no_loads_with_other_uses) {
  for (const std::string& between :
       {std::string("st.global.u32 [%rd2+4], %r5;\n"), std::string("add.u32 %r7, %r5, 1;\n"),
        std::string("mov.u32 %r5, 1;\n"), std::string("mov.pred %p1, %p2;\n"),
        std::string("selp.b32 %r7, %r5, %r5, %p1;\n"), std::string("selp.b32 %r7, %r5, -1, %p1;\n"),
        std::string("selp.b32 %r7, -1, %r5, %p2;\n"),
        std::string("@%p1 selp.b32 %r7, 1, %r5, %p1;\n"),
        std::string("{ .reg .b32 %x; mov.u32 %x, %r5; }\n")}) {
    EXPECT_FALSE(answer_of(test_word + load_word + between + select_word + store_word)) << between;
  }
  EXPECT_FALSE(answer_of(test_word + "@%p1 " + load_word + select_word + store_word));
  EXPECT_FALSE(answer_of(test_word + load_word + store_word));
  // The use may also come first, in a loop.
  EXPECT_FALSE(answer_of(test_word + "L:\nadd.u32 %r7, %r5, %r1;\n" + load_word + select_word +
                         "@%p1 bra L;\n" + store_word));
}

TEST(SelectedLoads, have_to_be_written_in_lanes_that_use_them) {
  const std::string tile = ".shared .align 4 .b8 tile[128];\n";
  const std::string upper_half =
      "mov.u32 %r8, tile;\nmad.lo.u32 %r8, %r1, 4, %r8;\nsetp.lt.u32 %p1, %r1, 16;\n"
      "@!%p1 st.shared.u32 [%r8], %r1;\nld.shared.u32 %r5, [%r8];\n";
  const Ran selected = run(kernel(upper_half + select_word + store_word, tile), 1, 32);
  EXPECT_THAT(selected.faults, IsEmpty());
  EXPECT_EQ(selected.out[3], ~0U);
  EXPECT_EQ(selected.out[31], 31U);
  KernelRun other(kernel(upper_half + "selp.b32 %r6, %r5, -1, %p1;\n" + store_word, tile), "k");
  other.buffer(std::vector<std::uint32_t>(32));
  other.launch({1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(other.result().faults.all().size(), 1U);
  EXPECT_EQ(other.result().faults.all().begin()->second.count, 16U);
}

std::string any_register() { return "%r" + std::to_string(any(6, 9)); }
std::string any_predicate() { return "%p" + std::to_string(any(1, 3)); }

/// An instruction that rarely mentions the loaded %r5.
std::string any_instruction() {
  const std::string source = any(0, 12) == 0 ? "%r5" : any_register();
  switch (any(0, 4)) {
    case 0:
      return "setp.lt.u32 " + any_predicate() + ", " + source + ", " + std::to_string(any(0, 40));
    case 1:
      return "add.u32 " + any_register() + ", " + any_register() + ", " + source;
    case 2:
      return "mov.u32 " + source + ", %r1";
    default:
      return "selp.b32 " + any_register() + ", " + source + ", " + any_register() + ", " +
             any_predicate();
  }
}

/// A selection of %r5 or of another value.
std::string any_selection() {
  const bool is_first = any(0, 4) == 0;
  return "selp.b32 " + any_register() + ", " + (is_first ? "%r5, " : any_register() + ", ") +
         (is_first ? any_register() : "%r5") + ", " + any_predicate();
}

RC_GTEST_PROP(SelectedLoads, of_lanes_that_do_not_use_them_change_nothing, ()) {
  std::string body;
  std::size_t load_ends = 0;
  std::optional<UnusedIf> answer;
  const std::string stores =
      "st.global.u32 [%rd2+128], %r6;\nst.global.u32 [%rd2+256], %r7;\n"
      "st.global.u32 [%rd2+384], %r8;\nret;";
  for (int tries = 0; tries < 100 && !answer; ++tries) {
    body =
        "setp.lt.u32 %p1, %r1, 9;\nsetp.gt.u32 %p2, %r1, 20;\n"
        "mov.u32 %r6, %r1;\nmov.u32 %r7, 7;\nmov.u32 %r8, 8;\n";
    for (int k = any(0, 3); k > 0; --k) body += any_instruction() + ";\n";
    body += load_word;
    load_ends = body.size();
    for (int k = any(1, 5); k > 0; --k) {
      body += (any(0, 2) == 0 ? any_instruction() : any_selection()) + ";\n";
    }
    answer = answer_of(body + stores);
  }
  RC_PRE(answer.has_value());
  // Which lanes the answer is about: the predicate where the load is first used.
  const std::size_t used = body.find('\n', body.find("%r5", load_ends)) + 1;
  const std::string predicate = "%p" + std::to_string(answer->predicate.number);
  const auto results = [&](const std::string& text, const std::vector<std::uint32_t>& loaded) {
    KernelRun kernel_run(kernel(text), "k");
    std::vector<std::uint32_t> words(loaded);
    words.resize(128);
    const std::uint32_t buffer = kernel_run.buffer(words);
    kernel_run.launch({1, 1, 1}, {32, 1, 1});
    auto all = kernel_run.data<std::uint32_t>(buffer);
    all.erase(all.begin(), all.begin() + 32);
    return all;
  };
  const auto flags =
      results(body.substr(0, used) + "selp.u32 %r6, 1, 0, " + predicate + ";\n" + stores,
              std::vector<std::uint32_t>(32));
  std::vector<std::uint32_t> loaded(32);
  for (std::uint32_t& word : loaded) word = *rc::gen::arbitrary<std::uint32_t>();
  std::vector<std::uint32_t> others = loaded;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((flags[lane] != 0) == answer->value) others[lane] = ~others[lane];
  }
  RC_ASSERT(results(body + stores, loaded) == results(body + stores, others));
}

const std::string compare_word = "setp.lt.u32 %p1, ";

/// A kernel with a loop of two or three iterations, in which blocks begin anywhere.
std::string any_blocks() {
  std::string body =
      "mov.u32 %r9, 0;\nmov.u32 %r6, %r1;\nmov.u32 %r7, 7;\nmov.u32 %r8, 8;\n"
      "setp.gt.u32 %p2, %r1, 20;\n";
  const int begin = any(0, 5);
  const int load = any(0, 4);
  const int compare = any(0, 7);
  const int ends = any(3, 9);
  const bool is_first = any(0, 2) == 0;
  const auto one_selection = [&] {
    if (any(0, 16) == 0) return any_selection();
    return "selp.b32 " + any_register() + (is_first ? ", %r5, " : ", ") + any_register() +
           (is_first ? ", %p1" : ", %r5, %p1");
  };
  for (int k = 0; k < 9; ++k) {
    if (k == begin) body += "LOOP:\n";
    if (k == load) body += load_word;
    const std::string compared = any(0, 4) == 0 ? any_register() : "%r1";
    if (k == compare) body += compare_word + compared + ", 9;\n";
    if (any(0, 3) == 0) {
      const std::string label = "B" + std::to_string(k);
      body += "@%p2 bra " + label + ";\n" + (any(0, 2) == 0 ? one_selection() + ";\n" : "") +
              label + ":\n";
    }
    if (any(0, 3) == 0) body += "add.u32 " + any_register() + ", %r1, " + any_register() + ";\n";
    if (any(0, 2) == 0) body += one_selection() + ";\n";
    if (k == std::max(begin, ends)) {
      body += "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p3, %r9, 3;\n@%p3 bra LOOP;\n";
    }
  }
  return body;
}

RC_GTEST_PROP(SelectedLoads, of_other_blocks_change_nothing_in_lanes_that_do_not_use_them, ()) {
  const std::string stores =
      "st.global.u32 [%rd2+128], %r6;\nst.global.u32 [%rd2+256], %r7;\n"
      "st.global.u32 [%rd2+384], %r8;\nst.global.u32 [%rd2+512], %r10;\nret;";
  std::string body;
  std::optional<UnusedIf> answer;
  for (int tries = 0; tries < 200 && !answer; ++tries) {
    body = any_blocks();
    answer = answer_of(body + stores);
    if (answer && answer->predicate.number != 1) answer.reset();
    // A kernel that reads %p1 before it writes it is about no value that it compares.
    if (body.find("%p1;") < body.find(compare_word)) answer.reset();
  }
  RC_PRE(answer.has_value());
  // Which values %p1 has had, in each lane: 1 false, 2 true, 3 both.
  std::string noted = body;
  noted.insert(noted.find('\n', noted.find(compare_word)) + 1,
               "selp.b32 %r11, 2, 1, %p1;\nor.b32 %r10, %r10, %r11;\n");
  const auto results = [&](const std::string& text, const std::vector<std::uint32_t>& loaded) {
    KernelRun kernel_run(kernel(text + stores), "k");
    std::vector<std::uint32_t> words(loaded);
    words.resize(160);
    const std::uint32_t buffer = kernel_run.buffer(words);
    kernel_run.launch({1, 1, 1}, {32, 1, 1});
    auto all = kernel_run.data<std::uint32_t>(buffer);
    all.erase(all.begin(), all.begin() + 32);
    return all;
  };
  std::vector<std::uint32_t> loaded(32);
  for (std::uint32_t& word : loaded) word = *rc::gen::arbitrary<std::uint32_t>();
  const std::vector<std::uint32_t> flags = results(noted, loaded);
  std::vector<std::uint32_t> others = loaded;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (flags[96 + lane] == (answer->value ? 2U : 1U)) others[lane] = ~others[lane];
  }
  RC_ASSERT(results(body, loaded) == results(body, others));
}

}  // namespace
}  // namespace bankproof::ptx
