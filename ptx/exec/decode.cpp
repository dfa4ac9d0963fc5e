// Decodes a kernel and all functions that it can reach, and places parameters and variables.
#include "decode.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "compiled_code.hpp"
#include "function_decoder.hpp"
#include "limits.hpp"

namespace bankproof::ptx {

namespace {

// The bytes of a thread's local memory that a recursive kernel may use beyond one call of each
// function.
constexpr std::uint64_t recursion_bytes = 8192;

class Decoder {
 public:
  Decoder(const Module& module, const std::string& entry, Level level)
      : module_(module),
        variables_(module, program_, [this](const Symbol& symbol) { return address_of(symbol); }),
        decoder_{module,
                 program_,
                 variables_,
                 [this](const std::string& name) { return code_of(name); },
                 [this](const Symbol& symbol) { return address_of(symbol); },
                 {},
                 level} {
    program_.entry = entry;
    program_.file = module.file;
  }

  /// The kernel's sites follow those of its family, and constants lie where all of the family have
  /// them.
  void join_family(const std::vector<Site>& sites) {
    program_.sites = sites;
    program_.first_site = static_cast<std::uint32_t>(sites.size());
    for (const Variable& variable : module_.variables) {
      if (variable.space == Space::constant) variables_.address(variable);
    }
  }

  Program run() {
    const Function* const kernel = definition(module_, program_.entry);
    if (kernel == nullptr || !kernel->entry) {
      throw Error("there is no kernel " + program_.entry, module_.file, {1, 1});
    }
    program_.file = file_of(module_, *kernel);
    if (module_.address_size != 64) {
      throw Error("unsupported: addresses of 32 bits", module_.file, {1, 1});
    }
    try {
      program_.parameters = kernel_parameters(*kernel);
      if (!program_.parameters.empty()) {
        const KernelParameter& last = program_.parameters.back();
        program_.parameter_bytes = last.offset + last.bytes;
      }
      decode_from(*kernel);
    } catch (const std::invalid_argument& error) {
      throw Error(std::string("unsupported: ") + error.what(), file_of(module_, *kernel),
                  kernel->place);
    }
    program_.compiled = std::make_shared<CompiledCode>();
    return std::move(program_);
  }

 private:
  void decode_from(const Function& kernel) {
    for (const FunctionDirective& directive : kernel.directives) {
      if (directive.name == "maxntid" || directive.name == "reqntid") {
        program_.most_threads = directive.numbers;
        program_.requires_shape = directive.name == "reqntid";
      }
      if (directive.name == "reqnctapercluster" &&
          std::any_of(directive.numbers.begin(), directive.numbers.end(),
                      [](std::uint64_t blocks) { return blocks != 1; })) {
        throw std::invalid_argument("clusters of several blocks (.reqnctapercluster)");
      }
    }
    code_of(program_.entry);
    // The list grows while functions are decoded.
    for (std::size_t i = 0; i < decoders_.size(); ++i) {
      decoders_[i]->run();
      if (decoders_[i]->calls_indirectly()) add_functions_with_addresses();
      FunctionCode& code = *program_.functions[i];
      code.local_bytes = rounded_up(code.local_bytes, 32);
    }
    program_.dynamic_shared = rounded_up(program_.shared_bytes, program_.dynamic_alignment);
    for (const ProgramDecoder::Dynamic& d : decoder_.dynamic) {
      d.code->constants[d.constant].bits += program_.dynamic_shared;
    }
    for (const auto& code : program_.functions) {
      for (const ConstantSlot& c : code->constants) {
        code->contents_of_constants.add(c.slot, c.type, c.bits);
      }
    }
    if (program_.shared_bytes > most_shared_bytes) {
      throw std::invalid_argument(std::to_string(program_.shared_bytes) +
                                  " bytes of shared variables; no chip has more than " +
                                  std::to_string(most_shared_bytes) + " a block");
    }
    program_.local_bytes = local_bytes();
  }

