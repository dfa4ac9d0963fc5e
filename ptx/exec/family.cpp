// Decodes families; see family.hpp.
#include "family.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "../syntax/cpp_names.hpp"
#include "control.hpp"
#include "decode.hpp"

namespace bankproof::ptx {

namespace {

/// Whether each parameter is, or may be, a pointer: 64 bits, and no other type in the kernel's C++
/// name, if it has one.
std::vector<bool> pointers_of(const Function& kernel) {
  std::vector<std::string> types;
  const std::string name = demangled(kernel.name);
  if (const std::size_t open = name.rfind('('); open != std::string::npos && name.back() == ')') {
    int depth = 0;
    types.emplace_back();
    for (const char c : std::string_view(name).substr(open + 1, name.size() - open - 2)) {
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c == ',' && depth == 0) {
        types.emplace_back();
      } else {
        types.back() += c;
      }
    }
  }
  std::vector<bool> pointers;
  for (const Variable& parameter : kernel.parameters) {
    const bool has_type = types.size() == kernel.parameters.size();
    const bool is_other = has_type && types[pointers.size()].find('*') == std::string::npos;
    pointers.push_back(bytes_of(parameter) == 8 && !is_other);
  }
  return pointers;
}

class FamilyDecoder {
 public:
  FamilyDecoder(const Module& module, Level level) : module_(module), level_(level) {}

  Program run(const std::string& entry) {
    Program parent = decode_in_family(module_, entry, level_, {});
    take_sites(parent);
    add_children(parent);
    // The list grows while the loop runs.
    for (std::size_t k = 0; k < family_->kernels.size(); ++k) {  // NOLINT(modernize-loop-convert)
      if (const Program* const program = family_->kernels[k].program.get()) add_children(*program);
    }
    std::uint64_t most = 16;
    for (const Family::Kernel& kernel : family_->kernels) {
      if (kernel.program != nullptr) most = std::max(most, kernel.program->parameter_bytes);
    }
    for (const Family::Kernel& kernel : family_->kernels) {
      if (kernel.program != nullptr) make_room(*kernel.program, most);
    }
    make_room(parent, most);
    parent.family = family_;
    return parent;
  }

 private:
  // The list grows while kernels are added.
  void add_children(const Program& parent) {
    for (const std::size_t function : std::vector<std::size_t>(parent.kernels)) {
      if (family_->at(function_address(function)) == nullptr) add(function);
    }
  }

  void add(std::size_t function) {
    const Function& kernel = module_.functions[function];
    Family::Kernel made{function_address(function), kernel.name, nullptr, {}, pointers_of(kernel)};
    try {
      made.program =
          std::make_unique<Program>(decode_in_family(module_, kernel.name, level_, family_->sites));
      take_sites(*made.program);
    } catch (const Error& error) {
      made.why_not = error.what();
    }
    family_->kernels.push_back(std::move(made));
  }

  void take_sites(Program& program) { family_->sites = program.sites; }

  static void make_room(Program& program, std::uint64_t most_parameter_bytes) {
    if (!program.launches) return;
    program.parameter_buffers = parameter_buffers_of_thread * rounded_up(most_parameter_bytes, 16);
    program.local_bytes = rounded_up(program.local_bytes, 16) + program.parameter_buffers;
  }

  const Module& module_;
  Level level_;
  std::shared_ptr<Family> family_ = std::make_shared<Family>();
};

}  // namespace

Program decode(const Module& module, const std::string& entry, Level level) {
  Program program = decode_alone(module, entry, level);
  if (!program.launches) return program;
  return FamilyDecoder(module, level).run(entry);
}

}  // namespace bankproof::ptx
