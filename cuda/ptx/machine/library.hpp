// Functions of CUDA's device library that PTX calls without having them: printf and assert (CUDA
// Programming Guide, "Formatted Output", "Assertion").
#pragma once

#include "op.hpp"

namespace bankproof::ptx {

/// vprintf(format, arguments): each lane prints, one after the other. Op::detail is a CallDetail.
const Op* print_step(WarpState& state, const Op* op);

/// __assertfail(condition, file, line, function, size of a character): the launch ends. Op::detail
/// is a CallDetail.
const Op* assert_step(WarpState& state, const Op* op);

}  // namespace bankproof::ptx
