// The parser's result for each construct.
#include "../../../ptx/syntax/parser.hpp"

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
using ::testing::SizeIs;

TEST(Parser, reads_the_head) {
  const Module module = parse(".version 9.10\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(module.major, 9U);
  EXPECT_EQ(module.minor, 10U);
  EXPECT_THAT(module.target, ElementsAre("sm_90a", "debug"));
  EXPECT_EQ(module.address_size, 64U);
}

TEST(Parser, takes_addresses_of_64_bits_where_ptx_had_no_directive_for_them) {
  EXPECT_EQ(parse(".version 1.4\n.target sm_10, map_f64_to_f32\n").address_size, 64U);
  EXPECT_EQ(parse(".version 2.2\n.target sm_20\n").address_size, 64U);
  EXPECT_EQ(parse(".version 2.3\n.target sm_20\n").address_size, 32U);
  EXPECT_EQ(parse(".version 9.0\n.target sm_80\n").address_size, 32U);
}

TEST(Parser, reads_the_parts_of_an_instruction) {
  const Module module =
      parse(with_body(".reg .pred %p<2>; .reg .f32 %f<3>; .reg .b64 %rd<2>;\n"
                      "  @!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-8];"));
  const auto instructions = all_of<Instruction>(module);
  ASSERT_THAT(instructions, SizeIs(1));
  const Instruction& load = instructions[0];
  ASSERT_TRUE(load.guard);
  EXPECT_TRUE(load.guard->negated);
  EXPECT_EQ(load.guard->predicate, (Register{"%p1", 0, 1}));
  EXPECT_EQ(load.base, "ld");
  EXPECT_THAT(load.modifiers, ElementsAre("global", "v2", "f32"));
  ASSERT_THAT(load.operands, SizeIs(2));
  EXPECT_EQ(std::get<Vector>(load.operands[0].value), (Vector{{Register{"%f1", 1, 1}, Sink{}}}));
  EXPECT_EQ(std::get<Address>(load.operands[1].value),
            (Address{Register{"%rd1", 2, 1}, -8, {}, {}}));
  EXPECT_EQ(load.place.line, 6U);
  EXPECT_EQ(load.place.column, 3U);
}

TEST(Parser, knows_every_kind_of_operand) {
  const std::vector<std::pair<std::string, Operand>> table = {
      {"%r1", {Scalar{Register{"%r1", 0, 1}}, {}}},
      {"%tid.x", {Scalar{Special{"%tid.x"}}, {}}},
      {"%clock64", {Scalar{Special{"%clock64"}}, {}}},
      {"WARP_SZ", {Scalar{Special{"WARP_SZ"}}, {}}},
      {"%envreg2", {Scalar{Special{"%envreg2"}}, {}}},
      {"%envreg31", {Scalar{Special{"%envreg31"}}, {}}},
      {"-1", {Scalar{Immediate{Immediate::Kind::integer, ~std::uint64_t{0}}}, {}}},
      {"0f3F800000", {Scalar{Immediate{Immediate::Kind::f32, 0x3F800000}}, {}}},
      {"0d3FF0000000000000", {Scalar{Immediate{Immediate::Kind::f64, 0x3FF0000000000000}}, {}}},
      {"p", {Scalar{Symbol{"p", Symbol::Kind::parameter, 0, 0}}, {}}},
      {"f", {Scalar{Symbol{"f", Symbol::Kind::function, 0, 0}}, {}}},
      {"L", {Scalar{LabelName{"L", 3}}, {}}},
      {"s+4", {Scalar{Symbol{"s", Symbol::Kind::local, 2, 4}}, {}}},
      {"_", {Scalar{Sink{}}, {}}},
      {"!%p1", {Negated{Register{"%p1", 1, 1}}, {}}},
      {"%r1|%p1", {Pair{Register{"%r1", 0, 1}, Register{"%p1", 1, 1}}, {}}},
      {"[%r1]", {Address{Register{"%r1", 0, 1}, 0, {}, {}}, {}}},
      {"[p+8]", {Address{Symbol{"p", Symbol::Kind::parameter, 0, 8}, 0, {}, {}}, {}}},
      {"[64]", {Address{Immediate{Immediate::Kind::integer, 64}, 0, {}, {}}, {}}},
      {"[p, %r1, {%r0, _}]",
       {Address{Symbol{"p", Symbol::Kind::parameter, 0, 0},
                0,
                {Register{"%r1", 0, 1}},
                {Register{"%r0", 0, 0}, Sink{}}},
        {}}},
      {"{%r0, 1}", {Vector{{Register{"%r0", 0, 0}, Immediate{Immediate::Kind::integer, 1}}}, {}}},
      {"()", {Arguments{}, {}}},
  };
  for (const auto& [text, operand] : table) {
    const Module module =
        parse(with_body(".reg .b32 %r<3>; .reg .pred %p<2>; .shared .b32 s;\nL: op " + text + ";"));
    const auto instructions = all_of<Instruction>(module);
    ASSERT_THAT(instructions, SizeIs(1)) << text;
    EXPECT_THAT(instructions[0].operands, ElementsAre(operand)) << text;
    EXPECT_EQ(print(instructions[0]), "op " + text + ";");
  }
}

TEST(Parser, reads_declarations_of_variables) {
  const Module module = parse(
      with_head(".visible .global .align 8 .v2 .f32 a[2][3];\n.extern .shared .align 16 .b8 s[];\n"
                ".const .u64 c = generic(a)+4;\n"
                ".global .attribute(.managed) .align 4 .u32 m = 5;\n"
                ".entry k(.param .u64 .ptr .global .align 4 q, .param .align 8 .b8 z[12]) {}"));
  ASSERT_THAT(module.variables, SizeIs(4));
  const Variable& a = module.variables[0];
  EXPECT_EQ(a.linkage, Linkage::visible);
  EXPECT_EQ(a.align, 8U);
  EXPECT_EQ(a.vector, 2U);
  EXPECT_EQ(a.type, "f32");
  EXPECT_THAT(a.dimensions, ElementsAre(2U, 3U));
  EXPECT_THAT(module.variables[1].dimensions, ElementsAre(0U));
  ASSERT_THAT(module.variables[2].initial, SizeIs(1));
  EXPECT_TRUE(module.variables[2].initial[0].generic);
  EXPECT_EQ(std::get<Symbol>(module.variables[2].initial[0].value),
            (Symbol{"a", Symbol::Kind::variable, 0, 4}));
  EXPECT_TRUE(module.variables[3].managed);
  EXPECT_FALSE(a.managed);
  EXPECT_EQ(parse(print(module)), module);
  const auto& parameters = module.functions.at(0).parameters;
  ASSERT_THAT(parameters, SizeIs(2));
  ASSERT_TRUE(parameters[0].pointer);
  EXPECT_EQ(parameters[0].pointer->space, Space::global);
  EXPECT_EQ(parameters[0].pointer->align, 4U);
  EXPECT_THAT(parameters[1].dimensions, ElementsAre(12U));
}

TEST(Parser, does_not_spell_out_what_is_written_short) {
  const Module module = parse(
      with_body(".reg .b32 %r<4294967295>; .local .b8 x[1000000000000]; mov.b32 %r4294967294, x;"));
  EXPECT_THAT(module.functions[0].registers, SizeIs(1));
  const auto instructions = all_of<Instruction>(module);
  EXPECT_EQ(std::get<Scalar>(instructions.at(0).operands.at(0).value),
            Scalar(Register{"%r4294967294", 0, 4294967294U}));
}

TEST(Parser, skips_what_means_nothing_to_a_machine) {
  const Module module =
      parse(with_head(".pragma \"nounroll\";\n.file 1 \"a.cu\", 17, 4\n.section .debug_info "
                      "{\n.b32 a - b\n.b8 1,2\n}"));
  EXPECT_EQ(print(module), with_head(".file 1 \"a.cu\""));
  EXPECT_THAT(all_of<Instruction>(parse(with_body(";;"))), IsEmpty());
}

TEST(Parser, resolves_symbols_to_what_is_declared_before) {
  const Module module = parse(
      with_head(".extern .func g(.param .b32 x);\n.func g(.param .b32 x) {}\n"
                ".func (.param .b32 r) f() { .param .b32 y; call g, (y); ld.param.b32 y, [r]; }"));
  const Function* f = definition(module, "f");
  ASSERT_NE(f, nullptr);
  const auto& call = std::get<Instruction>(f->body.at(1));
  EXPECT_EQ(std::get<Scalar>(call.operands.at(0).value),
            Scalar(Symbol{"g", Symbol::Kind::function, 0, 0}));
  EXPECT_EQ(definition(module, "g"), &module.functions[1]);
  const auto& load = std::get<Instruction>(f->body.at(2));
  EXPECT_EQ(std::get<Address>(load.operands.at(1).value),
            (Address{Symbol{"r", Symbol::Kind::result, 0, 0}, 0, {}, {}}));
}

TEST(Parser, ends_scopes_at_their_braces) {
  EXPECT_EQ(error_of(with_body("{ .reg .b32 a; } mov a, 1;")), "unknown name 'a', k.ptx:5:23");
  EXPECT_EQ(error_of(with_body("{ L: } bra L;")), "unknown name 'L', k.ptx:5:13");
  EXPECT_EQ(error_of(with_body("{ L: { bra L; } } L: bra L;")), "");
}

TEST(Parser, limits_the_nesting_of_scopes) {
  const auto nested = [](int depth) {
    return with_body(std::string(static_cast<std::size_t>(depth), '{') +
                     std::string(static_cast<std::size_t>(depth), '}'));
  };
  EXPECT_EQ(error_of(nested(most_scopes - 1)), "");
  EXPECT_EQ(error_of(nested(most_scopes)), "unsupported: scopes nested so deep, k.ptx:5:65");
  EXPECT_EQ(error_of(nested(1000000)), "unsupported: scopes nested so deep, k.ptx:5:65");
}

}  // namespace
}  // namespace bankproof::ptx
