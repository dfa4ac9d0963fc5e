// Source positions: the lines of .loc, and the chains of inlined calls.
#include "../../../ptx/syntax/lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../../ptx/syntax/printer.hpp"
#include "../support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "file:line:column function", innermost first.
std::vector<std::string> shown_chain(const Module& module, const Lines& lines,
                                     std::size_t statement) {
  std::vector<std::string> result;
  if (!lines.of_statement.at(statement)) return result;
  for (const SourcePosition& link : chain(lines, *lines.of_statement[statement])) {
    result.push_back(std::string(file_name(module, link.at.file)) + ":" +
                     std::to_string(link.at.line) + ":" + std::to_string(link.at.column) +
                     (link.function.empty() ? "" : " " + link.function));
  }
  return result;
}

/// The statement of the n-th instruction with this text, counted from 0.
std::size_t find(const Function& function, const std::string& text, int n = 0) {
  for (std::size_t s = 0; s < function.body.size(); ++s) {
    const auto* instruction = std::get_if<Instruction>(&function.body[s]);
    if (instruction && print(*instruction) == text && n-- == 0) return s;
  }
  ADD_FAILURE() << "no instruction " << text;
  return 0;
}

TEST(Lines, follow_inlined_calls_to_the_kernel) {
  const Module module = golden("nvcc/inlined.ptx");
  const Function& kernel = module.functions.at(0);
  const Lines lines = lines_of(module, kernel);
  const std::size_t first = find(kernel, "shfl.sync.down.b32 %r5|%p1, %r2, 2, %r3, %r4;");
  EXPECT_THAT(shown_chain(module, lines, first),
              ElementsAre("warp.cuh:3:3 _Z4downfi", "sums.cu:3:3 _Z11sum_of_warpf", "sums.cu:9:3"));
  const std::size_t second = find(kernel, "shfl.sync.down.b32 %r7|%p2, %r6, 1, %r3, %r4;");
  EXPECT_THAT(shown_chain(module, lines, second),
              ElementsAre("warp.cuh:3:3 _Z4downfi", "sums.cu:4:3 _Z11sum_of_warpf", "sums.cu:9:3"));
  // Another call inlines the same line of the same function; the function's name has an offset.
  const std::size_t third = find(kernel, "shfl.sync.down.b32 %r12|_, %r11, 2, %r3, %r4;");
  EXPECT_THAT(shown_chain(module, lines, third),
              ElementsAre("warp.cuh:3:3 downfi", "sums.cu:3:3 _Z11sum_of_warpf", "sums.cu:11:3"));
}

TEST(Lines, of_a_header_count_for_the_users_file) {
  const Module module = golden("nvcc/inlined.ptx");
  const Function& kernel = module.functions.at(0);
  const Lines lines = lines_of(module, kernel);
  const std::size_t shuffle = find(kernel, "shfl.sync.down.b32 %r7|%p2, %r6, 1, %r3, %r4;");
  const std::size_t position = *lines.of_statement.at(shuffle);
  EXPECT_EQ(rolled_up(lines, position, 1), (SourcePoint{1, 4, 3}));
  EXPECT_EQ(rolled_up(lines, position, 2), (SourcePoint{2, 3, 3}));
  EXPECT_EQ(rolled_up(lines, position, 3), std::nullopt);
}

TEST(Lines, numbered_0_are_nowhere) {
  const Module module = golden("nvcc/inlined.ptx");
  const Function& kernel = module.functions.at(0);
  const Lines lines = lines_of(module, kernel);
  const std::size_t statement = find(kernel, "shl.b32 %r8, %r1, 2;");
  ASSERT_TRUE(lines.of_statement.at(statement));
  EXPECT_THAT(shown_chain(module, lines, statement), IsEmpty());
  EXPECT_EQ(rolled_up(lines, *lines.of_statement[statement], 1), std::nullopt);
}

TEST(Lines, before_the_first_are_unknown) {
  const Module module = parse(with_body("ret;\n.loc 1 2 3\nret;"));
  const Lines lines = lines_of(module, module.functions.at(0));
  EXPECT_EQ(lines.of_statement.at(0), std::nullopt);
  ASSERT_TRUE(lines.of_statement.at(2));
  EXPECT_EQ(lines.positions.at(*lines.of_statement[2]).at, (SourcePoint{1, 2, 3}));
}

TEST(Lines, whose_call_has_no_line_before_end_their_chain_there) {
  const Module module =
      parse(with_body(".loc 1 2 3, function_name nobody, inlined_at 1 9 9\nret;\n"
                      ".loc 1 2 3, function_name nobody, inlined_at 1 2 3\nret;"));
  const Lines lines = lines_of(module, module.functions.at(0));
  EXPECT_THAT(shown_chain(module, lines, 1), ElementsAre(":2:3", ":9:9"));
  // A function inlined into itself: the chain continues at the earlier copy, and ends.
  EXPECT_THAT(shown_chain(module, lines, 3), ElementsAre(":2:3", ":2:3", ":9:9"));
}

TEST(Lines, are_one_position_however_often_they_come) {
  std::string body;
  for (int i = 0; i < 100; ++i) body += ".loc 1 2 3\nret;\n.loc 1 4 3\nret;\n";
  const Module module = parse(with_body(body));
  EXPECT_EQ(lines_of(module, module.functions.at(0)).positions.size(), 2U);
}

TEST(Lines, of_clang_are_in_the_file_where_the_code_is) {
  const Module module = golden("transpose.ptx");
  const Function& kernel = module.functions.at(0);
  const Lines lines = lines_of(module, kernel);
  EXPECT_THAT(shown_chain(module, lines, find(kernel, "bar.sync 0;")),
              ElementsAre("./transpose.cu:11:3"));
}

}  // namespace
}  // namespace bankproof::ptx
