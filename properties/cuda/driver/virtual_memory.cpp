// Virtual memory management: reserved addresses, and the memory that is mapped there.
#include <array>
#include <cstdint>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t grain = std::size_t{1} << 21U;

/// The first kernel adds 1 to a number, the second copies one.
constexpr const char* kernels = R"(
.version 7.5
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 at) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [at];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry copy(.param .u64 to, .param .u64 from) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.global.u32 %r1, [%rd2];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

class VirtualMemory : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, kernels), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAddressReserve(&range_, 4 * grain, 0, 0, 0), CUDA_SUCCESS);
    look_at_errors();
  }
  void TearDown() override {
    cuModuleUnload(module_);
    WithContext::TearDown();
  }
  static CUmemAllocationProp properties() {
    CUmemAllocationProp of = {};
    of.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    of.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    return of;
  }
  static CUmemGenericAllocationHandle memory(std::size_t bytes = grain) {
    CUmemGenericAllocationHandle handle = 0;
    const CUmemAllocationProp of = properties();
    EXPECT_EQ(cuMemCreate(&handle, bytes, &of, 0), CUDA_SUCCESS);
    return handle;
  }
  static CUresult allow(CUdeviceptr at, CUmemAccess_flags flags, std::size_t bytes = grain) {
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
    return cuMemSetAccess(at, bytes, &access, 1);
  }
  /// Maps memory that nobody else knows, with full access.
  static void map(CUdeviceptr at) {
    const auto handle = memory();
    EXPECT_EQ(cuMemMap(at, grain, 0, handle, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    EXPECT_EQ(allow(at, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
  }
  CUresult launch(const char* name, std::array<CUdeviceptr, 2> at) {
    CUfunction kernel = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&kernel, module_, name), CUDA_SUCCESS);
    void* arguments[] = {at.data(), &at[1]};
    return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  }
  static std::uint32_t number_at(CUdeviceptr at) {
    std::uint32_t number = 0;
    EXPECT_EQ(cuMemcpyDtoH(&number, at, sizeof number), CUDA_SUCCESS);
    return number;
  }
  static std::vector<std::string> take_messages() {
    std::vector<std::string> messages;
    for (const ptx::FaultReport& fault : take_findings()) messages.push_back(fault.message);
    return messages;
  }

  CUmodule module_ = nullptr;
  CUdeviceptr range_ = 0;
};

TEST_F(VirtualMemory, grows_and_keeps_its_contents) {
  map(range_);
  EXPECT_EQ(cuMemsetD32(range_, 7, grain / 4), CUDA_SUCCESS);
  map(range_ + grain);
  EXPECT_EQ(cuMemsetD32(range_ + grain, 8, grain / 4), CUDA_SUCCESS);
  EXPECT_EQ(launch("increment", {range_ + grain - 4}), CUDA_SUCCESS);
  EXPECT_EQ(launch("increment", {range_ + grain}), CUDA_SUCCESS);
  EXPECT_EQ(number_at(range_ + grain - 4), 8U);
  EXPECT_EQ(number_at(range_ + grain), 9U);
  // A copy may span two mappings.
  EXPECT_EQ(bytes_at(range_ + grain - 4, 8), (std::vector<unsigned char>{8, 0, 0, 0, 9, 0, 0, 0}));
  EXPECT_THAT(take_messages(), IsEmpty());
  EXPECT_EQ(cuMemUnmap(range_, 2 * grain), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(range_, 4 * grain), CUDA_SUCCESS);
  EXPECT_THAT(take_messages(), IsEmpty());
}

TEST_F(VirtualMemory, moves_to_other_addresses) {
  const auto handle = memory();
  EXPECT_EQ(cuMemMap(range_, grain, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(allow(range_, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32(range_ + 16, 41, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuMemUnmap(range_, grain), CUDA_SUCCESS);
  map(range_);
  EXPECT_EQ(cuMemMap(range_ + grain, grain, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(allow(range_ + grain, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
  EXPECT_EQ(launch("increment", {range_ + grain + 16}), CUDA_SUCCESS);
  EXPECT_EQ(number_at(range_ + grain + 16), 42U);
  EXPECT_THAT(take_messages(), IsEmpty());
  // The memory that is mapped there now is new, so nobody has written it.
  EXPECT_EQ(launch("increment", {range_ + 16}), CUDA_SUCCESS);
  const auto launches = take_launches();
  ASSERT_EQ(launches.back().faults.size(), 1U);
  EXPECT_EQ(launches.back().faults.front().kind, ptx::FaultKind::uninitialized);
}

TEST_F(VirtualMemory, is_out_of_bounds_where_nothing_is_mapped) {
  map(range_ + grain);
  EXPECT_EQ(cuMemsetD32(range_ + grain, 8, grain / 4), CUDA_SUCCESS);
  map(range_);
  EXPECT_EQ(cuMemsetD32(range_, 7, grain / 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemUnmap(range_, grain), CUDA_SUCCESS);
  EXPECT_EQ(number_at(range_ + grain), 8U);
  EXPECT_THAT(take_messages(), IsEmpty());
  launch("copy", {range_ + 64, range_ + grain});
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("where no memory is mapped")));
  std::uint32_t number = 0;
  EXPECT_NE(cuMemcpyDtoH(&number, range_ + grain - 4, sizeof number), CUDA_SUCCESS);
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("not all have memory")));
  // Behind the last mapping, too.
  launch("increment", {range_ + 2 * grain});
  const auto launches = take_launches();
  ASSERT_EQ(launches.back().faults.size(), 2U);  // the load and the store
  EXPECT_EQ(launches.back().faults.front().kind, ptx::FaultKind::out_of_bounds);
}

TEST_F(VirtualMemory, is_accessed_as_the_program_allows) {
  CUdeviceptr out = 0;
  EXPECT_EQ(cuMemAlloc(&out, 4), CUDA_SUCCESS);
  map(range_);
  EXPECT_EQ(cuMemsetD32(range_, 7, grain / 4), CUDA_SUCCESS);
  EXPECT_EQ(allow(range_, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_SUCCESS);
  unsigned long long flags = 0;
  const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  EXPECT_EQ(cuMemGetAccess(&flags, &device, range_ + 5), CUDA_SUCCESS);
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READ);
  launch("copy", {out, range_});
  EXPECT_EQ(number_at(out), 7U);
  EXPECT_THAT(take_messages(), IsEmpty());
  launch("increment", {range_});
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("device 0 may only read")));
  EXPECT_EQ(allow(range_, CU_MEM_ACCESS_FLAGS_PROT_NONE), CUDA_SUCCESS);
  launch("copy", {out, range_});
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("cuMemSetAccess was not called")));
  cuMemFree(out);
}

TEST_F(VirtualMemory, has_handles_that_are_counted) {
  map(range_);  // has released its handle
  CUmemGenericAllocationHandle handle = 0;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine.
  EXPECT_EQ(cuMemRetainAllocationHandle(&handle, reinterpret_cast<void*>(range_ + 9)),
            CUDA_SUCCESS);
  CUmemAllocationProp of = {};
  EXPECT_EQ(cuMemGetAllocationPropertiesFromHandle(&of, handle), CUDA_SUCCESS);
  EXPECT_EQ(of.type, CU_MEM_ALLOCATION_TYPE_PINNED);
  EXPECT_EQ(cuMemUnmap(range_, grain), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(range_, grain, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(VirtualMemory, refuses_what_cuda_refuses) {
  CUdeviceptr at = 0;
  EXPECT_EQ(cuMemAddressReserve(&at, grain + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressReserve(&at, grain, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressReserve(&at, grain, 0, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressReserve(&at, grain << 20U, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemAddressFree(range_, grain), CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle handle = 0;
  CUmemAllocationProp of = properties();
  EXPECT_EQ(cuMemCreate(&handle, 4096, &of, 0), CUDA_ERROR_INVALID_VALUE);
  of.location.id = 9;
  EXPECT_EQ(cuMemCreate(&handle, grain, &of, 0), CUDA_ERROR_INVALID_DEVICE);
  of.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
  EXPECT_EQ(cuMemCreate(&handle, grain, &of, 0), CUDA_ERROR_NOT_SUPPORTED);
  handle = memory();
  EXPECT_EQ(cuMemMap(range_, 2 * grain, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(range_, grain, grain, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(range_ + 4 * grain, grain, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(range_ + 64, grain, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(range_, grain, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemMap(range_ + grain, grain, 0, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuMemMap(range_, grain, 0, memory(), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(allow(range_, CU_MEM_ACCESS_FLAGS_PROT_READ, 2 * grain), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(range_, grain / 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(range_ + grain, grain), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressFree(range_, 4 * grain), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree(range_), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace bankproof::cuda::tests
