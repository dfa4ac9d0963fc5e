// Parses instructions operand by operand; the first token of an operand decides its form.
#include "instructions.hpp"

#include <string>
#include <utility>

#include "specials.hpp"

namespace bankproof::ptx {

namespace {

// A name, or a special register with its component.
Scalar parse_name(Cursor& cursor) {
  std::string name = cursor.word("an operand");
  if (name == "_") return Sink{};
  if (is_vector_special(name)) {
    if (!cursor.at(TokenKind::dotted)) cursor.unsupported("all of the vector " + name);
    const Place place = cursor.place();
    const std::string component = cursor.dotted("a component");
    if (component.size() != 1 || std::string("xyzw").find(component) == std::string::npos) {
      cursor.fail("'" + name + "' has no such component", place);
    }
    return Special{name + "." + component};
  }
  if (cursor.at(TokenKind::dotted)) cursor.unsupported("a component of '" + name + "'");
  if (is_special(name)) return Special{std::move(name)};
  Symbol symbol;
  symbol.name = std::move(name);
  symbol.offset = cursor.offset();
  return symbol;
}

Scalar parse_scalar(Cursor& cursor) {
  if (cursor.at_immediate()) return cursor.immediate();
  return parse_name(cursor);
}

std::vector<Scalar> parse_scalars(Cursor& cursor, char open, char close) {
  std::vector<Scalar> result;
  cursor.expect(open);
  if (!cursor.at(close)) {
    cursor.list([&] {
      if (cursor.at('{')) cursor.unsupported("braces within an operand");
      result.push_back(parse_scalar(cursor));
    });
  }
  cursor.expect(close);
  return result;
}

Address parse_address(Cursor& cursor) {
  Address result;
  cursor.expect('[');
  if (cursor.at_immediate()) {
    const Place place = cursor.place();
    const Immediate number = cursor.immediate();
    if (number.kind != Immediate::Kind::integer) cursor.fail("an address is no fraction", place);
    result.base = number;
  } else {
    Symbol symbol;
    symbol.name = cursor.word("a register, a name or a number");
    symbol.offset = cursor.offset();
    result.base = std::move(symbol);
  }
  while (result.coordinates.empty() && cursor.accept(',')) {
    if (cursor.at('{')) {
      result.coordinates = parse_scalars(cursor, '{', '}');
    } else {
      result.more.push_back(parse_scalar(cursor));
    }
  }
  cursor.expect(']');
  return result;
}

Operand parse_operand(Cursor& cursor) {
  Operand result;
  result.place = cursor.place();
  if (cursor.at('[')) {
    result.value = parse_address(cursor);
  } else if (cursor.at('{')) {
    result.value = Vector{parse_scalars(cursor, '{', '}')};
  } else if (cursor.at('(')) {
    result.value = Arguments{parse_scalars(cursor, '(', ')')};
  } else if (cursor.accept('!')) {
    result.value = Negated{Register{cursor.word("a predicate")}};
  } else {
    Scalar first = parse_scalar(cursor);
    if (cursor.accept('|')) {
      result.value = Pair{std::move(first), parse_scalar(cursor)};
    } else {
      result.value = std::move(first);
    }
  }
  return result;
}

}  // namespace

Instruction parse_instruction(Cursor& cursor) {
  Instruction result;
  result.place = cursor.place();
  if (cursor.accept('@')) {
    Guard guard;
    guard.negated = cursor.accept('!');
    guard.predicate.name = cursor.word("a predicate");
    result.guard = std::move(guard);
  }
  result.base = cursor.word("an instruction");
  while (cursor.at(TokenKind::dotted)) result.modifiers.push_back(cursor.dotted("a modifier"));
  if (!cursor.at(';')) {
    cursor.list([&] { result.operands.push_back(parse_operand(cursor)); });
  }
  cursor.expect(';');
  return result;
}

}  // namespace bankproof::ptx
