// Checks the values of expressions against a compiler: the test compiles a batch of expressions
// once, and compares the program's values with the evaluator's values.
//
// The numbers of the program are objects of a class around uint32_t. So every value is unsigned,
// including the results of comparisons, and undefined values are detectable. The compiler decides
// how operators bind.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../../../proofs/formulas/parser.hpp"
#include "expressions.hpp"

namespace bankproof::formulas {
namespace {

constexpr std::size_t expressions = 400;
constexpr std::uint32_t inputs[][2] = {
    {0, 0}, {1, 5}, {31, 32}, {33, 7}, {0x80000000, 0xffffffff}, {0xffffffff, 1}, {12345, 678}};

constexpr const char* head = R"(
#include <cstdint>
#include <cstdio>
static bool lost;  // set if a condition is undefined, so that the value of ?: is unknown
struct U {
  std::uint32_t v;
  bool defined = true;
  constexpr explicit U(std::uint32_t value, bool is = true) : v(value), defined(is) {}
  explicit operator bool() const { lost = lost || !defined; return v != 0; }
  U operator+() const { return *this; }
  U operator-() const { return U(-v, defined); }
  U operator~() const { return U(~v, defined); }
  U operator!() const { return U(!v, defined); }
};
#define BOTH(op) \
  static U operator op(U a, U b) { return U(a.v op b.v, a.defined && b.defined); }
BOTH(*) BOTH(+) BOTH(-) BOTH(<) BOTH(<=) BOTH(>) BOTH(>=) BOTH(==) BOTH(!=) BOTH(&) BOTH(^) BOTH(|)
#define PART(op, condition)                                                             \
  static U operator op(U a, U b) {                                                      \
    return condition ? U(a.v op b.v, a.defined && b.defined) : U(0, false);             \
  }
PART(/, b.v != 0) PART(%, b.v != 0) PART(<<, b.v < 32) PART(>>, b.v < 32)
static U operator&&(U a, U b) { return U(a.v && b.v, a.defined && (!a.v || b.defined)); }
static U operator||(U a, U b) { return U(a.v || b.v, a.defined && (a.v || b.defined)); }
static U operator,(U a, U b) { return U(b.v, a.defined && b.defined); }
static void show(U u) {
  lost ? std::printf("?\n") : u.defined ? std::printf("%u\n", u.v) : std::printf("-\n");
  lost = false;
}
)";

std::string lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Compiled, expressions_mean_what_the_compiler_says) {
  std::string program = head;
  std::string expected;
  std::string main = "int main() {\n";
  for (std::size_t k = 0; k < expressions; ++k) {
    const Expression tree = Drawing(k, 2).tree(1 + k % 6);
    const std::uint64_t spare = k % 3 == 0 ? k * 0x9e3779b97f4a7c15 : 0;
    const std::string text = Writer({"i", "j"}, "{}u", spare)(tree);
    const std::string compiled = Writer({"i", "j"}, "U({}u)", spare)(tree);
    program += fmt::format("static U f{}(U i, U j) {{ return {}; }}\n", k, compiled);
    const Scope scope{{"i", "j"}, {}};
    const Formula formula(scope, {text, parse(text, scope)});
    for (const auto& [i, j] : inputs) {
      main += fmt::format("  show(f{}(U({}u), U({}u)));\n", k, i, j);
      const std::vector<std::uint32_t> values = {i, j};
      const Outcome outcome = formula(values);
      expected += (outcome.is_defined() ? fmt::format("{}", outcome.value) : "-") + "\n";
    }
  }
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / fmt::format("compiled.{}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto source = folder / "expressions.cpp";
  std::ofstream(source) << program << main << "}\n";
  const auto binary = folder / "expressions";
  const std::string compile = fmt::format("'{}' -std=c++20 -w -O0 '{}' -o '{}'", BANKPROOF_COMPILER,
                                          source.string(), binary.string());
  ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
  const auto output = folder / "output";
  ASSERT_EQ(std::system(fmt::format("'{}' > '{}'", binary.string(), output.string()).c_str()), 0);

  std::istringstream got(lines_of(output));
  std::istringstream want(expected);
  std::size_t line = 0;
  std::size_t undefined = 0;
  std::size_t lost = 0;
  std::string got_line;
  for (std::string want_line; std::getline(want, want_line); ++line) {
    ASSERT_TRUE(std::getline(got, got_line));
    if (got_line == "?") {
      ++lost;
      continue;
    }
    const std::size_t k = line / std::size(inputs);
    EXPECT_EQ(got_line, want_line) << Writer({"i", "j"})(Drawing(k, 2).tree(1 + k % 6));
    undefined += want_line == "-";
  }
  EXPECT_EQ(line, expressions * std::size(inputs));
  EXPECT_GT(undefined, line / 50);
  EXPECT_LT(undefined + lost, line / 2);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bankproof::formulas
