// See texel_formats.hpp.
#include "texel_formats.hpp"

#include <array>
#include <iterator>

namespace bankproof::cuda::driver {

namespace {

struct FormatRow {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr FormatRow format_rows[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_UNORM_INT8X1, 8, cudaChannelFormatKindUnsignedNormalized8X1},
    {CU_AD_FORMAT_UNORM_INT8X2, 8, cudaChannelFormatKindUnsignedNormalized8X2},
    {CU_AD_FORMAT_UNORM_INT8X4, 8, cudaChannelFormatKindUnsignedNormalized8X4},
    {CU_AD_FORMAT_UNORM_INT16X1, 16, cudaChannelFormatKindUnsignedNormalized16X1},
    {CU_AD_FORMAT_UNORM_INT16X2, 16, cudaChannelFormatKindUnsignedNormalized16X2},
    {CU_AD_FORMAT_UNORM_INT16X4, 16, cudaChannelFormatKindUnsignedNormalized16X4},
    {CU_AD_FORMAT_SNORM_INT8X1, 8, cudaChannelFormatKindSignedNormalized8X1},
    {CU_AD_FORMAT_SNORM_INT8X2, 8, cudaChannelFormatKindSignedNormalized8X2},
    {CU_AD_FORMAT_SNORM_INT8X4, 8, cudaChannelFormatKindSignedNormalized8X4},
    {CU_AD_FORMAT_SNORM_INT16X1, 16, cudaChannelFormatKindSignedNormalized16X1},
    {CU_AD_FORMAT_SNORM_INT16X2, 16, cudaChannelFormatKindSignedNormalized16X2},
    {CU_AD_FORMAT_SNORM_INT16X4, 16, cudaChannelFormatKindSignedNormalized16X4},
};

}  // namespace

cudaChannelFormatDesc channels_of(const DriverFormat& of) {
  cudaChannelFormatDesc channels = {};
  channels.f = cudaChannelFormatKindNone;
  for (const FormatRow& row : format_rows) {
    if (row.format != of.format || of.channels > 4) continue;
    const std::array<int*, 4> bits{&channels.x, &channels.y, &channels.z, &channels.w};
    for (unsigned k = 0; k < of.channels; ++k) *bits.at(k) = row.bits;
    channels.f = row.kind;
  }
  return channels;
}

DriverFormat format_of(const cudaChannelFormatDesc& channels) {
  DriverFormat format;
  for (const int bits : {channels.x, channels.y, channels.z, channels.w}) {
    format.channels += bits != 0 ? 1U : 0U;
  }
  for (const FormatRow& row : format_rows) {
    if (row.kind == channels.f && row.bits == channels.x) format.format = row.format;
  }
  return format;
}

}  // namespace bankproof::cuda::driver
