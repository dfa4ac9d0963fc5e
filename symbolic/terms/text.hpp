// Terms as people read them: 4·(n + 32·y), x mod 2^5, (x >> 3), a < b.
#pragma once

#include <string>

#include "pool.hpp"

namespace bankproof::symbolic {

std::string text_of(const Pool& pool, Term term);

}  // namespace bankproof::symbolic
