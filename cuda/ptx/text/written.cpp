// Numbers, operands and instructions as text.
#include "written.hpp"

#include <fmt/format.h>

#include "printer.hpp"

namespace bankproof::ptx {

// ptxas wants the plus sign even before a minus sign.
std::string text_of_offset(std::int64_t offset) {
  return offset == 0 ? "" : fmt::format("+{}", offset);
}

std::string text_of_number(const Immediate& immediate) {
  switch (immediate.kind) {
    case Immediate::Kind::integer:
      return fmt::to_string(static_cast<std::int64_t>(immediate.bits));
    case Immediate::Kind::f32:
      return fmt::format("0f{:08X}", immediate.bits);
    case Immediate::Kind::f64:
      return fmt::format("0d{:016X}", immediate.bits);
  }
  return "";
}

namespace {

std::string text_of(const Symbol& symbol) { return symbol.name + text_of_offset(symbol.offset); }

std::string text_of(const Scalar& scalar) {
  return std::visit(Overloaded{[](const Immediate& immediate) { return text_of_number(immediate); },
                               [](const Symbol& symbol) { return text_of(symbol); },
                               [](const Sink&) { return std::string("_"); },
                               [](const auto& named) { return named.name; }},
                    scalar);
}

std::string text_of(const std::vector<Scalar>& scalars) {
  return joined(scalars, [](const Scalar& scalar) { return text_of(scalar); });
}

std::string text_of(const Address& address) {
  const std::string base = std::visit(Overloaded{[](const Register& reg) { return reg.name; },
                                                 [](const auto& other) { return text_of(other); }},
                                      address.base);
  std::string text = "[" + base + text_of_offset(address.offset);
  if (!address.more.empty()) text += ", " + text_of(address.more);
  if (!address.coordinates.empty()) text += ", {" + text_of(address.coordinates) + "}";
  return text + "]";
}

std::string text_of(const Operand& operand) {
  return std::visit(
      Overloaded{[](const Scalar& scalar) { return text_of(scalar); },
                 [](const Address& address) { return text_of(address); },
                 [](const Negated& negated) { return "!" + negated.predicate.name; },
                 [](const Pair& pair) { return text_of(pair.first) + "|" + text_of(pair.second); },
                 [](const Vector& vector) { return "{" + text_of(vector.elements) + "}"; },
                 [](const Arguments& list) { return "(" + text_of(list.elements) + ")"; }},
      operand.value);
}

}  // namespace

std::string print(const Instruction& instruction) {
  std::string text;
  if (const auto& guard = instruction.guard) {
    text += (guard->negated ? "@!" : "@") + guard->predicate.name + " ";
  }
  text += instruction.opcode();
  if (!instruction.operands.empty()) {
    text +=
        " " + joined(instruction.operands, [](const Operand& operand) { return text_of(operand); });
  }
  return text + ";";
}

}  // namespace bankproof::ptx
