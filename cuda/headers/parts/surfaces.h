// Device functions that read and write surfaces (CUDA Programming Guide, "Surface Functions"), as
// PTX's suld.b and sust.b. The first coordinate counts bytes.
#pragma once
#pragma GCC system_header

#include "loads.h"
#include "texture_types.h"

#define BANKPROOF_LIST(...) __VA_ARGS__
#define BANKPROOF_SURFACE_LOAD(name, geometry, mode, at, parameters, inputs, size, width, values, \
                               ...)                                                               \
  BANKPROOF_DEVICE void name##read_##mode(Bytes<size>& to, cudaSurfaceObject_t surface,           \
                                          BANKPROOF_LIST parameters) {                            \
    asm volatile("suld.b." geometry "." width "." #mode " {" values "}, " at ";"                  \
                 : __VA_ARGS__                                                                    \
                 : [surface] "l"(surface), BANKPROOF_LIST inputs                                  \
                 : "memory");                                                                     \
  }
#define BANKPROOF_SURFACE_STORE(name, geometry, mode, at, parameters, inputs, size, width, values, \
                                ...)                                                               \
  BANKPROOF_DEVICE void name##write_##mode(const Bytes<size>& from, cudaSurfaceObject_t surface,   \
                                           BANKPROOF_LIST parameters) {                            \
    asm volatile("sust.b." geometry "." width "." #mode " " at ", {" values "};"                   \
                 :                                                                                 \
                 : __VA_ARGS__, [surface] "l"(surface), BANKPROOF_LIST inputs                      \
                 : "memory");                                                                      \
  }
// Registers of 8 bits do not exist in C++.
#define BANKPROOF_SURFACE_MODE(name, geometry, mode, at, parameters, inputs)                       \
  BANKPROOF_DEVICE void name##read_##mode(Bytes<1>& to, cudaSurfaceObject_t surface,               \
                                          BANKPROOF_LIST parameters) {                             \
    unsigned short byte;                                                                           \
    asm volatile("suld.b." geometry ".b8." #mode " {%0}, " at ";"                                  \
                 : "=h"(byte)                                                                      \
                 : [surface] "l"(surface), BANKPROOF_LIST inputs                                   \
                 : "memory");                                                                      \
    to.a = static_cast<unsigned char>(byte);                                                       \
  }                                                                                                \
  BANKPROOF_DEVICE void name##write_##mode(const Bytes<1>& from, cudaSurfaceObject_t surface,      \
                                           BANKPROOF_LIST parameters) {                            \
    const unsigned short byte = from.a;                                                            \
    asm volatile("sust.b." geometry ".b8." #mode " " at ", {%0};"                                  \
                 :                                                                                 \
                 : "h"(byte), [surface] "l"(surface), BANKPROOF_LIST inputs                        \
                 : "memory");                                                                      \
  }                                                                                                \
  BANKPROOF_SURFACE_LOAD(name, geometry, mode, at, parameters, inputs, 2, "b16", "%0", "=h"(to.a)) \
  BANKPROOF_SURFACE_STORE(name, geometry, mode, at, parameters, inputs, 2, "b16", "%0",            \
                          "h"(from.a))                                                             \
  BANKPROOF_SURFACE_LOAD(name, geometry, mode, at, parameters, inputs, 4, "b32", "%0", "=r"(to.a)) \
  BANKPROOF_SURFACE_STORE(name, geometry, mode, at, parameters, inputs, 4, "b32", "%0",            \
                          "r"(from.a))                                                             \
  BANKPROOF_SURFACE_LOAD(name, geometry, mode, at, parameters, inputs, 8, "v2.b32", "%0, %1",      \
                         "=r"(to.a), "=r"(to.b))                                                   \
  BANKPROOF_SURFACE_STORE(name, geometry, mode, at, parameters, inputs, 8, "v2.b32", "%0, %1",     \
                          "r"(from.a), "r"(from.b))                                                \
  BANKPROOF_SURFACE_LOAD(name, geometry, mode, at, parameters, inputs, 16, "v4.b32",               \
                         "%0, %1, %2, %3", "=r"(to.a), "=r"(to.b), "=r"(to.c), "=r"(to.d))         \
  BANKPROOF_SURFACE_STORE(name, geometry, mode, at, parameters, inputs, 16, "v4.b32",              \
                          "%0, %1, %2, %3", "r"(from.a), "r"(from.b), "r"(from.c), "r"(from.d))
