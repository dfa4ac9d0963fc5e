// Compiles the coloring of graphs once for the programs of this tree; see model/instances.cpp.
#include <cstdint>

#include "../permutation/plan.hpp"

namespace bankproof {
template class detail::EdgeColoring<std::uint16_t>;
template class detail::EdgeColoring<std::uint32_t>;
template class detail::EdgeColoring<std::uint64_t>;
template class BankPlanner<std::uint32_t>;
}  // namespace bankproof
