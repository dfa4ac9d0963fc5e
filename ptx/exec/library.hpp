// Functions of CUDA's device library that PTX calls but does not contain: printf, assert, malloc
// and free (CUDA Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory
// Allocation").
#pragma once

#include <string_view>

#include "../isa/op.hpp"
#include "control.hpp"

namespace bankproof::ptx {

/// malloc, operator new in its many forms, and what nvcc calls for types whose alignment is more
/// than 16. The first argument is the number of bytes. Every allocation has the greatest alignment.
bool allocates(std::string_view name);
/// free, and operator delete.
bool frees(std::string_view name);
/// Any function of the device library that the decoder knows: no module has to define it
/// (link.hpp).
bool is_of_library(std::string_view name);

/// vprintf(format, arguments): each lane prints, one after the other.
extern const StepWith<CallOperands> print_step;

/// __assertfail(condition, file, line, function, size of a character): ends the launch.
extern const StepWith<CallOperands> assert_step;

/// malloc(bytes): the address of a new buffer of the heap, or null. operator new gives null, too:
/// in kernels there are no exceptions.
extern const StepWith<CallOperands> malloc_step;

/// free(pointer), which a class with a virtual destructor calls implicitly. A pointer that is not
/// from malloc() ends the launch.
extern const StepWith<CallOperands> free_step;

}  // namespace bankproof::ptx
