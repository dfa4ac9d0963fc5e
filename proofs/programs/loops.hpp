// Loops of programs on formulas.
#pragma once

#include "../written/written.hpp"

namespace bankproof::proofs {

/// `place` goes through the numbers, or the powers of two, below `limit`.
struct WrittenLoop {
  Form form = Form::over_numbers;
  Written limit;
  Written place;
  bool falls = false;  ///< whether it goes through them from the last one on
};

}  // namespace bankproof::proofs
