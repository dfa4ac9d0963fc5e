// Copies and fills of the driver, compared with the same on the host.
#include <gtest/gtest.h>
// Must follow GoogleTest.
#include <rapidcheck/gtest.h>

#include <cstring>
#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using Bytes = std::vector<unsigned char>;

/// An allocation and the same bytes on the host.
struct Twin {
  explicit Twin(std::size_t count) : bytes(count) {
    for (unsigned char& byte : bytes) byte = *rc::gen::arbitrary<unsigned char>();
    RC_ASSERT(cuMemAlloc(&place, count) == CUDA_SUCCESS);
    RC_ASSERT(cuMemcpyHtoD(place, bytes.data(), count) == CUDA_SUCCESS);
  }
  ~Twin() { cuMemFree(place); }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  bool agrees() const {
    Bytes now(bytes.size());
    return cuMemcpyDtoH(now.data(), place, now.size()) == CUDA_SUCCESS && now == bytes;
  }

  Bytes bytes;
  CUdeviceptr place = 0;
};

struct Context {
  Context() {
    RC_ASSERT(cuInit(0) == CUDA_SUCCESS);
    RC_ASSERT(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
  }
  ~Context() { cuCtxDestroy(context); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  CUcontext context = nullptr;
};

/// Where a box of bytes begins in an array of planes of rows.
struct Box {
  std::size_t x, y, z, pitch, height;
  std::size_t bytes(std::size_t depth) const { return pitch * height * (z + depth); }
  std::size_t at(std::size_t column, std::size_t row, std::size_t plane) const {
    return ((z + plane) * height + y + row) * pitch + x + column;
  }
};

Box box_for(std::size_t width, std::size_t rows) {
  const auto small = [] { return *rc::gen::inRange<std::size_t>(0, 4); };
  Box box{small(), small(), small(), 0, 0};
  box.pitch = box.x + width + small();
  box.height = box.y + rows + small();
  return box;
}

RC_GTEST_PROP(DriverCopies, of_boxes_copy_what_lies_in_the_box, ()) {
  const Context context;
  const auto width = *rc::gen::inRange<std::size_t>(1, 9);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 5);
  const auto depth = *rc::gen::inRange<std::size_t>(1, 4);
  const Box in_from = box_for(width, rows);
  const Box in_to = box_for(width, rows);
  const Twin from(in_from.bytes(depth));
  Twin to(in_to.bytes(depth));
  const bool by_host = *rc::gen::arbitrary<bool>();
  CUDA_MEMCPY3D copy = {};
  copy.srcXInBytes = in_from.x;
  copy.srcY = in_from.y;
  copy.srcZ = in_from.z;
  copy.srcMemoryType = by_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy.srcHost = from.bytes.data();
  copy.srcDevice = from.place;
  copy.srcPitch = in_from.pitch;
  copy.srcHeight = in_from.height;
  copy.dstXInBytes = in_to.x;
  copy.dstY = in_to.y;
  copy.dstZ = in_to.z;
  copy.dstMemoryType = *rc::gen::element(CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_UNIFIED);
  copy.dstDevice = to.place;
  copy.dstPitch = in_to.pitch;
  copy.dstHeight = in_to.height;
  copy.WidthInBytes = width;
  copy.Height = rows;
  copy.Depth = depth;
  RC_ASSERT(cuMemcpy3D(&copy) == CUDA_SUCCESS);
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < rows; ++y) {
      std::memcpy(&to.bytes[in_to.at(0, y, z)], &from.bytes[in_from.at(0, y, z)], width);
    }
  }
  RC_ASSERT(to.agrees());
}

/// Fills rows of both twins.
template <class T, class Fill>
void check_fill(Fill fill) {
  const Context context;
  const auto width = *rc::gen::inRange<std::size_t>(1, 9);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 5);
  const std::size_t pitch = (width + *rc::gen::inRange<std::size_t>(0, 4)) * sizeof(T);
  const std::size_t begin = *rc::gen::inRange<std::size_t>(0, 4) * sizeof(T);
  const T value = *rc::gen::arbitrary<T>();
  Twin twin(begin + pitch * rows);
  RC_ASSERT(fill(twin.place + begin, pitch, value, width, rows) == CUDA_SUCCESS);
  for (std::size_t y = 0; y < rows; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      std::memcpy(&twin.bytes[begin + y * pitch + x * sizeof(T)], &value, sizeof(T));
    }
  }
  RC_ASSERT(twin.agrees());
}

