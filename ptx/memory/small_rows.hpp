// Small rows: lanes of a warp that load or store consecutive elements of a byte, of two bytes, or
// of four bytes that do not fill their registers, such as pixels. Any lanes may take no part.
//
// The short way judges a sector at once. If only some lanes of a word take part, no sector record
// is exact. Then, if records may merge (judge_sector.hpp), the record is that of all lanes of the
// word, as if the others had accessed their own elements, too: nearly always no other lane does.
// The results are the same as those of perform(); tests compare both (RunOptions::short_ways).
#pragma once

#include "access.hpp"

namespace bankproof::ptx {

/// The short way of small rows for loads and stores with these operands; null if there is none.
PerformShort small_row_of(const MemoryOperands& operands);

}  // namespace bankproof::ptx
