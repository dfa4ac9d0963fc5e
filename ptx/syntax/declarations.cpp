// Parses declarations: first the attributes, in the order in which compilers write them, then the
// names.
#include "declarations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "specials.hpp"

namespace bankproof::ptx {

namespace {

Type parse_type(Cursor& cursor) {
  if (!cursor.at(TokenKind::dotted)) cursor.expected("a type");
  const std::string_view name = cursor.token().text.substr(1);
  if (find_type(name) == nullptr) {
    cursor.unsupported("the attribute or type " + shown(cursor.token()) + " of a declaration");
  }
  return cursor.dotted("a type");
}

std::uint64_t parse_alignment(Cursor& cursor) {
  const Place place = cursor.place();
  const std::uint64_t align = cursor.number("an alignment", std::uint64_t{1} << 31U);
  if (!std::has_single_bit(align)) cursor.fail("an alignment is a power of two", place);
  return align;
}

// .attribute(.managed), the only attribute of variables that this machine knows.
bool parse_managed(Cursor& cursor) {
  cursor.expect(".attribute");
  cursor.expect('(');
  if (!cursor.at(".managed")) {
    cursor.unsupported("the attribute " + shown(cursor.token()) + " of a declaration");
  }
  cursor.take();
  cursor.expect(')');
  return true;
}

Pointer parse_pointer(Cursor& cursor) {
  Pointer result;
  if (cursor.at(TokenKind::dotted)) result.space = space_of_directive(cursor.token().text);
  if (result.space) cursor.take();
  if (cursor.accept(".align")) result.align = parse_alignment(cursor);
  return result;
}

// An array has at most 2^62 bytes, so that its size can be computed in 64 bits.
constexpr std::uint64_t most_bytes_of_array = std::uint64_t{1} << 62U;

void parse_dimensions(Cursor& cursor, Variable& variable) {
  std::uint64_t bytes = variable.vector * bytes_of(variable.type);
  while (cursor.at('[')) {
    if (variable.dimensions.size() == 8) cursor.unsupported("an array of more than 8 dimensions");
    cursor.take();
    const bool open = cursor.at(']');
    const std::uint64_t size =
        open ? 0 : cursor.number("the size of an array", most_bytes_of_array / bytes);
    if (size == 0 && !variable.dimensions.empty()) cursor.fail("an inner dimension of size 0");
    cursor.expect(']');
    variable.dimensions.push_back(size);
    bytes *= std::max<std::uint64_t>(size, 1);
  }
}

// A name or generic(name), and the number of bytes that is added to the address.
InitialValue parse_initial_address(Cursor& cursor) {
  InitialValue result;
  Symbol symbol;
  result.generic = cursor.token().is(TokenKind::word, "generic") && cursor.after().is_mark('(');
  if (result.generic) {
    cursor.take();
    cursor.expect('(');
  }
  symbol.name = cursor.word("a name or a number");
  if (result.generic) cursor.expect(')');
  symbol.offset = cursor.offset();
  result.value = std::move(symbol);
  return result;
}

InitialValue parse_initial_value(Cursor& cursor) {
  const Place place = cursor.place();
  InitialValue result;
  if (cursor.at('{')) cursor.unsupported("braces within an initializer");
  if (cursor.at(TokenKind::number) && cursor.after().is_mark('(')) {
    const std::uint64_t mask = cursor.number("a mask");
    cursor.expect('(');
    result = parse_initial_address(cursor);
    result.mask = mask;
    cursor.expect(')');
  } else if (cursor.at_immediate()) {
    result.value = cursor.immediate();
  } else {
    result = parse_initial_address(cursor);
  }
  result.place = place;
  return result;
}

void parse_initializer(Cursor& cursor, Variable& variable) {
  std::uint64_t most = variable.vector;
  for (const std::uint64_t size : variable.dimensions) most *= size;
  const bool open = !variable.dimensions.empty() && variable.dimensions[0] == 0;
  const auto value = [&] {
    if (!open && variable.initial.size() == most) cursor.fail("more values than elements");
    variable.initial.push_back(parse_initial_value(cursor));
  };
  if (cursor.accept('{')) {
    if (!cursor.at('}')) cursor.list(value);
    cursor.expect('}');
  } else {
    value();
  }
}

}  // namespace

Linkage parse_linkage(Cursor& cursor) {
  if (cursor.accept(".visible")) return Linkage::visible;
  if (cursor.accept(".weak")) return Linkage::weak;
  if (cursor.accept(".extern")) return Linkage::external;
  if (cursor.accept(".common")) return Linkage::common;
  return Linkage::internal;
}

Variable parse_declarator(Cursor& cursor) {
  Variable result;
  result.place = cursor.place();
  const auto space =
      cursor.at(TokenKind::dotted) ? space_of_directive(cursor.token().text) : std::nullopt;
  if (!space) cursor.unsupported("a declaration in the state space " + shown(cursor.token()));
  cursor.take();
  result.space = *space;
  if (cursor.at(".attribute")) result.managed = parse_managed(cursor);
  if (cursor.accept(".align")) result.align = parse_alignment(cursor);
  if (cursor.accept(".v2")) result.vector = 2;
  if (result.vector == 1 && cursor.accept(".v4")) result.vector = 4;
  if (result.space == Space::global && cursor.accept(".texref")) {
    // A reference to a texture: code reads a texture object from its place, where the host puts it.
    result.space = Space::constant;
    result.type = "b64";
  } else {
    result.type = parse_type(cursor);
  }
  if (result.type == "pred") cursor.fail("a predicate cannot be in memory", result.place);
  if (cursor.accept(".ptr")) result.pointer = parse_pointer(cursor);
  result.name = cursor.word("the name of a variable");
  parse_dimensions(cursor, result);
  return result;
}

Variable parse_variable(Cursor& cursor, Linkage linkage) {
  Variable result = parse_declarator(cursor);
  result.linkage = linkage;
  if (cursor.accept('=')) parse_initializer(cursor, result);
  if (cursor.at(',')) cursor.unsupported("several variables in one declaration");
  cursor.expect(';');
  return result;
}

std::vector<Variable> parse_parameters(Cursor& cursor) {
  std::vector<Variable> result;
  if (!cursor.accept('(')) return result;
  if (!cursor.at(')')) {
    cursor.list([&] {
      if (!cursor.at(".param")) cursor.unsupported("a parameter in " + shown(cursor.token()));
      result.push_back(parse_declarator(cursor));
    });
  }
  cursor.expect(')');
  return result;
}

void parse_registers(Cursor& cursor, std::vector<RegisterDeclaration>& registers) {
  cursor.expect(".reg");
  const Type type = parse_type(cursor);
  cursor.list([&] {
    RegisterDeclaration declaration{type, {}, {}, cursor.place()};
    declaration.name = cursor.word("the name of a register");
    if (is_special(declaration.name)) {
      cursor.fail("'" + declaration.name + "' is a special register", declaration.place);
    }
    if (cursor.accept('<')) {
      declaration.count = cursor.small_number("the number of registers");
      cursor.expect('>');
    }
    registers.push_back(std::move(declaration));
  });
  cursor.expect(';');
}

}  // namespace bankproof::ptx
