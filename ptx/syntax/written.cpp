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

std::string operand_text(const Symbol& symbol) {
  return symbol.name + text_of_offset(symbol.offset);
}

std::string operand_text(const Scalar& scalar) {
  return std::visit(Overloaded{[](const Immediate& immediate) { return text_of_number(immediate); },
                               [](const Symbol& symbol) { return operand_text(symbol); },
                               [](const Sink&) { return std::string("_"); },
                               [](const auto& named) { return named.name; }},
                    scalar);
}

std::string operand_text(const std::vector<Scalar>& scalars) {
  return joined(scalars, [](const Scalar& scalar) { return operand_text(scalar); });
}

std::string operand_text(const Address& address) {
  const std::string base =
      std::visit(Overloaded{[](const Register& reg) { return reg.name; },
                            [](const auto& other) { return operand_text(other); }},
                 address.base);
  std::string text = "[" + base + text_of_offset(address.offset);
  if (!address.more.empty()) text += ", " + operand_text(address.more);
  if (!address.coordinates.empty()) text += ", {" + operand_text(address.coordinates) + "}";
  return text + "]";
}

std::string operand_text(const Operand& operand) {
  return std::visit(
      Overloaded{[](const Scalar& scalar) { return operand_text(scalar); },
                 [](const Address& address) { return operand_text(address); },
                 [](const Negated& negated) { return "!" + negated.predicate.name; },
                 [](const Pair& pair) {
                   return operand_text(pair.first) + "|" + operand_text(pair.second);
                 },
                 [](const Vector& vector) { return "{" + operand_text(vector.elements) + "}"; },
                 [](const Arguments& list) { return "(" + operand_text(list.elements) + ")"; }},
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
    text += " " + joined(instruction.operands,
                         [](const Operand& operand) { return operand_text(operand); });
  }
  return text + ";";
}

}  // namespace bankproof::ptx
