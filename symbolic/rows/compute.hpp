// What integer instructions compute, as terms. The opcodes, and the order of operands, are those of
// the machine's rows (ptx/alu/row.hpp), whose results the tests compare with these.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// The results of an opcode in its whole spelling; nothing for an opcode that is unknown here, such
/// as those on floating-point numbers. Sources and results have the widths of the registers that
/// the row has: bytes are in 16 bits, predicates have one. The condition code comes last.
/// `destinations` is the number of destinations that the program writes.
std::optional<std::vector<Term>> compute(Pool& pool, std::string_view opcode,
                                         std::size_t destinations, std::span<const Term> sources);

}  // namespace bankproof::symbolic
