// Numbers registers, and follows their values backwards; see registers.hpp.
#include "registers.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "slots.hpp"

namespace bankproof::symbolic {

namespace {

/// The instructions whose first operand is a source. All others that have operands write it.
constexpr std::array<std::string_view, 16> without_result{
    "st",      "red",    "bra",   "brx", "stmatrix", "prefetch", "prefetchu", "bar",
    "barrier", "membar", "fence", "cp",  "ret",      "exit",     "trap",      "call"};

bool writes_first_operand(const ptx::Instruction& i) {
  const bool reduces = (i.base == "bar" || i.base == "barrier") && i.has("red");
  const bool stores = i.base == "wmma" && i.has("store");
  const bool is_other =
      std::find(without_result.begin(), without_result.end(), i.base) != without_result.end();
  return reduces || (!is_other && !stores);
}

}  // namespace

Registers::Registers(const ptx::Function& function) {
  for (const ptx::RegisterDeclaration& declaration : function.registers) {
    first_.push_back(widths_.size());
    const std::uint32_t bits = ptx::bits_of(declaration.type);
    widths_.insert(widths_.end(), declaration.count.value_or(1), bits);
  }
}

void each_register(const ptx::Instruction& instruction,
                   const std::function<void(const ptx::Register&, bool)>& see) {
  const auto scalar = [&](const auto& value, bool is_written) {
    if (const auto* const r = std::get_if<ptx::Register>(&value)) see(*r, is_written);
  };
  const auto all = [&](const std::vector<ptx::Scalar>& scalars, bool is_written) {
    for (const ptx::Scalar& one : scalars) scalar(one, is_written);
  };
  if (instruction.guard) see(instruction.guard->predicate, false);
  const bool writes = writes_first_operand(instruction);
  for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
    const auto& value = instruction.operands[k].value;
    // The first operand of a call has its results.
    const bool has_results = instruction.operands.size() > 1 || instruction.has(external_modifier);
    const bool is_written = k == 0 && (writes || (instruction.base == "call" && has_results));
    if (const auto* const one = std::get_if<ptx::Scalar>(&value)) {
      scalar(*one, is_written);
    } else if (const auto* const address = std::get_if<ptx::Address>(&value)) {
      scalar(address->base, false);
      all(address->more, false);
      all(address->coordinates, false);
    } else if (const auto* const negated = std::get_if<ptx::Negated>(&value)) {
      see(negated->predicate, false);
    } else if (const auto* const pair = std::get_if<ptx::Pair>(&value)) {
      all({pair->first, pair->second}, is_written);
    } else if (const auto* const vector = std::get_if<ptx::Vector>(&value)) {
      all(vector->elements, is_written);
    } else if (const auto* const arguments = std::get_if<ptx::Arguments>(&value)) {
      all(arguments->elements, is_written);
    }
  }
}

std::vector<std::vector<bool>> live_on_entry(const ptx::Function& function, const ptx::Flow& flow,
                                             const Registers& registers) {
  const std::size_t count = flow.blocks.size();
  std::vector<std::vector<bool>> read(count, std::vector<bool>(registers.count()));
  std::vector<std::vector<bool>> written = read;  // in all lanes that come by
  for (std::size_t b = 0; b < count; ++b) {
    for (std::size_t s = flow.blocks[b].begin; s < flow.blocks[b].end; ++s) {
      const auto* const i = std::get_if<ptx::Instruction>(&function.body[s]);
      if (i == nullptr) continue;
      each_register(*i, [&](const ptx::Register& r, bool is_written) {
        const std::size_t number = registers.number(r);
        // Where a guard may leave the old value, it counts as read.
        if ((!is_written || i->guard) && !written[b][number]) read[b][number] = true;
      });
      each_register(*i, [&](const ptx::Register& r, bool is_written) {
        if (is_written) written[b][registers.number(r)] = true;
      });
    }
  }
  std::vector<std::vector<bool>> live = read;
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t b = count; b-- > 0;) {
      for (const std::size_t next : flow.blocks[b].successors) {
        for (std::size_t r = 0; r < registers.count(); ++r) {
          if (live[next][r] && !written[b][r] && !live[b][r]) {
            live[b][r] = true;
            changes = true;
          }
        }
      }
    }
  }
  return live;
}

}  // namespace bankproof::symbolic
