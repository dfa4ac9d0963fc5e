// See c_header.hpp. Tables and closed forms have the same functions, so a kernel works with both:
//
//   int32_t bankproof_s(uint32_t j)      where lane j reads, or −1
//   int32_t bankproof_d(uint32_t j)      where it writes, or −1
//
// A schedule has such functions for each of its passes 1, 2 and 3: bankproof_s1(row, j) and so on.
#include "c_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "../../algorithms/permutation/affine_terms.hpp"
#include "../../algorithms/permutation/plan.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

/// Whether the plan has too many lanes for functions of 32-bit integers. Only closed forms can have
/// that many lanes, headers with tables cannot.
bool is_wide(const MadePlan& plan) { return plan.n > std::uint64_t{1} << 31; }

/// Appends a function-local static array: in CUDA, host and device each get their own copy.
void append_table(std::string& text, const LaneValues& values) {
  std::visit(
      [&]<class Index>(const std::vector<Index>& numbers) {
        const bool narrow = std::all_of(numbers.begin(), numbers.end(), [](Index value) {
          return value == idle<Index> || value <= 32767;
        });
        fmt::format_to(std::back_inserter(text), "  static const int{}_t table[{}] = {{",
                       narrow ? 16 : 32, numbers.size());
        for (std::size_t j = 0; j < numbers.size(); ++j) {
          text += j % 16 == 0 ? "\n    " : " ";
          if (numbers[j] == idle<Index>) {
            text += "-1,";
          } else {
            fmt::format_to(std::back_inserter(text), "{},", numbers[j]);
          }
        }
        text += "};\n";
      },
      values);
}

std::string tables_of(const MadePlan& plan, const std::string& prefix) {
  std::string text;
  for (std::size_t k = 0; k < plan.passes.size(); ++k) {
    const PassArrays& pass = plan.passes[k];
    const bool one = plan.passes.size() == 1;
    for (const auto& [letter, values] : {std::pair{"s", &pass.s}, std::pair{"d", &pass.d}}) {
      text += fmt::format("\nBANKPROOF_FUNCTION int32_t {}_{}{}({}uint32_t j) {{\n", prefix, letter,
                          one ? "" : std::to_string(k + 1), one ? "" : "uint32_t row, ");
      append_table(text, *values);
      text += one ? "  return table[j];\n}\n"
                  : fmt::format("  return table[(size_t)row * {}u + j];\n}}\n", pass.lanes);
    }
  }
  return text;
}

std::string closed_form_of(const MadePlan& plan, const std::string& prefix) {
  const bool wide = is_wide(plan);
  const std::string result = wide ? "int64_t" : "int32_t";
  const std::string argument = wide ? "uint64_t" : "uint32_t";
  const std::string guard =
      plan.n < plan.width ? fmt::format("  if (j >= {}u) return -1;\n", plan.n) : std::string();
  const std::string s = c_expression(plan.affine->s, "j", wide);
  const std::string d = c_expression(*plan.form.map, "s", wide);
  // With one element, nothing depends on the lane.
  const std::string unused = plan.n == 1 ? "  (void)j;\n" : "";
  return fmt::format(
             "BANKPROOF_FUNCTION {0} {5}_s({1} j) {{\n{2}{3}  return ({0})({4});\n}}\n\n"
             "BANKPROOF_FUNCTION {0} {5}_d({1} j) {{\n{2}{3}",
             result, argument, guard, unused, s, prefix) +
         (plan.n == 1 ? "" : fmt::format("  const {0} s = {1};\n", argument, s)) +
         fmt::format("  return ({0})({1});\n}}\n", result, d);
}

/// The text, changed so that it neither ends a comment nor begins one.
std::string in_comment(const std::string& text) {
  std::string result;
  for (const char c : shown(text)) {
    const bool pair = !result.empty() &&
                      ((c == '/' && result.back() == '*') || (c == '*' && result.back() == '/'));
    if (pair) result += ' ';
    result += c;
  }
  return result;
}

/// The text in capitals, as macro names are.
std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

/// Macros with the counts that loops need, and with the sizes that the plan is for.
std::string sizes_of(const MadePlan& plan, const std::string& name) {
  std::string text =
      fmt::format("#define {0}_N {1}\n#define {0}_WIDTH {2}\n", name, plan.n, plan.width);
  if (plan.kind != MadePlan::Kind::scheduled) {
    text += fmt::format("#define {}_LANES {}\n", name, plan.passes.front().lanes);
  }
  for (std::size_t k = 0; k < plan.passes.size() && plan.passes.size() > 1; ++k) {
    text += fmt::format("#define {0}_ROWS_{1} {2}\n#define {0}_LANES_{1} {3}\n", name, k + 1,
                        plan.passes[k].rows, plan.passes[k].lanes);
  }
  return text + fmt::format("#define {}_SHA256 \"{}\"\n", name, plan.sha256);
}

}  // namespace

std::uint64_t table_lanes_of(const MadePlan& plan) {
  if (plan.affine) return 0;
  std::uint64_t lanes = 0;
  for (const PassArrays& pass : plan.passes) lanes += pass.rows * pass.lanes;
  return lanes;
}

std::string as_c_header(const MadePlan& plan, const std::string& prefix) {
  const std::string capitals = in_capitals(prefix);
  std::string text =
      fmt::format("/* A conflict-free plan for the permutation {0} of {1}, width {2}.\n",
                  in_comment(plan.permutation), counted(plan.n, "element"), plan.width);
  if (plan.kind == MadePlan::Kind::scheduled) {
    text += fmt::format(
        "   A {0} x {1} matrix in row-major order, in three passes: passes 1 and 3 for each row of "
        "the\n"
        "   matrix, pass 2 for each row of its transpose. In pass K lane j of a row, if it is not "
        "-1,\n"
        "   moves column {2}_sK(row, j) to column {2}_dK(row, j). */\n",
        plan.shape.rows, plan.shape.columns, prefix);
  } else {
    text += fmt::format(
        "   for j = 0 ... {0}_LANES-1: b[{1}_d(j)] = a[{1}_s(j)], unless they are -1. No warp has "
        "a "
        "bank\n"
        "   conflict in a or b where warp k takes the lanes j = k*{2} ... k*{2} + {2} - 1. */\n",
        capitals, prefix, plan.width);
  }
  text += fmt::format(
      "#pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
      "{}\n"
      "#ifndef BANKPROOF_FUNCTION\n"
      "#ifdef __CUDACC__\n"
      "#define BANKPROOF_FUNCTION static __host__ __device__ inline\n"
      "#else\n#define BANKPROOF_FUNCTION static inline\n#endif\n#endif\n",
      sizes_of(plan, capitals));
  if (plan.affine) return text + "\n" + closed_form_of(plan, prefix);
  return text + tables_of(plan, prefix);
}

}  // namespace bankproof::cli
