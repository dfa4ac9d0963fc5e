// Mutations of instructions of kernels; see planting.hpp.
#include "planting.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "../../ptx/report/function_names.hpp"
#include "../../ptx/syntax/printer.hpp"
#include "runtime.hpp"

namespace bankproof::cuda {

namespace {

using ptx::Instruction;

bool has(const Instruction& instruction, const char* modifier) {
  return std::ranges::find(instruction.modifiers, modifier) != instruction.modifiers.end();
}

bool is_one_of(const Instruction& instruction, std::initializer_list<const char*> bases) {
  return std::ranges::find(bases, instruction.base) != bases.end();
}

/// The instruction, in which another modifier replaces the first modifier that `others` lists;
/// nullopt if the instruction has no such modifier.
std::optional<ptx::Statement> with_other_modifier(
    Instruction instruction, std::initializer_list<std::pair<const char*, const char*>> others) {
  for (std::string& modifier : instruction.modifiers) {
    for (const auto& [from, to] : others) {
      if (modifier != from) continue;
      modifier = to;
      return instruction;
    }
  }
  return std::nullopt;
}

std::optional<ptx::Statement> moved_on(Instruction instruction) {
  constexpr std::array<std::pair<const char*, std::int64_t>, 12> sizes = {{{"u8", 1},
                                                                           {"s8", 1},
                                                                           {"b8", 1},
                                                                           {"u16", 2},
                                                                           {"s16", 2},
                                                                           {"b16", 2},
                                                                           {"u32", 4},
                                                                           {"s32", 4},
                                                                           {"b32", 4},
                                                                           {"f32", 4},
                                                                           {"u64", 8},
                                                                           {"f64", 8}}};
  if (!has(instruction, "global") && !has(instruction, "shared")) return std::nullopt;
  std::int64_t bytes = 8;  // s64, b64
  for (const auto& [type, size] : sizes) {
    if (has(instruction, type)) bytes = size;
  }
  if (has(instruction, "v2")) bytes *= 2;
  if (has(instruction, "v4")) bytes *= 4;
  for (ptx::Operand& operand : instruction.operands) {
    if (auto* const address = std::get_if<ptx::Address>(&operand.value)) {
      if (auto* const symbol = std::get_if<ptx::Symbol>(&address->base)) {
        symbol->offset += bytes;
      } else {
        address->offset += bytes;
      }
      return instruction;
    }
  }
  return std::nullopt;
}

/// The mutated instruction, or nullopt if the instruction cannot have this mutation. A Pragma does
/// nothing, so it replaces an instruction that the mutation leaves out.
std::optional<ptx::Statement> mutated(const Instruction& instruction, MutationKind kind) {
  switch (kind) {
    case MutationKind::no_barrier:
      if (is_one_of(instruction, {"bar", "barrier"}) && !has(instruction, "arrive") &&
          !has(instruction, "red")) {
        return ptx::Pragma{};
      }
      return std::nullopt;
    case MutationKind::no_order:
      if (is_one_of(instruction, {"fence", "membar"})) return ptx::Pragma{};
      return with_other_modifier(instruction, {{"acquire", "relaxed"},
                                               {"release", "relaxed"},
                                               {"acq_rel", "relaxed"},
                                               {"volatile", "weak"}});
    case MutationKind::other_bound:
      if (!is_one_of(instruction, {"setp", "set"})) return std::nullopt;
      return with_other_modifier(instruction, {{"lt", "le"},
                                               {"le", "lt"},
                                               {"gt", "ge"},
                                               {"ge", "gt"},
                                               {"lo", "ls"},
                                               {"ls", "lo"},
                                               {"hi", "hs"},
                                               {"hs", "hi"}});
    case MutationKind::other_place:
      return is_one_of(instruction, {"ld", "st", "atom", "red"}) ? moved_on(instruction)
                                                                 : std::nullopt;
  }
  return std::nullopt;
}

/// The indices, in the module's functions, of the kernels with these names.
std::shared_ptr<const std::set<std::size_t>> kernels_of(const ptx::Module& module,
                                                        const std::set<std::string>& names) {
  auto kernels = std::make_shared<std::set<std::size_t>>();
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    if (function.entry && names.contains(ptx::demangled(function.name))) kernels->insert(f);
  }
  return kernels;
}

/// A copy of the file that has the bodies of these kernels only. The bodies of the other kernels
/// make up most of a module.
std::shared_ptr<KernelFile> copy_of(const KernelFile& file, const std::set<std::size_t>& kernels) {
  auto copy = std::make_shared<KernelFile>();
  copy->source = file.source;
  const ptx::Module& from = file.module;
  ptx::Module& to = copy->module;
  to.file = from.file;
  to.major = from.major;
  to.minor = from.minor;
  to.target = from.target;
  to.address_size = from.address_size;
  to.variables = from.variables;
  to.order = from.order;
  to.files = from.files;
  to.strings = from.strings;
  to.functions.resize(from.functions.size());
  for (std::size_t f = 0; f < from.functions.size(); ++f) {
    if (!from.functions[f].entry || kernels.contains(f)) {
      to.functions[f] = from.functions[f];
    } else {
      to.functions[f].name = from.functions[f].name;
    }
  }
  return copy;
}

}  // namespace

