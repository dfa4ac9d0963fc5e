// Finds the file that compiles a row.
#include "rows.hpp"

#include "emit.hpp"

namespace bankproof::ptx::compiled {

std::optional<Results> emit_row(const Ir& ir, const Processor& processor, Mistake mistake,
                                const Instruction& row, const std::array<Lanes, 5>& sources) {
  const Spelling spelled(row.opcode);
  std::array<Value, 5> bits{};
  for (std::size_t k = 0; k < sources.size(); ++k) bits[k] = sources[k].bits;
  const Emit emit{ir, processor, mistake, row, spelled, bits, sources};
  for (const auto of : {integer_row, bit_row, float_row, comparison_row, conversion_row}) {
    if (auto results = of(emit)) return results;
  }
  return {};
}

}  // namespace bankproof::ptx::compiled
