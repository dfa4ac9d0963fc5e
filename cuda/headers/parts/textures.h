// Device functions that read textures (CUDA Programming Guide, "Texture Functions"), as PTX's tex
// and tld4. An instruction gives four numbers or integers of 32 bits, of which a texel's type takes
// as many as it has channels.
#pragma once
#pragma GCC system_header

#include "../vector_types.h"
#include "attributes.h"
#include "texture_types.h"

namespace bankproof_parts {

template <class Channel>
struct Color {
  Channel x, y, z, w;
};

template <class T>
struct Texel;
#define BANKPROOF_TEXEL(type, channel, ...)                               \
  template <>                                                             \
  struct Texel<type> {                                                    \
    using From = Color<channel>;                                          \
    BANKPROOF_DEVICE type of(const From& color) { return {__VA_ARGS__}; } \
  };
#define BANKPROOF_TEXELS(scalar, name, channel)                                                 \
  BANKPROOF_TEXEL(scalar, channel, static_cast<scalar>(color.x))                                \
  BANKPROOF_TEXEL(name##1, channel, static_cast<scalar>(color.x))                               \
  BANKPROOF_TEXEL(name##2, channel, static_cast<scalar>(color.x), static_cast<scalar>(color.y)) \
  BANKPROOF_TEXEL(name##4, channel, static_cast<scalar>(color.x), static_cast<scalar>(color.y), \
                  static_cast<scalar>(color.z), static_cast<scalar>(color.w))
BANKPROOF_TEXEL(char, int, static_cast<char>(color.x))
BANKPROOF_TEXELS(signed char, char, int)
BANKPROOF_TEXELS(unsigned char, uchar, unsigned int)
BANKPROOF_TEXELS(short, short, int)
BANKPROOF_TEXELS(unsigned short, ushort, unsigned int)
BANKPROOF_TEXELS(int, int, int)
BANKPROOF_TEXELS(unsigned int, uint, unsigned int)
BANKPROOF_TEXELS(float, float, float)
#undef BANKPROOF_TEXELS
#undef BANKPROOF_TEXEL

}  // namespace bankproof_parts

#define BANKPROOF_LIST(...) __VA_ARGS__
#define BANKPROOF_COLORS(name, opcode, coordinates, at, parameters, inputs, channel, type, in) \
  BANKPROOF_DEVICE void name##_color(Color<channel>& to, cudaTextureObject_t texture,          \
                                     BANKPROOF_LIST parameters) {                              \
    asm volatile(opcode ".v4." type "." coordinates " {%0, %1, %2, %3}, " at ";"               \
                 : in(to.x), in(to.y), in(to.z), in(to.w)                                      \
                 : [texture] "l"(texture), BANKPROOF_LIST inputs);                             \
  }
// The function, from the parameters behind the texture, and as the names of these.
#define BANKPROOF_TEXTURE(name, opcode, coordinates, at, parameters, inputs, names)              \
  namespace bankproof_parts {                                                                    \
  BANKPROOF_COLORS(name, opcode, coordinates, at, parameters, inputs, float, "f32", "=f")        \
  BANKPROOF_COLORS(name, opcode, coordinates, at, parameters, inputs, int, "s32", "=r")          \
  BANKPROOF_COLORS(name, opcode, coordinates, at, parameters, inputs, unsigned int, "u32", "=r") \
  }                                                                                              \
  template <class T>                                                                             \
  BANKPROOF_DEVICE T name(cudaTextureObject_t texture, BANKPROOF_LIST parameters) {              \
    typename bankproof_parts::Texel<T>::From color;                                              \
    bankproof_parts::name##_color(color, texture, BANKPROOF_LIST names);                         \
    return bankproof_parts::Texel<T>::of(color);                                                 \
  }                                                                                              \
  template <class T>                                                                             \
  BANKPROOF_DEVICE void name(T* to, cudaTextureObject_t texture, BANKPROOF_LIST parameters) {    \
    *to = name<T>(texture, BANKPROOF_LIST names);                                                \
  }

// clang-format off: a function a paragraph
BANKPROOF_TEXTURE(tex1Dfetch, "tex.1d", "s32", "[%[texture], {%[x]}]", (int x), ([x] "r"(x)), (x))
BANKPROOF_TEXTURE(tex1D, "tex.1d", "f32", "[%[texture], {%[x]}]", (float x), ([x] "f"(x)), (x))
BANKPROOF_TEXTURE(tex2D, "tex.2d", "f32", "[%[texture], {%[x], %[y]}]", (float x, float y),
                  ([x] "f"(x), [y] "f"(y)), (x, y))
BANKPROOF_TEXTURE(tex3D, "tex.3d", "f32", "[%[texture], {%[x], %[y], %[z], %[z]}]",
                  (float x, float y, float z), ([x] "f"(x), [y] "f"(y), [z] "f"(z)), (x, y, z))
BANKPROOF_TEXTURE(tex1DLayered, "tex.a1d", "f32", "[%[texture], {%[layer], %[x]}]",
                  (float x, int layer), ([layer] "r"(layer), [x] "f"(x)), (x, layer))
BANKPROOF_TEXTURE(tex2DLayered, "tex.a2d", "f32", "[%[texture], {%[layer], %[x], %[y], %[y]}]",
                  (float x, float y, int layer), ([layer] "r"(layer), [x] "f"(x), [y] "f"(y)),
                  (x, y, layer))
BANKPROOF_TEXTURE(texCubemap, "tex.cube", "f32", "[%[texture], {%[x], %[y], %[z], %[z]}]",
                  (float x, float y, float z), ([x] "f"(x), [y] "f"(y), [z] "f"(z)), (x, y, z))
BANKPROOF_TEXTURE(texCubemapLayered, "tex.acube", "f32",
                  "[%[texture], {%[layer], %[x], %[y], %[z]}]",
                  (float x, float y, float z, int layer),
                  ([layer] "r"(layer), [x] "f"(x), [y] "f"(y), [z] "f"(z)), (x, y, z, layer))
BANKPROOF_TEXTURE(tex1DLod, "tex.level.1d", "f32", "[%[texture], {%[x]}], %[level]",
                  (float x, float level), ([x] "f"(x), [level] "f"(level)), (x, level))
BANKPROOF_TEXTURE(tex2DLod, "tex.level.2d", "f32", "[%[texture], {%[x], %[y]}], %[level]",
                  (float x, float y, float level), ([x] "f"(x), [y] "f"(y), [level] "f"(level)),
                  (x, y, level))
BANKPROOF_TEXTURE(tex3DLod, "tex.level.3d", "f32",
                  "[%[texture], {%[x], %[y], %[z], %[z]}], %[level]",
                  (float x, float y, float z, float level),
                  ([x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level)), (x, y, z, level))
BANKPROOF_TEXTURE(tex1DLayeredLod, "tex.level.a1d", "f32",
                  "[%[texture], {%[layer], %[x]}], %[level]", (float x, int layer, float level),
                  ([layer] "r"(layer), [x] "f"(x), [level] "f"(level)), (x, layer, level))
BANKPROOF_TEXTURE(tex2DLayeredLod, "tex.level.a2d", "f32",
                  "[%[texture], {%[layer], %[x], %[y], %[y]}], %[level]",
                  (float x, float y, int layer, float level),
                  ([layer] "r"(layer), [x] "f"(x), [y] "f"(y), [level] "f"(level)),
                  (x, y, layer, level))
BANKPROOF_TEXTURE(texCubemapLod, "tex.level.cube", "f32",
                  "[%[texture], {%[x], %[y], %[z], %[z]}], %[level]",
                  (float x, float y, float z, float level),
                  ([x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level)), (x, y, z, level))
BANKPROOF_TEXTURE(texCubemapLayeredLod, "tex.level.acube", "f32",
                  "[%[texture], {%[layer], %[x], %[y], %[z]}], %[level]",
                  (float x, float y, float z, int layer, float level),
                  ([layer] "r"(layer), [x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level)),
                  (x, y, z, layer, level))
BANKPROOF_TEXTURE(tex1DGrad, "tex.grad.1d", "f32", "[%[texture], {%[x]}], {%[a0]}, {%[b0]}",
                  (float x, float by_x, float by_y), ([x] "f"(x), [a0] "f"(by_x), [b0] "f"(by_y)),
                  (x, by_x, by_y))
BANKPROOF_TEXTURE(tex2DGrad, "tex.grad.2d", "f32",
                  "[%[texture], {%[x], %[y]}], {%[a0], %[a1]}, {%[b0], %[b1]}",
                  (float x, float y, float2 by_x, float2 by_y),
                  ([x] "f"(x), [y] "f"(y), [a0] "f"(by_x.x), [a1] "f"(by_x.y), [b0] "f"(by_y.x),
                   [b1] "f"(by_y.y)),
                  (x, y, by_x, by_y))
BANKPROOF_TEXTURE(tex3DGrad, "tex.grad.3d", "f32",
                  "[%[texture], {%[x], %[y], %[z], %[z]}], {%[a0], %[a1], %[a2], %[a2]}, {%[b0], "
                  "%[b1], %[b2], %[b2]}",
                  (float x, float y, float z, float4 by_x, float4 by_y),
                  ([x] "f"(x), [y] "f"(y), [z] "f"(z), [a0] "f"(by_x.x), [a1] "f"(by_x.y),
                   [a2] "f"(by_x.z), [b0] "f"(by_y.x), [b1] "f"(by_y.y), [b2] "f"(by_y.z)),
                  (x, y, z, by_x, by_y))
BANKPROOF_TEXTURE(tex1DLayeredGrad, "tex.grad.a1d", "f32",
                  "[%[texture], {%[layer], %[x]}], {%[a0]}, {%[b0]}",
                  (float x, int layer, float by_x, float by_y),
                  ([layer] "r"(layer), [x] "f"(x), [a0] "f"(by_x), [b0] "f"(by_y)),
                  (x, layer, by_x, by_y))
BANKPROOF_TEXTURE(tex2DLayeredGrad, "tex.grad.a2d", "f32",
                  "[%[texture], {%[layer], %[x], %[y], %[y]}], {%[a0], %[a1]}, {%[b0], %[b1]}",
                  (float x, float y, int layer, float2 by_x, float2 by_y),
                  ([layer] "r"(layer), [x] "f"(x), [y] "f"(y), [a0] "f"(by_x.x), [a1] "f"(by_x.y),
                   [b0] "f"(by_y.x), [b1] "f"(by_y.y)),
                  (x, y, layer, by_x, by_y))
BANKPROOF_TEXTURE(texCubemapGrad, "tex.grad.cube", "f32",
                  "[%[texture], {%[x], %[y], %[z], %[z]}], {%[a0], %[a1], %[a2], %[a2]}, {%[b0], "
                  "%[b1], %[b2], %[b2]}",
                  (float x, float y, float z, float4 by_x, float4 by_y),
                  ([x] "f"(x), [y] "f"(y), [z] "f"(z), [a0] "f"(by_x.x), [a1] "f"(by_x.y),
                   [a2] "f"(by_x.z), [b0] "f"(by_y.x), [b1] "f"(by_y.y), [b2] "f"(by_y.z)),
                  (x, y, z, by_x, by_y))
BANKPROOF_TEXTURE(
    texCubemapLayeredGrad, "tex.grad.acube", "f32",
    "[%[texture], {%[layer], %[x], %[y], %[z]}], {%[a0], %[a1], %[a2], %[a2]}, {%[b0], %[b1], "
    "%[b2], %[b2]}",
    (float x, float y, float z, int layer, float4 by_x, float4 by_y),
    ([layer] "r"(layer), [x] "f"(x), [y] "f"(y), [z] "f"(z), [a0] "f"(by_x.x), [a1] "f"(by_x.y),
     [a2] "f"(by_x.z), [b0] "f"(by_y.x), [b1] "f"(by_y.y), [b2] "f"(by_y.z)),
    (x, y, z, layer, by_x, by_y))
BANKPROOF_TEXTURE(bankproof_gather_r, "tld4.r.2d", "f32", "[%[texture], {%[x], %[y]}]",
                  (float x, float y), ([x] "f"(x), [y] "f"(y)), (x, y))
BANKPROOF_TEXTURE(bankproof_gather_g, "tld4.g.2d", "f32", "[%[texture], {%[x], %[y]}]",
                  (float x, float y), ([x] "f"(x), [y] "f"(y)), (x, y))
BANKPROOF_TEXTURE(bankproof_gather_b, "tld4.b.2d", "f32", "[%[texture], {%[x], %[y]}]",
                  (float x, float y), ([x] "f"(x), [y] "f"(y)), (x, y))
BANKPROOF_TEXTURE(bankproof_gather_a, "tld4.a.2d", "f32", "[%[texture], {%[x], %[y]}]",
                  (float x, float y), ([x] "f"(x), [y] "f"(y)), (x, y))
// clang-format on
#undef BANKPROOF_TEXTURE
#undef BANKPROOF_COLORS

template <class T>
BANKPROOF_DEVICE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0) {
  if (channel == 1) return bankproof_gather_g<T>(texture, x, y);
  if (channel == 2) return bankproof_gather_b<T>(texture, x, y);
  if (channel == 3) return bankproof_gather_a<T>(texture, x, y);
  return bankproof_gather_r<T>(texture, x, y);
}
template <class T>
BANKPROOF_DEVICE void tex2Dgather(T* to, cudaTextureObject_t texture, float x, float y,
                                  int channel = 0) {
  *to = tex2Dgather<T>(texture, x, y, channel);
}
