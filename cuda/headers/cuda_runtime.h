// What a .cu file needs of CUDA's runtime where clang compiles it for the device alone and NVIDIA's
// toolkit is not installed (-nocudainc -nocudalib).
//
// Device code becomes real instructions; host code is only looked at by the compiler and never
// runs, so that the host API is declared and nowhere defined. It is included before the first line
// of every file, as nvcc does it: the device's functions of mathematics have to be known before
// <cmath> is read. Device functions carry no lines of their own: what they do counts for the line
// that calls them. What is missing here is an error of the compiler, never a function that does
// something else. Facts are from the CUDA C++ Programming Guide and the PTX ISA.
#pragma once
#pragma GCC system_header

#ifndef __CUDA__
#error \
    "bankproof's CUDA headers are for clang with -x cuda; nvcc and a host compiler have their own"
#endif

// clang-format off: each needs what stands before it
#include "cuda_runtime_api.h"
#include "parts/approximate.h"
#include "parts/atomics.h"
#include "parts/attributes.h"
#include "parts/block.h"
#include "parts/casts.h"
#include "parts/integers.h"
#include "parts/library.h"
#include "parts/loads.h"
#include "parts/mathematics.h"
#include "parts/registers.h"
#include "parts/rounding.h"
#include "parts/selection.h"
#include "parts/warp.h"
#include "parts/words.h"
#include "vector_functions.h"
#include "vector_types.h"
// clang-format on

// nvcc gives these to every file; and for clang before 15 they have to be read before __noinline__
// becomes a macro, as libstdc++ writes __attribute__((__noinline__)).
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
// The names without std:: too.
#include <math.h>
#include <stdlib.h>
#if __clang_major__ < 15
#include <functional>
#include <memory>
#define __noinline__ __attribute__((noinline))
#endif