#define BANKPROOF_SURFACE(name, geometry, at, parameters, inputs, names)                          \
  namespace bankproof_parts {                                                                     \
  BANKPROOF_SURFACE_MODE(name, geometry, trap, at, parameters, inputs)                            \
  BANKPROOF_SURFACE_MODE(name, geometry, clamp, at, parameters, inputs)                           \
  BANKPROOF_SURFACE_MODE(name, geometry, zero, at, parameters, inputs)                            \
  }                                                                                               \
  template <class T>                                                                              \
  BANKPROOF_DEVICE T name##read(cudaSurfaceObject_t surface, BANKPROOF_LIST parameters,           \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    bankproof_parts::Bytes<sizeof(T)> bytes;                                                      \
    if (mode == cudaBoundaryModeZero) {                                                           \
      bankproof_parts::name##read_zero(bytes, surface, BANKPROOF_LIST names);                     \
    } else if (mode == cudaBoundaryModeClamp) {                                                   \
      bankproof_parts::name##read_clamp(bytes, surface, BANKPROOF_LIST names);                    \
    } else {                                                                                      \
      bankproof_parts::name##read_trap(bytes, surface, BANKPROOF_LIST names);                     \
    }                                                                                             \
    T value;                                                                                      \
    __builtin_memcpy(&value, &bytes, sizeof(T));                                                  \
    return value;                                                                                 \
  }                                                                                               \
  template <class T>                                                                              \
  BANKPROOF_DEVICE void name##read(T* to, cudaSurfaceObject_t surface, BANKPROOF_LIST parameters, \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    *to = name##read<T>(surface, BANKPROOF_LIST names, mode);                                     \
  }                                                                                               \
  template <class T>                                                                              \
  BANKPROOF_DEVICE void name##write(T value, cudaSurfaceObject_t surface,                         \
                                    BANKPROOF_LIST parameters,                                    \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    bankproof_parts::Bytes<sizeof(T)> bytes;                                                      \
    __builtin_memcpy(&bytes, &value, sizeof(T));                                                  \
    if (mode == cudaBoundaryModeZero) {                                                           \
      bankproof_parts::name##write_zero(bytes, surface, BANKPROOF_LIST names);                    \
    } else if (mode == cudaBoundaryModeClamp) {                                                   \
      bankproof_parts::name##write_clamp(bytes, surface, BANKPROOF_LIST names);                   \
    } else {                                                                                      \
      bankproof_parts::name##write_trap(bytes, surface, BANKPROOF_LIST names);                    \
    }                                                                                             \
  }

// clang-format off: a function a paragraph
BANKPROOF_SURFACE(surf1D, "1d", "[%[surface], {%[x]}]", (int x), ([x] "r"(x)), (x))
BANKPROOF_SURFACE(surf2D, "2d", "[%[surface], {%[x], %[y]}]", (int x, int y),
                  ([x] "r"(x), [y] "r"(y)), (x, y))
BANKPROOF_SURFACE(surf3D, "3d", "[%[surface], {%[x], %[y], %[z], %[z]}]", (int x, int y, int z),
                  ([x] "r"(x), [y] "r"(y), [z] "r"(z)), (x, y, z))
BANKPROOF_SURFACE(surf1DLayered, "a1d", "[%[surface], {%[layer], %[x]}]", (int x, int layer),
                  ([x] "r"(x), [layer] "r"(layer)), (x, layer))
BANKPROOF_SURFACE(surf2DLayered, "a2d", "[%[surface], {%[layer], %[x], %[y], %[y]}]",
                  (int x, int y, int layer), ([x] "r"(x), [y] "r"(y), [layer] "r"(layer)),
                  (x, y, layer))
BANKPROOF_SURFACE(surfCubemap, "a2d", "[%[surface], {%[layer], %[x], %[y], %[y]}]",
                  (int x, int y, int layer), ([x] "r"(x), [y] "r"(y), [layer] "r"(layer)),
                  (x, y, layer))
BANKPROOF_SURFACE(surfCubemapLayered, "a2d", "[%[surface], {%[layer], %[x], %[y], %[y]}]",
                  (int x, int y, int layer), ([x] "r"(x), [y] "r"(y), [layer] "r"(layer)),
                  (x, y, layer))
// clang-format on
#undef BANKPROOF_SURFACE
#undef BANKPROOF_SURFACE_MODE
#undef BANKPROOF_SURFACE_STORE
#undef BANKPROOF_SURFACE_LOAD
