// Parameters of device functions whose address is taken. PTX puts them into local memory then (PTX
// ISA, "mov"), so each is copied there where its function begins.
#include <algorithm>
#include <set>

#include "../memory/access.hpp"
#include "function_decoder.hpp"
#include "limits.hpp"
#include "system.hpp"

namespace bankproof::ptx {

namespace {

void note_parameter(const Scalar& scalar, std::set<std::size_t>& found) {
  const auto* symbol = std::get_if<Symbol>(&scalar);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::parameter) found.insert(symbol->index);
}

// Loads and stores name their places in brackets, and are no such uses.
std::set<std::size_t> parameters_with_an_address(const Function& function) {
  std::set<std::size_t> found;
  for (const Statement& statement : function.body) {
    const auto* i = std::get_if<Instruction>(&statement);
    if (i == nullptr || i->base == "call") continue;
    for (const Operand& operand : i->operands) {
      if (const auto* scalar = std::get_if<Scalar>(&operand.value)) note_parameter(*scalar, found);
    }
  }
  return found;
}

}  // namespace

void FunctionDecoder::copy_parameters() {
  if (function_.entry) return;
  const std::size_t first = code_.ops.size();
  for (const std::size_t index : parameters_with_an_address(function_)) {
    const auto jumps_here = [](const Block& block) {
      return std::ranges::find(block.successors, std::size_t{0}) != block.successors.end();
    };
    if (std::ranges::any_of(flow_.blocks, jumps_here)) {
      unsupported("the address of a parameter, in a function that jumps to its begin");
    }
    copy_parameter(index);
  }
  // They belong to the instruction that follows.
  const auto site = static_cast<std::uint32_t>(decoder_.program.sites.size());
  for (std::size_t k = first; k < code_.ops.size(); ++k) code_.ops[k].site = site;
}

void FunctionDecoder::copy_parameter(std::size_t index) {
  constexpr std::uint32_t word = 4;
  const Variable& parameter = function_.parameters[index];
  const ParamArea& place = code_.parameters[index];
  const std::uint64_t alignment = std::max<std::uint64_t>(16, alignment_of(parameter));
  const std::uint64_t begin = (code_.local_bytes + alignment - 1) / alignment * alignment;
  code_.local_bytes = begin + place.bytes;
  if (code_.local_bytes > most_local_bytes) unsupported("more than 512 KiB of local memory");
  parameter_copies_[index] = begin;
  const Instruction store{.guard = {},
                          .base = "st",
                          .modifiers = {"local", "b32"},
                          .operands = {},
                          .place = function_.place};
  for (std::uint32_t offset = 0; offset < place.bytes; offset += word) {
    AreaOperands load{.area = place.slot, .area_bytes = place.bytes};
    load.offset = offset;
    load.bytes = word;
    load.type = LaneType::b32;
    load.value = slots_.scratch(LaneType::b32);
    const Slot value = load.value;
    emit_guarded(load_area_step, load);
    MemoryOperands operands;
    operands.access = access_of(store, file_of(decoder_.module, function_));
    operands.address = slots_.local(static_cast<std::int64_t>(begin + offset));
    operands.wide_address = true;
    operands.type = LaneType::b32;
    operands.values = {value};
    choose_short_ways(operands, decoder_.level);
    const StepWith<MemoryOperands> step = step_of(operands.access);
    emit_guarded(step, std::move(operands));
  }
}

}  // namespace bankproof::ptx
