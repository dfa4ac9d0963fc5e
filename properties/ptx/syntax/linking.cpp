// Modules that are linked: what names mean, where lines come from, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/exec/library.hpp"
#include "../../../ptx/report/function_names.hpp"
#include "../../../ptx/report/origins.hpp"
#include "../../../ptx/syntax/cpp_names.hpp"
#include "../../../ptx/syntax/lines.hpp"
#include "../../../ptx/syntax/link.hpp"
#include "../../../ptx/syntax/printer.hpp"
#include "../kernel_run.hpp"
#include "../support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;

/// Modules a.ptx, b.ptx, … with these items from line 4 on.
std::vector<Module> modules(const std::vector<std::string>& items) {
  std::vector<Module> result;
  for (const std::string& text : items) {
    const std::string name(1, static_cast<char>('a' + result.size()));
    result.push_back(parse(with_head(text), name + ".ptx"));
  }
  return result;
}

Module linked(const std::vector<std::string>& items) { return link(modules(items), is_of_library); }

/// Runs the kernel k(u64 address) with one thread, and returns the number that it writes.
std::uint32_t result_of(const Module& module) {
  KernelRun run(module, "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>{0});
  run.launch({1, 1, 1}, {1, 1, 1});
  EXPECT_TRUE(run.faults().empty());
  return run.data<std::uint32_t>(out).at(0);
}

/// A function `name` that returns the number in the variable, or a number.
std::string returns(const std::string& linkage, const std::string& name,
                    const std::string& source) {
  return linkage + " .func (.param .b32 r) " + name + "() { .reg .b32 %a; " +
         (source[0] >= '0' && source[0] <= '9' ? "mov.u32 %a, " + source
                                               : "ld.global.u32 %a, [" + source + "]") +
         "; st.param.b32 [r], %a; ret; }\n";
}

/// The kernel k, which writes the sum of what the functions return.
std::string kernel_of(const std::vector<std::string>& functions) {
  std::string text =
      ".visible .entry k(.param .u64 p) { .reg .b64 %p; .reg .b32 %s, %v; ld.param.u64 %p, [p]; "
      "mov.u32 %s, 0;\n";
  for (const std::string& name : functions) {
    text += "{ .param .b32 got; call.uni (got), " + name +
            ", (); ld.param.b32 %v, [got]; } add.u32 %s, %s, %v;\n";
  }
  return text + "st.global.u32 [%p], %s; ret; }\n";
}

const std::string extern_f = ".extern .func (.param .b32 r) f();\n";

TEST(Linking, lets_modules_call_functions_and_use_variables_of_others) {
  const Module module = linked({extern_f + kernel_of({"f"}),
                                ".extern .global .b32 x;\n" + returns(".visible", "f", "x"),
                                ".visible .global .u32 x = 42;\n"});
  EXPECT_EQ(result_of(module), 42U);
  EXPECT_EQ(module.variables.size(), 1U);
}

TEST(Linking, gives_each_module_its_own_names) {
  const std::string own = ".global .u32 $str = ";
  const Module module = linked({
      own + "3;\n" + returns("", "own", "$str") + extern_f + kernel_of({"own", "f"}),
      own + "40;\n" + returns("", "own", "$str") + ".visible .func (.param .b32 r) f() { { " +
          ".param .b32 got; call.uni (got), own, (); .reg .b32 %a; ld.param.b32 %a, [got]; " +
          "st.param.b32 [r], %a; } ret; }\n",
  });
  EXPECT_EQ(result_of(module), 43U);
  EXPECT_EQ(module.variables[1].name, "$str__intern__2");
  EXPECT_EQ(demangled("_Z3ownv__intern__2"), "own()");
}

TEST(Linking, renames_an_own_name_that_other_modules_share) {
  const Module module = linked({returns("", "f", "1") + kernel_of({"f"}),
                                returns(".visible", "f", "2"), returns("", "f", "3")});
  EXPECT_EQ(result_of(module), 1U);
  EXPECT_NE(definition(module, "f"), nullptr);
  EXPECT_NE(definition(module, "f__intern__2"), nullptr);
  EXPECT_NE(definition(module, "f__intern__3"), nullptr);
}

TEST(Linking, takes_the_first_of_weak_definitions_and_before_them_a_strong_one) {
  const std::string weak = returns(".weak", "f", "1");
  const std::string weak_too = returns(".weak", "f", "2");
  EXPECT_EQ(result_of(linked({weak + kernel_of({"f"}), weak_too})), 1U);
  EXPECT_EQ(result_of(linked({weak + kernel_of({"f"}), returns(".visible", "f", "3")})), 3U);
  EXPECT_EQ(result_of(linked({returns(".visible", "f", "3"), weak + kernel_of({"f"})})), 3U);
  EXPECT_EQ(
      result_of(linked({".weak .global .u32 x = 5;\n" + returns("", "g", "x"),
                        ".weak .global .u32 x = 6;\n" + returns("", "g", "x") + kernel_of({"g"})})),
      5U);
}

TEST(Linking, keeps_a_weak_kernel_once) {
  const std::string weak =
      ".weak .entry k(.param .u64 p) { .reg .b64 %p; ld.param.u64 %p, [p]; "
      "st.global.u32 [%p], 7; ret; }\n";
  const Module module = linked({weak, weak});
  EXPECT_EQ(result_of(module), 7U);
  EXPECT_EQ(module.functions.size(), 1U);
}

TEST(Linking, keeps_the_largest_of_common_variables) {
  const Module module = linked(
      {".common .global .b32 x;\n", ".common .global .b32 x[3];\n", ".extern .global .b32 x[];\n"});
  ASSERT_EQ(module.variables.size(), 1U);
  EXPECT_THAT(module.variables[0].dimensions, ElementsAre(3U));
}

TEST(Linking, aligns_dynamic_shared_memory_for_all_modules) {
  const Module module = linked({".extern .shared .align 4 .b8 s[];\n" + kernel_of({}),
                                ".extern .shared .align 16 .b8 s[];\n"});
  ASSERT_EQ(module.variables.size(), 1U);
  EXPECT_EQ(module.variables[0].align, 16U);
}

TEST(Linking, follows_addresses_in_initial_values) {
  const std::string reads = returns("", "g", "p") +
                            ".visible .entry k(.param .u64 p) { .reg .b64 %p, %x; .reg .b32 %a; "
                            "ld.param.u64 %p, [p]; ld.global.u64 %x, [pointer]; "
                            "ld.u32 %a, [%x]; st.global.u32 [%p], %a; ret; }\n";
  const Module module =
      linked({".global .u32 x = 1;\n", ".extern .global .u64 pointer;\n.global .u32 p;\n" + reads,
              ".global .u32 x = 9;\n"
              ".visible .global .u64 pointer = generic(x);\n"});
  EXPECT_EQ(result_of(module), 9U);
}

TEST(Linking, needs_no_definition_of_what_the_machine_supplies) {
  const std::string vprintf =
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n";
  EXPECT_EQ(linked({vprintf, vprintf}).functions.size(), 1U);
}

/// A copy in which no declaration tells its module, as the parser makes it.
Module without_files(Module module) {
  for (Variable& variable : module.variables) variable.file.clear();
  for (Function& function : module.functions) {
    function.file.clear();
    for (Statement& statement : function.body) {
      if (auto* local = std::get_if<Variable>(&statement)) local->file.clear();
    }
  }
  return module;
}

TEST(Linking, makes_a_module_that_can_be_printed) {
  const Module module = linked({
      extern_f + ".extern .global .u32 x;\n" + returns(".weak", "w", "x") + kernel_of({"f", "w"}),
      returns(".weak", "w", "1") + ".visible .global .u32 x = 4;\n" + returns("", "k2", "2") +
          returns(".visible", "f", "x"),
  });
  const Module again = parse(print(module), module.file);
  EXPECT_TRUE(without_files(module) == again) << print(module);
  EXPECT_EQ(result_of(module), 8U);
  EXPECT_EQ(result_of(again), 8U);
}

TEST(Linking, of_one_module_changes_nothing_that_runs) {
  for (const Golden& file : golden_files()) {
    const Module module = parse(file.text, file.name);
    const Module one = link({module}, is_of_library);
    EXPECT_EQ(one.variables.size(), module.variables.size()) << file.name;
    for (const Function& function : module.functions) {
      if (!function.defined) continue;
      const Function* const found = definition(one, function.name);
      ASSERT_NE(found, nullptr) << function.name;
      EXPECT_EQ(found->body.size(), function.body.size()) << function.name;
    }
  }
}

// ---- Refusals

std::string refusal_of(const std::vector<std::string>& items) {
  try {
    linked(items);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// As clang 16 declares a kernel that only the host's code of a file names.
TEST(Linking, finds_a_kernel_that_another_module_declares_as_a_function) {
  const std::string declared = ".extern .func k (.param .b64 p);\n.global .u64 used[1] = {k};";
  const std::string defined = ".visible .entry k(.param .u64 p) { ret; }";
  for (const auto& items : {std::vector{declared, defined}, std::vector{defined, declared}}) {
    EXPECT_EQ(refusal_of(items), "");
    EXPECT_TRUE(find_kernel(linked(items), "k").defined);
  }
  EXPECT_EQ(refusal_of({declared, ".visible .entry k(.param .u32 p) { ret; }"}),
            "'k' has another prototype than in a.ptx:4:1, b.ptx:4:1");
  EXPECT_EQ(refusal_of({".weak .func k(.param .b64 p) { ret; }", defined}),
            "'k' has another prototype than in a.ptx:4:1, b.ptx:4:1");
}

TEST(Linking, names_the_symbol_and_the_modules_of_an_error) {
  using Table = std::vector<std::pair<std::vector<std::string>, std::string>>;
  const std::string f = returns(".visible", "f", "1");
  const Table table = {
      {{f, f}, "'f' is defined twice, also in a.ptx:4:1, b.ptx:4:1"},
      {{".visible .global .u32 x;", "\n.visible .global .u32 x;"},
       "'x' is defined twice, also in a.ptx:4:10, b.ptx:5:10"},
      {{"", extern_f}, "no module defines 'f', b.ptx:4:1"},
      {{".extern .global .u32 x;", ".global .u32 x;"}, "no module defines 'x', a.ptx:4:9"},
      {{".extern .const .u32 x;", ".visible .global .u32 x;"},
       "'x' has another state space than in a.ptx:4:9, b.ptx:4:10"},
      {{".extern .global .b8 x[16];", ".visible .global .u32 x[7];"},
       "'x' has another size than in a.ptx:4:9, b.ptx:4:10"},
      {{".weak .global .u32 x[3];", ".weak .global .u32 x[4];"},
       "'x' has another size than in a.ptx:4:7, b.ptx:4:7"},
      {{f, ".extern .func f();"}, "'f' has another prototype than in a.ptx:4:1, b.ptx:4:1"},
      {{f, ".extern .func (.param .b32 r) f(.param .b32 x);"},
       "'f' has another prototype than in a.ptx:4:1, b.ptx:4:1"},
      {{f, ".extern .global .u32 f;"}, "'f' has another kind than in a.ptx:4:1, b.ptx:4:9"},
  };
  for (const auto& [items, error] : table) EXPECT_EQ(refusal_of(items), error);
  EXPECT_EQ(refusal_of({".extern .global .b8 x[];", ".visible .global .u32 x[7];"}), "");
}

TEST(Linking, needs_modules_of_one_address_size) {
  std::vector<Module> both = modules({"", ""});
  both[1].address_size = 32;
  EXPECT_THROW(link(both), Error);
  EXPECT_THROW(link({}), std::invalid_argument);
}

TEST(Linking, leaves_the_place_of_a_later_error_in_its_module) {
  const Module module =
      linked({extern_f + kernel_of({"f"}),
              ".visible .func (.param .b32 r) f() {\n\n .reg .b32 %a;\n foo.b32 %a, 1;\n ret; }"});
  try {
    decode(module, "k");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("b.ptx:7:2"));
  }
}

TEST(Linking, leaves_an_instruction_without_lines_at_its_place_in_its_module) {
  const Module module =
      linked({extern_f + kernel_of({"f"}), "\n\n" + returns(".visible", "f", "1")});
  const auto f = static_cast<std::size_t>(definition(module, "f") - module.functions.data());
  const SiteStatement last{f, module.functions[f].body.size() - 1};
  const std::vector<Origin> origins = origins_of(module, std::vector{last}, "");
  ASSERT_EQ(origins.size(), 1U);
  EXPECT_EQ(origins[0].at.file, "b.ptx");
  EXPECT_EQ(origins[0].at.line, 6U);
}

// ---- Lines

/// Of each instruction `ret` in the function, the chain of "file:line function".
std::vector<std::string> lines_shown(const Module& module, const std::string& name) {
  const Function& function = *definition(module, name);
  const Lines lines = lines_of(module, function);
  std::vector<std::string> shown;
  for (std::size_t s = 0; s < function.body.size(); ++s) {
    if (!std::holds_alternative<Instruction>(function.body[s]) || !lines.of_statement[s]) continue;
    for (const SourcePosition& link : chain(lines, *lines.of_statement[s])) {
      shown.push_back(std::string(file_name(module, link.at.file)) + ":" +
                      std::to_string(link.at.line) + " " + link.function);
    }
  }
  return shown;
}

std::string with_lines(const std::string& name, const std::string& own,
                       const std::string& inlined) {
  std::string bytes;
  for (const char c : inlined) bytes += std::to_string(static_cast<int>(c)) + ",";
  return ".visible .func " + name +
         "() {\n.loc 1 10 1\n.loc 2 3 1, function_name $L__info_string0, inlined_at 1 10 1\nret; "
         "}\n"
         ".file 1 \"" +
         own + "\"\n.file 2 \"shared.cuh\"\n.section .debug_str {\n$L__info_string0:\n.b8 " +
         bytes + "0\n}\n";
}

TEST(Linking, keeps_the_source_lines_of_each_module) {
  const Module module =
      linked({with_lines("f", "a.cu", "_Z1av"), with_lines("g", "b.cu", "_Z1bv")});
  EXPECT_THAT(lines_shown(module, "f"), ElementsAre("shared.cuh:3 _Z1av", "a.cu:10 "));
  EXPECT_THAT(lines_shown(module, "g"), ElementsAre("shared.cuh:3 _Z1bv", "b.cu:10 "));
  EXPECT_EQ(module.files.size(), 3U) << "a header of both modules has one number";
}

TEST(Linking, does_not_lend_the_files_of_a_module_to_another) {
  const Module module =
      linked({".visible .func f() {\n.loc 2 5 1\nret; }\n.file 1 \"a.cu\"\n",
              ".visible .func g() {\n.loc 2 6 1\nret;\n.loc 1 7 1\nret; }\n.file 2 \"b.cu\"\n"});
  EXPECT_THAT(lines_shown(module, "f"), ElementsAre(":5 "));
  EXPECT_THAT(lines_shown(module, "g"), ElementsAre("b.cu:6 ", ":7 "));
}

TEST(Linking, takes_nvccs_prefix_off_the_names_of_static_functions) {
  EXPECT_EQ(demangled("__nv_static_24__69a88237_4_a_cu_pointer__Z1kPi"), "k(int*)");
  EXPECT_EQ(demangled("__nv_static_25__910486a6_4_a_cu_4b2cf1c4_local"), "local");
  for (const char* const other : {"__nv_static_", "__nv_static_24_", "__nv_static_99_short",
                                  "__nv_static_x", "__nv_static_99999999999999999999__a_b"}) {
    EXPECT_EQ(demangled(other), other);
  }
}

}  // namespace
}  // namespace bankproof::ptx