  // An address may come from another kernel: an object in memory knows its virtual functions.
  void add_functions_with_addresses() {
    if (std::exchange(has_all_addresses_, true)) return;
    const auto add = [this](const auto& scalar) {
      const auto* const symbol = std::get_if<Symbol>(&scalar);
      if (symbol == nullptr || symbol->kind != Symbol::Kind::function) return;
      const Function* const function = definition(module_, symbol->name);
      if (function != nullptr && !function->entry) address_of(*symbol);
    };
    for (const Variable& variable : module_.variables) {
      for (const InitialValue& initial : variable.initial) add(initial.value);
    }
    for (const Function& function : module_.functions) {
      for (const Statement& statement : function.body) {
        const auto* const instruction = std::get_if<Instruction>(&statement);
        if (instruction == nullptr || instruction->base != "mov") continue;
        for (const Operand& operand : instruction->operands) {
          if (const auto* scalar = std::get_if<Scalar>(&operand.value)) add(*scalar);
        }
      }
    }
  }

  FunctionCode* code_of(const std::string& name) {
    const Function* const function = definition(module_, name);
    if (function == nullptr) return nullptr;
    const auto [found, is_new] = codes_.try_emplace(name, nullptr);
    if (is_new) {
      program_.functions.push_back(std::make_unique<FunctionCode>());
      found->second = program_.functions.back().get();
      found->second->name = name;
      found->second->function = static_cast<std::size_t>(function - module_.functions.data());
      decoders_.push_back(std::make_unique<FunctionDecoder>(decoder_, *function, *found->second));
    }
    return found->second;
  }

  std::uint64_t address_of(const Symbol& symbol) {
    const Function* const function = definition(module_, symbol.name);
    if (function != nullptr && function->entry) return address_of_kernel(*function);
    const FunctionCode* const code = code_of(symbol.name);
    if (code == nullptr) {
      throw std::invalid_argument("the address of " + symbol.name + ", which has no body");
    }
    const std::uint64_t address = function_address(code->function);
    if (program_.function_at(address) == nullptr) program_.addresses.emplace_back(address, code);
    return address;
  }

  std::uint64_t address_of_kernel(const Function& kernel) {
    const auto index = static_cast<std::size_t>(&kernel - module_.functions.data());
    if (std::find(program_.kernels.begin(), program_.kernels.end(), index) ==
        program_.kernels.end()) {
      program_.kernels.push_back(index);
    }
    return function_address(index);
  }

  // The most local memory that nested calls need. A kernel is recursive if some function can call
  // itself, directly or through other functions.
  std::uint64_t local_bytes() const {
    std::map<const FunctionCode*, std::size_t> index;
    for (std::size_t i = 0; i < decoders_.size(); ++i) index[program_.functions[i].get()] = i;
    std::vector<std::vector<std::size_t>> callees(decoders_.size());
    for (std::size_t i = 0; i < decoders_.size(); ++i) {
      std::set<std::size_t> all;
      for (const FunctionCode* code : decoders_[i]->callees()) all.insert(index.at(code));
      if (decoders_[i]->calls_indirectly()) {
        for (const auto& [address, code] : program_.addresses) all.insert(index.at(code));
      }
      callees[i].assign(all.begin(), all.end());
    }
    // need[i]: the local memory of function i and of the calls below it. Each round computes all
    // entries again. Without a recursion, the entries stop growing after at most as many rounds as
    // there are functions.
    std::vector<std::uint64_t> need(decoders_.size());
    bool recursive = false;
    for (std::size_t round = 0; round <= decoders_.size(); ++round) {
      bool grows = false;
      for (std::size_t i = 0; i < decoders_.size(); ++i) {
        std::uint64_t below = 0;
        for (const std::size_t callee : callees[i]) below = std::max(below, need[callee]);
        const std::uint64_t all = program_.functions[i]->local_bytes + below;
        grows = grows || all != need[i];
        need[i] = all;
      }
      recursive = grows;
      if (!grows) break;
    }
    std::uint64_t each = 0;
    for (const auto& code : program_.functions) each += code->local_bytes;
    return recursive ? each + recursion_bytes : need.front();
  }

  const Module& module_;
  Program program_;
  Variables variables_;
  ProgramDecoder decoder_;
  std::map<std::string, FunctionCode*> codes_;
  std::vector<std::unique_ptr<FunctionDecoder>> decoders_;
  bool has_all_addresses_ = false;
};

}  // namespace

Program decode_alone(const Module& module, const std::string& entry, Level level) {
  return Decoder(module, entry, level).run();
}

Program decode_in_family(const Module& module, const std::string& entry, Level level,
                         const std::vector<Site>& sites) {
  Decoder decoder(module, entry, level);
  decoder.join_family(sites);
  return decoder.run();
}

}  // namespace bankproof::ptx