std::vector<Mutation> possible_mutations(const std::vector<ptx::KernelReport>& reports) {
  std::set<std::string> launched;
  for (const ptx::KernelReport& report : reports) launched.insert(report.kernel);

  std::vector<Mutation> mutations;
  for (const MutationKind kind : {MutationKind::no_barrier, MutationKind::no_order,
                                  MutationKind::other_bound, MutationKind::other_place}) {
    for (std::size_t module = 0; module < Runtime::get().modules(); ++module) {
      const SharedKernelFile file = Runtime::get().file(module);
      if (file == nullptr) continue;  // none of its kernels was launched
      const auto kernels = kernels_of(file->module, launched);
      for (const std::size_t f : *kernels) {
        const ptx::Function& function = file->module.functions[f];
        // The instructions of each source line: an instruction and its copies have the same source
        // line.
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> lines;
        ptx::SourcePoint at;
        for (std::size_t s = 0; s < function.body.size(); ++s) {
          const ptx::Statement& statement = function.body[s];
          if (const auto* const location = std::get_if<ptx::Location>(&statement)) {
            at = location->at;
          }
          const auto* const instruction = std::get_if<Instruction>(&statement);
          if (instruction != nullptr && mutated(*instruction, kind)) {
            lines[{at.file, at.line}].push_back(s);
          }
        }
        for (const auto& [line, copies] : lines) {
          for (const std::size_t s : copies) {
            mutations.push_back({ptx::demangled(function.name), kind, module, f, s, copies,
                                 ptx::print(std::get<Instruction>(function.body[s])), kernels});
          }
        }
      }
    }
  }
  return mutations;
}

Mutant::Mutant(const Mutation& mutation, MutationPlaces places)
    : module_(mutation.module), intact_(Runtime::get().file(mutation.module)) {
  auto changed = copy_of(*intact_, *mutation.launched);
  std::vector<ptx::Statement>& body = changed->module.functions[mutation.function].body;
  const std::vector<std::size_t> here = {mutation.statement};
  for (const std::size_t place : places == MutationPlaces::here ? here : mutation.copies) {
    ptx::Statement& statement = body[place];
    const auto& instruction = std::get<Instruction>(statement);
    if (places == MutationPlaces::trap_in_all_copies) {
      Instruction stop;
      stop.base = "trap";
      stop.place = instruction.place;
      statement = stop;
    } else {
      statement = mutated(instruction, mutation.kind).value();
    }
  }
  Runtime::get().set_file(module_, std::move(changed));
}

Mutant::~Mutant() { Runtime::get().set_file(module_, intact_); }

}  // namespace bankproof::cuda
