// OpenMP's functions, from the omp.h of the host's gcc, which clang reads too, but for an
// attribute: gcc's __malloc__ may name the function that frees.
#pragma once
#pragma GCC system_header

#ifdef __clang__
#pragma push_macro("__malloc__")
#define __malloc__(...)
#endif
#include_next <omp.h>
#ifdef __clang__
#pragma pop_macro("__malloc__")
#endif
