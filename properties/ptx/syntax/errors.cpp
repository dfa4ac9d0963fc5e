// The parser refuses malformed or unknown text, and names line and column.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../support.hpp"

namespace bankproof::ptx {
namespace {

using Table = std::vector<std::pair<std::string, std::string>>;

TEST(Errors, of_modules_say_what_and_where) {
  const Table table = {
      {"", "expected '.version', found the end, k.ptx:1:1"},
      {".version 7", "expected a version such as 7.8, found '7', k.ptx:1:10"},
      {".version 7.8\n.address_size 64", "expected '.target', found '.address_size', k.ptx:2:1"},
      {with_head(".entry f("), "unsupported: a parameter in the end, k.ptx:5:1"},
      {with_head(".entry f() {"), "expected a statement, found the end, k.ptx:5:1"},
      {with_head(".entry f()"), "expected ';', found the end, k.ptx:5:1"},
      {with_head("mov.b32 a, b;"), "expected a directive, found 'mov', k.ptx:4:1"},
      {with_head("/* a"), "a comment without end, k.ptx:4:1"},
      {with_head(".file 1 \"a"), "a string without end, k.ptx:4:9"},
      {with_head("  \x01"), "no token of PTX begins with '?', k.ptx:4:3"},
      {with_head(".file 99999999999 \"a\""),
       "the number of a file is at most 4294967295, k.ptx:4:7"},
      {with_head(".global .b32 x;\n.global .b32 x;"), "'x' is declared twice, k.ptx:5:1"},
      {with_head(".func f() {}\n.func f() {}"), "'f' is declared twice, k.ptx:5:1"},
      {with_head(".entry f(.param .b32 a, .param .b32 a) {}"), "'a' is declared twice, k.ptx:4:25"},
      {with_head(".global .align 3 .b32 x;"), "an alignment is a power of two, k.ptx:4:16"},
      {with_head(".global .b32 x[2] = {1, 2, 3};"), "more values than elements, k.ptx:4:28"},
      {with_head(".global .b32 x[2][0];"), "an inner dimension of size 0, k.ptx:4:20"},
      {with_head(".global .b64 x[4294967296][4294967296];"),
       "the size of an array is at most 134217728, k.ptx:4:28"},
      {with_head(".global .u64 x = y;"), "unknown name 'y', k.ptx:4:18"},
      {with_head(".section .debug_info { { } }"),
       "expected the end of the section, found '{', k.ptx:4:24"},
      {with_head(".section .debug_str { .b8 1 }"), "expected a label, found '.b8', k.ptx:4:23"},
      {with_head(".section .debug_str { a: .b8 256 }"), "a byte is at most 255, k.ptx:4:30"},
  };
  for (const auto& [text, error] : table) EXPECT_EQ(error_of(text), error) << text;
}

TEST(Errors, of_statements_say_what_and_where) {
  const Table table = {
      {"\nmov.b32 a, b", "expected ';', found '}', k.ptx:7:1"},
      {"\nmov.b32 a, ;", "expected an operand, found ';', k.ptx:6:12"},
      {"\n mov.b32 p, q;", "unknown name 'q', k.ptx:6:13"},
      {"\n @%p1 ret;", "unknown register '%p1', k.ptx:6:2"},
      {"\n ld.b32 p, [p;", "expected ']', found ';', k.ptx:6:14"},
      {"\n ld.b32 p, [p+x];", "expected an offset, found 'x', k.ptx:6:15"},
      {"\n ld.b32 p, [1.5];", "an address is no fraction, k.ptx:6:13"},
      {"\n mov.b32 p, 99999999999999999999;",
       "'99999999999999999999' is no number, or does not fit 64 bits, k.ptx:6:13"},
      {"\n mov.b32 p, -9223372036854775809;",
       "-9223372036854775809 does not fit 64 bits, k.ptx:6:14"},
      {"\n mov.b32 p, %tid.q;", "'%tid' has no such component, k.ptx:6:17"},
      {"\n .reg .b32 %tid;", "'%tid' is a special register, k.ptx:6:12"},
      {"\n .reg .b32 a, a;", "'a' is declared twice, k.ptx:6:15"},
      {"\n L: L: ret;", "'L' is declared twice, k.ptx:6:5"},
      {"\n .reg .b32 %r<20>, %r1<3>; mov.b32 %r12, 0;",
       "'%r12' may be a register of two declarations, k.ptx:6:36"},
      {"\n .reg .b32 %r<2>; mov.b32 %r2, 0;", "unknown name '%r2', k.ptx:6:27"},
      {"\n .reg .b32 %r<2>; mov.b32 %r01, 0;", "unknown name '%r01', k.ptx:6:27"},
      {"\n L: mov.b64 p, L+4;", "an offset behind 'L' outside of an address, k.ptx:6:16"},
      {"\n .reg .b16 r; @r ret;", "'r' is no predicate, k.ptx:6:15"},
      {"\n .reg .b32 r; .reg .pred q; setp.eq.and.s32 q, r, r, !r;",
       "'r' is no predicate, k.ptx:6:54"},
      {"\n t: .branchtargets p;", "unknown label 'p', k.ptx:6:2"},
      {"\n .loc 1 2", "expected a column, found '}', k.ptx:7:1"},
      {"\n .loc 1 2 3, inlined_at 1 2 3",
       "expected 'function_name', found 'inlined_at', k.ptx:6:14"},
  };
  for (const auto& [body, error] : table) EXPECT_EQ(error_of(with_body(body)), error) << body;
}

TEST(Errors, name_what_is_not_supported) {
  const Table table = {
      {with_head(".alias a, b;"), "unsupported: the directive '.alias', k.ptx:4:1"},
      {with_head(".global .samplerref t;"),
       "unsupported: the attribute or type '.samplerref' of a declaration, k.ptx:4:9"},
      {with_head(".global .attribute(.unified(1,2)) .b32 x;"),
       "unsupported: the attribute '.unified' of a declaration, k.ptx:4:20"},
      {with_head(".global .b32 x, y;"),
       "unsupported: several variables in one declaration, k.ptx:4:15"},
      {with_head(".global .b32 x[1][1] = {{1}};"),
       "unsupported: braces within an initializer, k.ptx:4:25"},
      {with_head(".entry f() .unknown {}"),
       "unsupported: the directive '.unknown' of a function, k.ptx:4:12"},
      {with_head(".func f(.reg .b32 a) {}"), "unsupported: a parameter in '.reg', k.ptx:4:9"},
      {with_head(".section .strange { }"), "unsupported: the section '.strange', k.ptx:4:10"},
      {with_body(" .calltargets f;"),
       "unsupported: the directive '.calltargets' in a function, k.ptx:5:3"},
      {with_body(" mov p, {{p}};"), "unsupported: braces within an operand, k.ptx:5:11"},
      {with_body(" mov p, %tid;"), "unsupported: all of the vector %tid, k.ptx:5:14"},
      {with_body(" mov p, p.x;"), "unsupported: a component of 'p', k.ptx:5:11"},
  };
  for (const auto& [text, error] : table) EXPECT_EQ(error_of(text), error) << text;
}

TEST(Errors, are_printable_and_short) {
  const std::string error = error_of(with_head(".entry \"" + std::string(500, '\x80') + "\""));
  EXPECT_EQ(error,
            "expected the name of a function, found '" + std::string(40, '?') + "…', k.ptx:4:8");
}

}  // namespace
}  // namespace bankproof::ptx
