"""Whole programs that use textures and surfaces: what kernels read is what plain arithmetic of the host
gives, and what the programs do wrong is told with its line.
"""

import re
import unittest

from exec_support import CAN_BUILD, FINDING, Programs
from program import CLEAN, needs

COMPILER = "a compiler of CUDA"

COMMON = """#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(call) do { if ((call) != cudaSuccess) { \\
  std::printf("%d: %s\\n", __LINE__, cudaGetErrorString(cudaGetLastError())); return 3; } } while (0)

cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureAddressMode mode, bool linear,
                               bool normalized, cudaTextureReadMode read = cudaReadModeElementType,
                               float most_level = 0) {
  cudaTextureDesc sampling = {};
  for (int axis = 0; axis < 3; ++axis) sampling.addressMode[axis] = mode;
  sampling.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  sampling.mipmapFilterMode = sampling.filterMode;
  sampling.readMode = read;
  sampling.normalizedCoords = normalized;
  sampling.maxMipmapLevelClamp = most_level;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &sampling, nullptr);
  return texture;
}
cudaResourceDesc of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
"""

# Each part compares with a computation in double; a filter's weights have 8 bits behind the point.
PROGRAM = COMMON + """
constexpr int W = 8, H = 4;
__global__ void planes(cudaTextureObject_t texture, const float2* at, float* to) {
  to[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void layers(cudaTextureObject_t texture, float4* to) {
  to[threadIdx.x] = tex2DLayered<float4>(texture, threadIdx.x % W, threadIdx.x / W % H,
                                         threadIdx.x / (W * H));
}
__global__ void cubes(cudaTextureObject_t texture, const float4* at, float* to) {
  const float4 of = at[threadIdx.x];
  to[threadIdx.x] = texCubemap<float>(texture, of.x, of.y, of.z);
}
__global__ void write(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x % W, y = threadIdx.x / W;
  surf2Dwrite(make_uchar4(x, y, 7 * x, 255), surface, 4 * x, y);
}
__global__ void read(cudaTextureObject_t texture, float4* to) {
  const int x = threadIdx.x % W, y = threadIdx.x / W;
  to[threadIdx.x] = tex2D<float4>(texture, x + 0.5f, y + 0.5f);
}
__global__ void mipmaps(cudaTextureObject_t texture, const float* levels, float* to) {
  to[threadIdx.x] = tex2DLod<float>(texture, 0.3f, 0.6f, levels[threadIdx.x]);
}
__global__ void volumes(cudaTextureObject_t texture, short2* to, float4* four, cudaTextureObject_t plane) {
  to[threadIdx.x] = tex3D<short2>(texture, threadIdx.x, 1, 2);
  four[threadIdx.x] = tex2Dgather<float4>(plane, threadIdx.x + 1, 1);
}

double texel(const std::vector<float>& all, int x, int y) {
  return all[((y % H + H) % H) * W + (x % W + W) % W];
}
double linear(const std::vector<float>& all, double u, double v) {
  const double x = u * W - 0.5, y = v * H - 0.5;
  const int left = std::floor(x), top = std::floor(y);
  const double a = x - left, b = y - top;
  return (1 - a) * (1 - b) * texel(all, left, top) + a * (1 - b) * texel(all, left + 1, top) +
         (1 - a) * b * texel(all, left, top + 1) + a * b * texel(all, left + 1, top + 1);
}
template <class T> T* device(size_t count) {
  T* made = nullptr;
  cudaMalloc(&made, count * sizeof(T));
  return made;
}
template <class T> T* device(const std::vector<T>& from) {
  T* made = device<T>(from.size());
  cudaMemcpy(made, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return made;
}
template <class T> std::vector<T> host(T* from, size_t count) {
  std::vector<T> all(count);
  cudaMemcpy(all.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(from);
  return all;
}
int wrong = 0;
void compare(const char* what, double found, double expected, double most) {
  if (std::fabs(found - expected) <= most) return;
  ++wrong;
  std::printf("%s: %g instead of %g\\n", what, found, expected);
}

int main() {
  std::vector<float> all(W * H);
  for (int i = 0; i < W * H; ++i) all[i] = (i * 37 % 64) / 64.f;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t plane = nullptr;
  CHECK(cudaMallocArray(&plane, &floats, W, H));
  CHECK(cudaMemcpy2DToArray(plane, 0, 0, all.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
  const cudaTextureObject_t filtered = texture_of(of(plane), cudaAddressModeWrap, true, true);
  std::vector<float2> places;
  for (int i = 0; i < 128; ++i) places.push_back(make_float2(i * 0.031f - 1.7f, i * 0.057f - 3.1f));
  float2* at = device(places);
  float* found = device<float>(128);
  planes<<<1, 128>>>(filtered, at, found);
  const std::vector<float> of_plane = host(found, 128);
  for (int i = 0; i < 128; ++i) {
    compare("plane", of_plane[i], linear(all, places[i].x, places[i].y), 0.01);
  }
  cudaFree(at);

  const cudaChannelFormatDesc fours = cudaCreateChannelDesc<float4>();
  std::vector<float4> stack;
  for (int i = 0; i < W * H * 3; ++i) stack.push_back(make_float4(i, -i, 0.5f * i, 1));
  cudaArray_t layered = nullptr;
  CHECK(cudaMalloc3DArray(&layered, &fours, make_cudaExtent(W, H, 3), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(stack.data(), W * 16, W, H);
  copy.dstArray = layered;
  copy.extent = make_cudaExtent(W, H, 3);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  const cudaTextureObject_t of_layers = texture_of(of(layered), cudaAddressModeClamp, false, false);
  float4* colors = device<float4>(stack.size());
  layers<<<1, W * H * 3>>>(of_layers, colors);
  const std::vector<float4> layer = host(colors, stack.size());
  for (size_t i = 0; i < layer.size(); ++i) {
    compare("layer", std::memcmp(&layer[i], &stack[i], sizeof layer[i]), 0, 0);
  }

  // Each face has one number, 10 times its own.
  std::vector<float> faces;
  for (int i = 0; i < 6 * 16; ++i) faces.push_back(10 * (i / 16));
  cudaArray_t cube = nullptr;
  CHECK(cudaMalloc3DArray(&cube, &floats, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
  copy = {};
  copy.srcPtr = make_cudaPitchedPtr(faces.data(), 16, 4, 4);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(4, 4, 6);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  const cudaTextureObject_t of_cube = texture_of(of(cube), cudaAddressModeClamp, true, true);
  float4* directions = device(std::vector<float4>{{2, .1f, .2f, 0}, {-1, .5f, 0, 0}, {.3f, 3, 1, 0},
                                                  {.1f, -1, .9f, 0}, {0, 0, 1, 0}, {.9f, .8f, -1, 0}});
  float* sides = device<float>(6);
  cubes<<<1, 6>>>(of_cube, directions, sides);
  const std::vector<float> side = host(sides, 6);
  for (int i = 0; i < 6; ++i) compare("cube", side[i], 10 * i, 0);
  cudaFree(directions);

  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
  cudaArray_t written = nullptr;
  CHECK(cudaMallocArray(&written, &bytes, W, H, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface = 0;
  const cudaResourceDesc resource = of(written);
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  write<<<1, W * H>>>(surface);
  const cudaTextureObject_t normalized =
      texture_of(of(written), cudaAddressModeClamp, false, false, cudaReadModeNormalizedFloat);
  colors = device<float4>(W * H);
  read<<<1, W * H>>>(normalized, colors);
  const std::vector<float4> back = host(colors, W * H);
  for (int i = 0; i < W * H; ++i) {
    compare("surface x", back[i].x, i % W / 255., 1e-6);
    compare("surface y", back[i].y, i / W / 255., 1e-6);
    compare("surface z", back[i].z, 7 * (i % W) / 255., 1e-6);
    compare("surface w", back[i].w, 1, 0);
  }

  // Level k has the number 100 * k everywhere.
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(W, W, 0), 3));
  for (unsigned k = 0; k < 3; ++k) {
    cudaArray_t level = nullptr;
    CHECK(cudaGetMipmappedArrayLevel(&level, mipmap, k));
    const size_t width = W >> k;
    const std::vector<float> numbers(width * width, 100.f * k);
    CHECK(cudaMemcpy2DToArray(level, 0, 0, numbers.data(), width * 4, width * 4, width,
                              cudaMemcpyHostToDevice));
  }
  cudaResourceDesc levels = {};
  levels.resType = cudaResourceTypeMipmappedArray;
  levels.res.mipmap.mipmap = mipmap;
  const cudaTextureObject_t of_levels =
      texture_of(levels, cudaAddressModeClamp, true, true, cudaReadModeElementType, 2);
  const std::vector<float> wanted{-1, 0, 0.25f, 1, 1.5f, 2, 9};
  float* in = device(wanted);
  found = device<float>(wanted.size());
  mipmaps<<<1, wanted.size()>>>(of_levels, in, found);
  const std::vector<float> of_mipmap = host(found, wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    compare("mipmap", of_mipmap[i], 100 * std::fmin(2, std::fmax(0, wanted[i])), 0.5);
  }
  cudaFree(in);

  const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<short2>();
  std::vector<short2> box;
  for (int i = 0; i < 4 * 3 * 3; ++i) box.push_back(make_short2(i, -i));
  cudaArray_t volume = nullptr;
  CHECK(cudaMalloc3DArray(&volume, &pairs, make_cudaExtent(4, 3, 3)));
  copy = {};
  copy.srcPtr = make_cudaPitchedPtr(box.data(), 16, 4, 3);
  copy.dstArray = volume;
  copy.extent = make_cudaExtent(4, 3, 3);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  const cudaTextureObject_t of_volume = texture_of(of(volume), cudaAddressModeClamp, false, false);
  const cudaTextureObject_t gathered = texture_of(of(plane), cudaAddressModeClamp, false, false);
  short2* two = device<short2>(4);
  colors = device<float4>(4);
  volumes<<<1, 4>>>(of_volume, two, colors, gathered);
  const std::vector<short2> row = host(two, 4);
  const std::vector<float4> squares = host(colors, 4);
  for (int i = 0; i < 4; ++i) {
    compare("volume x", row[i].x, 2 * 12 + 4 + i, 0);
    compare("volume y", row[i].y, -(2 * 12 + 4 + i), 0);
    // Around (i + 1, 1) are the texels i and i + 1 of the rows 0 and 1, from the lower left one on.
    compare("gather x", squares[i].x, all[W + i], 0);
    compare("gather y", squares[i].y, all[W + i + 1], 0);
    compare("gather z", squares[i].z, all[i + 1], 0);
    compare("gather w", squares[i].w, all[i], 0);
  }

  cudaDeviceSynchronize();
  for (cudaTextureObject_t one :
       {filtered, of_layers, of_cube, normalized, of_levels, of_volume, gathered}) {
    CHECK(cudaDestroyTextureObject(one));
  }
  CHECK(cudaDestroySurfaceObject(surface));
  for (cudaArray_t one : {plane, layered, cube, written, volume}) CHECK(cudaFreeArray(one));
  CHECK(cudaFreeMipmappedArray(mipmap));
  std::printf("%d wrong\\n", wrong);
  return wrong != 0;
}
"""