RC_GTEST_PROP(DriverFills, write_words_of_each_size, ()) {
  check_fill<unsigned char>(cuMemsetD2D8);
  check_fill<unsigned short>(cuMemsetD2D16);
  check_fill<unsigned>(cuMemsetD2D32);
}

class DriverMemory : public WithContext {};

TEST_F(DriverMemory, is_filled_at_multiples_of_the_word_and_in_its_rows) {
  CUdeviceptr a = 0;
  ASSERT_EQ(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8(a, 5, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD16(a + 1, 1, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(a + 2, 1, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD2D32(a, 8, 1, 3, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(a, 1, 17), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(a, 1, ~std::size_t{0}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(bytes_at(a, 64), Each(5));
  EXPECT_EQ(cuMemFree(a), CUDA_SUCCESS);
}

TEST_F(DriverMemory, of_copies_has_a_type) {
  CUDA_MEMCPY2D copy = {};
  copy.WidthInBytes = copy.Height = 1;
  EXPECT_EQ(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  EXPECT_EQ(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuMemcpy2D(nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, answers_for_each_of_its_addresses) {
  CUdeviceptr device = 0;
  CUdeviceptr managed = 0;
  void* host = nullptr;
  ASSERT_EQ(cuMemAlloc(&device, 100), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAllocManaged(&managed, 8, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAllocHost(&host, 8), CUDA_SUCCESS);
  for (const unsigned offset : {0U, 1U, 99U}) {
    CUdeviceptr begin = 0;
    std::size_t bytes = 0;
    EXPECT_EQ(cuMemGetAddressRange(&begin, &bytes, device + offset), CUDA_SUCCESS);
    EXPECT_EQ(begin, device);
    EXPECT_EQ(bytes, 100U);
    CUdeviceptr start = 0;
    EXPECT_EQ(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + offset),
              CUDA_SUCCESS);
    EXPECT_EQ(start, device);
  }
  EXPECT_EQ(cuMemGetAddressRange(nullptr, nullptr, device + 100), CUDA_ERROR_NOT_FOUND);
  const auto attribute = [](CUpointer_attribute which, CUdeviceptr of) {
    unsigned value = 99;
    return cuPointerGetAttribute(&value, which, of) == CUDA_SUCCESS ? static_cast<int>(value) : -1;
  };
  const auto host_address = reinterpret_cast<CUdeviceptr>(host);
  const auto plain = reinterpret_cast<CUdeviceptr>(&host);
  EXPECT_EQ(attribute(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device), CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(attribute(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, host_address), CU_MEMORYTYPE_HOST);
  EXPECT_EQ(attribute(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, plain), -1);
  EXPECT_EQ(attribute(CU_POINTER_ATTRIBUTE_IS_MANAGED, device), 0);
  EXPECT_EQ(attribute(CU_POINTER_ATTRIBUTE_IS_MANAGED, managed), 1);
  EXPECT_EQ(attribute(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, managed), 0);
  CUpointer_attribute both[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  unsigned type = 99;
  CUdeviceptr pointer = 99;
  void* values[] = {&type, &pointer};
  EXPECT_EQ(cuPointerGetAttributes(2, both, values, plain), CUDA_SUCCESS);
  EXPECT_EQ(type, 0U);
  EXPECT_EQ(pointer, 0U);
  EXPECT_EQ(cuMemFree(device), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(managed), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeHost(host), CUDA_SUCCESS);
}

class PeerCopies : public WithContext {};

TEST_F(PeerCopies, between_contexts_need_contexts) {
  CUdeviceptr from = 0;
  CUdeviceptr to = 0;
  ASSERT_EQ(cuMemAlloc(&from, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&to, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8(from, 7, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyPeer(to, context_, from, context_, 4), CUDA_SUCCESS);
  EXPECT_THAT(bytes_at(to, 4), Each(7));
  EXPECT_EQ(cuMemcpyPeerAsync(to, context_, from, context_, 4, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyPeer(to, nullptr, from, context_, 4), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemcpyPeerAsync(to, context_, from, nullptr, 4, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemsetD2D8(to, 1, 0, 0, ~std::size_t{0}), CUDA_SUCCESS);  // nothing
  EXPECT_EQ(cuMemFree(from), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(to), CUDA_SUCCESS);
}

}  // namespace
}  // namespace bankproof::cuda::tests
