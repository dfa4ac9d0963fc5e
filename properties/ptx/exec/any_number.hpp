// Numbers for random kernels.
#pragma once

#include <rapidcheck.h>

namespace bankproof::ptx {

/// A number in [begin, end). Small cases of a property draw from the whole range, too.
inline int any(int begin, int end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(begin, end));
}

}  // namespace bankproof::ptx