FAULTY = COMMON + """
__global__ void read(cudaTextureObject_t texture, float* to) {
  to[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);
}
int main() {
  float numbers[32] = {};
  float* found = nullptr;
  cudaMalloc(&found, sizeof numbers);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &floats, 8, 4);
  const cudaTextureObject_t texture = texture_of(of(array), cudaAddressModeClamp, false, false);
BODY
  cudaDeviceSynchronize();
  cudaGetLastError();
  cudaFree(found);
  return 0;
}
"""
READ_LINE = COMMON.count("\n") + 3  # of the texture in FAULTY, and of BODY
BODY_LINE = READ_LINE + 10
FILL = "  cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice);\n"


class Textures(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_kernels_read_what_the_host_computes(self):
        code, output, report = self.exec(self.build(PROGRAM), options=["--leak-check", "full"])
        self.assertEqual((code, output), (CLEAN, "0 wrong\n"), report)
        self.assertIn("no finding", report)

    def faults(self, body, *options):
        """The findings of the program with this body: a list of (line, kind)."""
        program = self.build(FAULTY.replace("BODY", body))
        code, _, report = self.exec(program, options=options)
        self.assertEqual(code, FINDING, report)
        return re.findall(r"part0\.cu:(\d+)(?: \(from [^)]*\))?: (\w+): ", report), report

    @needs(CAN_BUILD, COMPILER)
    def test_an_array_that_nobody_has_written(self):
        found, report = self.faults("  read<<<1, 8>>>(texture, found);")
        self.assertEqual(found, [(str(READ_LINE), "uninitialized")], report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_copy_beyond_the_array(self):
        found, report = self.faults("""
  cudaMemcpy2DToArray(array, 0, 1, numbers, 32, 32, 4, cudaMemcpyHostToDevice);""")
        self.assertEqual(found, [(str(BODY_LINE + 1), "invalid_copy")], report)
        self.assertRegex(report, r"8 x 4 x 1 texels from \(0, 1, 0\) of 8 x 4 x 1, made at \S*part0\.cu:"
                                 f"{BODY_LINE - 2}")

    @needs(CAN_BUILD, COMPILER)
    def test_a_texture_that_was_destroyed(self):
        found, report = self.faults(FILL + """  cudaDestroyTextureObject(texture);
  read<<<1, 8>>>(texture, found);""")
        self.assertEqual([line for line, _ in found], [str(READ_LINE)], report)
        self.assertIn("is the handle of no texture, or it was destroyed", report)

    @needs(CAN_BUILD, COMPILER)
    def test_an_array_that_was_freed(self):
        found, report = self.faults(FILL + """  cudaFreeArray(array);
  read<<<1, 8>>>(texture, found);""")
        self.assertEqual([line for line, _ in found], [str(READ_LINE)], report)
        self.assertIn("freed", report)

    @needs(CAN_BUILD, COMPILER)
    def test_what_is_freed_while_a_kernel_uses_it(self):
        found, report = self.faults(FILL + """  read<<<1, 8>>>(texture, found);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);  // waits""")
        self.assertEqual(found, [(str(BODY_LINE + 2), "race")], report)
        self.assertIn("cudaDestroyTextureObject destroys an object", report)


if __name__ == "__main__":
    unittest.main()
