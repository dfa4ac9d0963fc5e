// The part of CUDA's runtime that a .cu file needs when clang compiles it for the device alone,
// without NVIDIA's toolkit (-nocudainc -nocudalib).
//
// Device code becomes real instructions. Host code never runs; the compiler only checks it, so the
// host API is declared but not defined. As with nvcc, the compiler reads this header before each
// file, since the device's math functions must be known before <cmath> is read. Inlined
// instructions of device functions of these headers have the line of the call. A file that uses a
// function that is missing here does not compile; every function that is here does what CUDA's
// function does. Facts are from the CUDA C++ Programming Guide and the PTX ISA.
#pragma once
#pragma GCC system_header

#define __CUDA_RUNTIME_H__  // other headers ask whether this one was read

// A host compiler reads only the host API.
#ifndef __CUDA__
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"
#else

// clang-format off: each needs what stands before it
#include "cuda_runtime_api.h"
#include "parts/approximate.h"
#include "parts/atomics.h"
#include "parts/attributes.h"
#include "parts/block.h"
#include "parts/casts.h"
#include "parts/extremes.h"
#include "parts/integers.h"
#include "parts/library.h"
#include "parts/loads.h"
#include "parts/mathematics.h"
#include "parts/registers.h"
#include "parts/rounding.h"
#include "parts/selection.h"
#include "parts/surfaces.h"
#include "parts/texture_references.h"
#include "parts/textures.h"
#include "parts/warp.h"
#include "parts/words.h"
#include "vector_functions.h"
#include "vector_types.h"
// clang-format on

// nvcc includes these headers in every file. clang before 15 has to read them before __noinline__
// becomes a macro, because libstdc++ writes __attribute__((__noinline__)).
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
// The same names without std::.
#include <math.h>
#include <stdlib.h>
#if __clang_major__ < 15
#include <functional>
#include <memory>
#define __noinline__ __attribute__((noinline))
#endif
#endif
