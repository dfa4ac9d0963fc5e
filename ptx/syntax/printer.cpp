// Each part of a module as text.
#include "printer.hpp"

#include <fmt/format.h>

#include <string_view>

#include "written.hpp"

namespace bankproof::ptx {

namespace {

std::string_view name_of(Linkage linkage) {
  switch (linkage) {
    case Linkage::internal:
      return "";
    case Linkage::visible:
      return ".visible ";
    case Linkage::weak:
      return ".weak ";
    case Linkage::external:
      return ".extern ";
    case Linkage::common:
      return ".common ";
  }
  return "";
}

// ---- Declarations

std::string text_of(const InitialValue& initial) {
  std::string text =
      std::visit(Overloaded{[](const Immediate& immediate) { return text_of_number(immediate); },
                            [&](const Symbol& symbol) {
                              const char* const form = initial.generic ? "generic({}){}" : "{}{}";
                              return fmt::format(fmt::runtime(form), symbol.name,
                                                 text_of_offset(symbol.offset));
                            }},
                 initial.value);
  return initial.mask ? fmt::format("0x{:X}({})", *initial.mask, text) : text;
}

std::string declarator(const Variable& variable) {
  std::string text = fmt::format(".{}", name_of(variable.space));
  if (variable.managed) text += " .attribute(.managed)";
  if (variable.align) text += fmt::format(" .align {}", *variable.align);
  if (variable.vector != 1) text += fmt::format(" .v{}", variable.vector);
  text += " ." + variable.type;
  if (variable.pointer) {
    text += " .ptr";
    if (variable.pointer->space) text += fmt::format(" .{}", name_of(*variable.pointer->space));
    if (variable.pointer->align) text += fmt::format(" .align {}", *variable.pointer->align);
  }
  text += " " + variable.name;
  for (const std::uint64_t size : variable.dimensions) {
    text += size == 0 ? "[]" : fmt::format("[{}]", size);
  }
  return text;
}

std::string text_of(const Variable& variable) {
  std::string text(name_of(variable.linkage));
  text += declarator(variable);
  if (!variable.initial.empty()) {
    const std::string values =
        joined(variable.initial, [](const InitialValue& value) { return text_of(value); });
    const bool array = !variable.dimensions.empty() || variable.vector != 1;
    text += array ? " = {" + values + "}" : " = " + values;
  }
  return text + ";";
}

std::string parameters(const std::vector<Variable>& variables) {
  return "(" + joined(variables, declarator) + ")";
}

std::string results(const std::vector<Variable>& variables) {
  return variables.empty() ? "" : parameters(variables) + " ";
}

// ---- Statements

std::string text_of(const SourcePoint& point) {
  return fmt::format("{} {} {}", point.file, point.line, point.column);
}

std::string text_of(const Location& location) {
  std::string text = ".loc " + text_of(location.at);
  if (const auto& inlined = location.inlined) {
    text += ", function_name " + inlined->function;
    if (inlined->name_offset != 0) text += fmt::format("+{}", inlined->name_offset);
    text += ", inlined_at " + text_of(inlined->into);
  }
  return text;
}

std::string text_of(const RegisterDeclaration& declaration) {
  std::string text = ".reg ." + declaration.type + " " + declaration.name;
  if (declaration.count) text += fmt::format("<{}>", *declaration.count);
  return text + ";";
}

std::string text_of(const BranchTargets& table) {
  return table.name + ": .branchtargets " +
         joined(table.targets, [](const LabelName& target) { return target.name; }) + ";";
}

std::string text_of(const CallPrototype& prototype) {
  return prototype.name + ": .callprototype " + results(prototype.results) + "_ " +
         parameters(prototype.parameters) + (prototype.noreturn ? " .noreturn;" : ";");
}

std::string text_of(const Statement& statement, const Function& function) {
  return std::visit(
      Overloaded{[](const Instruction& instruction) { return print(instruction); },
                 [](const Label& label) { return label.name + ":"; },
                 [](const ScopeBegin&) { return std::string("{"); },
                 [](const ScopeEnd&) { return std::string("}"); },
                 [](const Pragma& pragma) { return ".pragma \"" + pragma.text + "\";"; },
                 [&](const Registers& registers) {
                   return text_of(function.registers[registers.declaration]);
                 },
                 [](const auto& other) { return text_of(other); }},
      statement);
}

std::string text_of(const Function& function) {
  std::string text(name_of(function.linkage));
  text += function.entry ? ".entry " : ".func " + results(function.results);
  text += function.name + parameters(function.parameters);
  for (const FunctionDirective& directive : function.directives) {
    text += "\n." + directive.name;
    if (directive.numbers.empty()) continue;
    text += " " +
            joined(directive.numbers, [](std::uint64_t number) { return fmt::to_string(number); });
  }
  if (!function.defined) return text + ";\n";
  text += "\n{\n";
  for (const Statement& statement : function.body) {
    if (!std::holds_alternative<Label>(statement)) text += "  ";
    text += text_of(statement, function) + "\n";
  }
  return text + "}\n";
}

std::string text_of(const DebugString& string) {
  std::string text = string.label + ":\n";
  if (string.bytes.empty()) return text;
  return text + ".b8 " +
         joined(string.bytes,
                [](char byte) { return fmt::to_string(static_cast<unsigned char>(byte)); }) +
         "\n";
}

}  // namespace

std::string print(const Module& module) {
  std::string text = fmt::format(
      ".version {}.{}\n.target {}\n.address_size {}\n", module.major, module.minor,
      joined(module.target, [](const std::string& target) { return target; }), module.address_size);
  for (const Module::Item item : module.order) {
    text += item.is_function ? text_of(module.functions[item.index])
                             : text_of(module.variables[item.index]) + "\n";
  }
  for (const SourceFile& file : module.files) {
    text += fmt::format(".file {} \"{}\"\n", file.number, file.name);
  }
  if (!module.strings.empty()) {
    text += ".section .debug_str\n{\n";
    for (const DebugString& string : module.strings) text += text_of(string);
    text += "}\n";
  }
  return text;
}

}  // namespace bankproof::ptx
