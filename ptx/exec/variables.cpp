// Places variables in the order in which the decoder meets them.
#include "variables.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>

#include "../memory/spaces.hpp"
#include "../syntax/layout.hpp"
#include "control.hpp"
#include "limits.hpp"
#include "slots.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32U;

}  // namespace

VariableAddress Variables::address(const Variable& variable) {
  if (const auto found = known_.find(&variable); found != known_.end()) return found->second;
  VariableAddress result{.space = variable.space};
  const std::uint64_t alignment = alignment_of(variable);
  const bool no_length = std::count(variable.dimensions.begin(), variable.dimensions.end(), 0U) > 0;
  try {
    switch (variable.space) {
      case Space::shared:
        result.dynamic = variable.linkage == Linkage::external || no_length;
        if (result.dynamic) {
          program_.dynamic_alignment = std::max(program_.dynamic_alignment, alignment);
          break;
        }
        result.offset = rounded_up(program_.shared_bytes, alignment);
        program_.shared_bytes = result.offset + bytes_of(variable);
        if (program_.shared_bytes > most_bytes) throw std::invalid_argument("too large");
        break;
      case Space::constant:
        result.offset = rounded_up(program_.constant.size(), alignment);
        if (result.offset + bytes_of(variable) > most_constant_bytes) {
          throw std::invalid_argument("too large");
        }
        program_.constant.resize(result.offset + bytes_of(variable));
        known_[&variable] = result;
        program_.constants.push_back({own_name(variable), result.offset});
        initialize(variable, program_.constant, result.offset, program_.constant_relocations);
        break;
      case Space::global: {
        if (variable.linkage == Linkage::external) throw std::invalid_argument("has no definition");
        result.global = program_.globals.size();
        program_.globals.push_back({own_name(variable), bytes_of(variable), {}, {}});
        known_[&variable] = result;
        if (variable.initial.empty()) break;
        std::vector<std::byte> bytes(bytes_of(variable));
        std::vector<Relocation> relocations;
        initialize(variable, bytes, 0, relocations);
        program_.globals[result.global].initial = std::move(bytes);
        program_.globals[result.global].relocations = std::move(relocations);
        break;
      }
      case Space::local:
      case Space::param:
        throw std::invalid_argument("its space has no variables of modules");
    }
  } catch (const std::invalid_argument& error) {
    throw Error("unsupported: variable " + variable.name + ": " + error.what(),
                file_of(module_, variable), variable.place);
  }
  known_[&variable] = result;
  return result;
}

std::string Variables::own_name(const Variable& variable) const {
  const bool of_module = std::any_of(module_.variables.begin(), module_.variables.end(),
                                     [&](const Variable& known) { return &known == &variable; });
  if (of_module) return variable.name;
  const std::string file = variable.file.empty() ? "" : variable.file + ":";
  return variable.name + ", " + file + std::to_string(variable.place.line) + ":" +
         std::to_string(variable.place.column);
}

// The workspace holds its size in bytes, and the word at which the blocks arrive. Each grid barrier
// leaves the word ready for the next grid barrier (cooperative_groups/details/driver_abi.h and
// sync.h of the toolkit).
std::size_t Variables::grid_workspace() {
  constexpr std::uint32_t words[2] = {sizeof words, 0};
  if (!grid_workspace_) {
    grid_workspace_ = program_.globals.size();
    const auto bytes = std::as_bytes(std::span(words));
    program_.globals.push_back(
        {"workspace of the grid", sizeof words, {bytes.begin(), bytes.end()}, {}});
  }
  return *grid_workspace_;
}

// Groups of several warps keep their barriers and what they exchange there: they count on 288 bytes
// (cooperative_groups/details/memory.h of the toolkit).
std::uint64_t Variables::reserved_shared() {
  constexpr std::uint64_t bytes = 288, alignment = 16;
  if (!reserved_shared_) {
    reserved_shared_ = rounded_up(program_.shared_bytes, alignment);
    program_.shared_bytes = *reserved_shared_ + bytes;
  }
  return *reserved_shared_;
}

void Variables::initialize(const Variable& variable, std::vector<std::byte>& bytes,
                           std::uint64_t at, std::vector<Relocation>& relocations) {
  const auto size = static_cast<std::uint32_t>(bytes_of(variable.type));
  for (const InitialValue& initial : variable.initial) {
    if (at + size > bytes.size()) throw std::invalid_argument("more initial values than elements");
    if (const auto* number = std::get_if<Immediate>(&initial.value)) {
      std::uint64_t bits = number->bits;
      if (number->kind == Immediate::Kind::f64 && variable.type == "f32") {
        double wide = 0;
        std::memcpy(&wide, &bits, sizeof wide);
        const auto narrow = static_cast<float>(wide);
        bits = 0;
        std::memcpy(&bits, &narrow, sizeof narrow);
      }
      std::memcpy(bytes.data() + at, &bits, std::min<std::size_t>(size, sizeof bits));
    } else {
      const auto& symbol = std::get<Symbol>(initial.value);
      Relocation relocation{.at = at, .bytes = size};
      relocation.number = static_cast<std::uint64_t>(symbol.offset);
      if (initial.mask) {
        while (relocation.shift < 64 && (*initial.mask >> relocation.shift & 1U) == 0) {
          ++relocation.shift;
        }
      }
      if (symbol.kind == Symbol::Kind::function) {
        relocation.number += function_address_(symbol);
      } else {
        const VariableAddress target = address(module_.variables[symbol.index]);
        if (target.dynamic) throw std::invalid_argument("the address of a dynamic shared array");
        if (target.space == Space::global) {
          relocation.target = Relocation::Target::global;
          relocation.variable = target.global;
        } else {
          relocation.number += target.offset + (initial.generic ? window_of(target.space) : 0);
        }
      }
      relocations.push_back(relocation);
    }
    at += size;
  }
}

}  // namespace bankproof::ptx
