// Temporaries: registers whose values nothing sees but the arithmetic of one segment, which is a
// row of arithmetic instructions in one block. Each segment that reads a temporary has written it
// before, for all lanes that it reads, and no step other than a row's reads it.
//
// Compiled code keeps temporaries out of the frame. So whatever asks whether the state of a warp
// has changed must not look at them, and looks at the lasting parts of frames instead. What a
// temporary holds follows from these parts, so that it changes nothing that comes later.
#pragma once

#include "program.hpp"

namespace bankproof::ptx {

/// Sets `temporary` and `lasting` of a decoded function. Constants, special registers and
/// parameters are not lasting: they never change.
void find_temporaries(FunctionCode& code);

/// Whether compiled code may compute the operation within a segment.
bool is_of_segment(const Op& op);

}  // namespace bankproof::ptx
