// The compilers' PTX is parsed, printed and parsed again. Damaged PTX still parses, or the parser
// refuses it with a position within the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../../ptx/syntax/printer.hpp"
#include "../../../testing/property.hpp"
#include "../support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;

TEST(GoldenFiles, come_from_both_compilers) {
  EXPECT_GE(golden_files().size(), 9U);
  EXPECT_GE(std::count_if(golden_files().begin(), golden_files().end(),
                          [](const Golden& file) { return file.name.starts_with("nvcc/"); }),
            3);
}

TEST(GoldenFiles, are_equal_modules_when_printed) {
  for (const Golden& file : golden_files()) {
    const Module module = parse(file.text, file.name);
    const std::string printed = print(module);
    const Module again = parse(printed, file.name);
    EXPECT_EQ(module, again) << file.name;
    EXPECT_EQ(printed, print(again)) << file.name;
  }
}

// In the text, an instruction is a line that ends with a semicolon and is not a directive.
TEST(GoldenFiles, lose_no_instruction_of_clang) {
  for (const char* const name :
       {"transpose.ptx", "reduction.ptx", "histogram.ptx", "particles.ptx", "divergence.ptx"}) {
    const auto file = std::find_if(golden_files().begin(), golden_files().end(),
                                   [&](const Golden& f) { return f.name == name; });
    ASSERT_NE(file, golden_files().end()) << name;
    std::size_t expected = 0;
    for (std::size_t at = 0; at < file->text.size();) {
      const std::size_t end = std::min(file->text.find('\n', at), file->text.size());
      const std::string line = file->text.substr(at, end - at);
      at = end + 1;
      expected += line.ends_with(';') && line.starts_with('\t') && line[1] != '.' ? 1U : 0U;
    }
    std::size_t found = 0;
    for (const Function& function : parse(file->text, name).functions) {
      found += static_cast<std::size_t>(
          std::count_if(function.body.begin(), function.body.end(), [](const Statement& statement) {
            return std::holds_alternative<Instruction>(statement);
          }));
    }
    EXPECT_GT(found, 10U) << name;
    EXPECT_EQ(found, expected) << name;
  }
}

TEST(GoldenFiles, have_the_parameters_of_their_kernels) {
  const Module module = golden("particles.ptx");
  const Function* kernel = definition(module, "_Z9particlesP6float44Step");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel->entry);
  ASSERT_EQ(kernel->parameters.size(), 2U);
  EXPECT_EQ(kernel->parameters[0].type, "u64");
  EXPECT_THAT(kernel->parameters[1].dimensions, ElementsAre(32U));
  EXPECT_EQ(kernel->parameters[1].align, 16U);
}

TEST(GoldenFiles, have_the_launch_bounds_of_their_kernels) {
  const Module module = golden("reduction.ptx");
  const Function* kernel = definition(module, "_Z9reductionPKfPfi");
  ASSERT_NE(kernel, nullptr);
  EXPECT_THAT(kernel->directives, ElementsAre(FunctionDirective{"maxntid", {256, 1, 1}},
                                              FunctionDirective{"minnctapersm", {2}}));
}

TEST(GoldenFiles, call_with_parameters_of_the_innermost_braces) {
  const Module module = golden("calls.ptx");
  const Function* kernel = definition(module, "_Z5callsPii");
  ASSERT_NE(kernel, nullptr);
  std::vector<std::size_t> arguments;
  for (const Statement& statement : kernel->body) {
    const auto* call = std::get_if<Instruction>(&statement);
    if (!call || call->base != "call") continue;
    const auto& first = std::get<Arguments>(call->operands.at(2).value).elements.at(0);
    const auto& symbol = std::get<Symbol>(first);
    EXPECT_EQ(symbol.name, "param0");
    EXPECT_EQ(std::get<Variable>(kernel->body.at(symbol.index)).name, "param0");
    arguments.push_back(symbol.index);
  }
  EXPECT_EQ(arguments.size(), 3U);
  EXPECT_TRUE(std::adjacent_find(arguments.begin(), arguments.end()) == arguments.end());
}

// Deletes a part of the text, inserts a copy of another part, or overwrites a part with a token.
std::string damaged(std::string text) {
  const int edits = *rc::gen::inRange(1, 4);
  for (int edit = 0; edit < edits && !text.empty(); ++edit) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 12);
    const std::string piece = text.substr(*rc::gen::inRange<std::size_t>(0, text.size()), length);
    const auto how = *rc::gen::inRange(0, 3);
    if (how == 0) text.erase(at, length);
    if (how == 1) text.insert(at, piece);
    if (how == 2)
      text.replace(at, length,
                   *rc::gen::element<std::string>(
                       "{", "}", ";", ":", "[", "]", "(", ")", ".reg .b32 %q<3>;", "-", "+", "0x",
                       "\"", "/*", "@!", "|", "_", "18446744073709551615", ".loc 1 0 0", "\n"));
  }
  return text;
}

BANKPROOF_PROPERTY(GoldenFiles, when_damaged_are_parsed_or_refused_at_a_place, ()) {
  const Golden file = *rc::gen::elementOf(golden_files());
  const std::string text = damaged(file.text);
  try {
    const Module module = parse(text, "k.ptx");
    const std::string printed = print(module);
    RC_ASSERT(parse(printed) == module);
  } catch (const Error& error) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    RC_ASSERT(error.place().line >= 1U);
    RC_ASSERT(error.place().line <= lines + 1);
    RC_ASSERT(error.place().column >= 1U);
  }
}

}  // namespace
}  // namespace bankproof::ptx
