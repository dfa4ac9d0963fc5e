// Functions of CUDA's device library that PTX calls but does not contain: printf, assert and free
// (CUDA Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory Allocation").
#pragma once

#include "../isa/op.hpp"

namespace bankproof::ptx {

/// vprintf(format, arguments): each lane prints, one after the other. Op::detail is a CallDetail.
const Op* print_step(WarpState& state, const Op* op);

/// __assertfail(condition, file, line, function, size of a character): ends the launch. Op::detail
/// is a CallDetail.
const Op* assert_step(WarpState& state, const Op* op);

/// free(pointer), which a class with a virtual destructor calls implicitly. Nothing is allocated
/// here, so a pointer that is not null ends the launch. Op::detail is a CallDetail.
const Op* free_step(WarpState& state, const Op* op);

}  // namespace bankproof::ptx
