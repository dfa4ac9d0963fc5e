// Instructions on textures and surfaces: what they read and write, and which faults they have.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "../kernel_run.hpp"

namespace bankproof::ptx {
namespace {

const std::string head = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 object)
{
.reg .pred %p<3>;
.reg .b16 %h<5>;
.reg .b32 %r<12>;
.reg .f32 %f<12>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [object];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd3, %rd1, %rd3;
cvt.rn.f32.u32 %f1, %r1;
)";

constexpr Channels floats{.kind = Channels::Kind::real, .bits = {32, 0, 0, 0}};

/// A launch of 32 threads with an image of width × height numbers: texel (x, y) is x + 100 y.
class Images : public ::testing::Test {
 protected:
  static constexpr std::uint32_t width = 8;
  static constexpr std::uint32_t height = 4;

  /// `defined`: the texels were written.
  void start(const std::string& body, bool defined = true) {
    run_.emplace(head + body + "ret;\n}\n", "k");
    out_ = run_->buffer(std::vector<float>(32));
    GlobalMemory& memory = run_->memory();
    texels_ = memory.add_buffer("array", width * height * sizeof(float), defined);
    image_ = {.buffer = texels_,
              .channels = floats,
              .width = width,
              .height = height,
              .row_bytes = width * sizeof(float),
              .slice_bytes = width * height * sizeof(float)};
    if (!defined) return;
    auto* const data = reinterpret_cast<float*>(memory.data(texels_).data());
    for (std::uint32_t y = 0; y < height; ++y) {
      for (std::uint32_t x = 0; x < width; ++x) {
        data[y * width + x] = static_cast<float>(x + 100 * y);
      }
    }
  }
  std::vector<float> results(std::uint64_t handle, std::uint32_t threads = 32) {
    run_->value(handle);
    run_->launch({1, 1, 1}, {threads, 1, 1});
    return run_->data<float>(out_);
  }
  std::uint64_t texture(const Sampling& sampling) {
    return run_->memory().images().add(TextureObject{{image_}, sampling});
  }
  std::uint64_t surface() { return run_->memory().images().add(SurfaceObject{image_}); }

  std::optional<KernelRun> run_;
  std::uint32_t out_ = 0;
  std::uint32_t texels_ = 0;
  Image image_;
};

Sampling clamped(bool linear) {
  Sampling sampling{.linear = linear};
  sampling.address.fill(AddressMode::clamp);
  return sampling;
}

TEST_F(Images, are_sampled_by_each_lane) {
  start(
      "mov.f32 %f2, 0f40200000;\n"  // 2.5
      "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd2, {%f1, %f2}];\nst.global.f32 [%rd3], %f4;\n");
  const std::vector<float> out = results(texture(clamped(false)));
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], static_cast<float>(200 + std::min(lane, width - 1))) << lane;
  }
  EXPECT_TRUE(run_->faults().empty());
  // Only the store is counted.
  std::uint64_t counted = 0;
  for (const auto& [site, counts] : run_->result().counts) counted += counts.accesses;
  EXPECT_EQ(counted, 1U);
}

TEST_F(Images, are_filtered) {
  start(
      "mul.f32 %f2, %f1, 0f3f000000;\nmov.f32 %f3, 0f3f800000;\n"  // lane / 2, 1
      "tex.2d.v4.f32.f32 {%f4, _, _, _}, [%rd2, {%f2, %f3}];\nst.global.f32 [%rd3], %f4;\n");
  const std::vector<float> out = results(texture(clamped(true)));
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const float x = std::clamp(static_cast<float>(lane) / 2 - 0.5F, 0.0F, 7.0F);
    EXPECT_EQ(out[lane], 50 + x) << lane;  // half of row 0, half of row 1
  }
}

TEST_F(Images, are_read_by_number) {
  start(
      "mov.u32 %r2, 3;\ntex.2d.v4.f32.s32 {%f4, _, _, _}, [%rd2, {%r1, %r2}];\n"
      "st.global.f32 [%rd3], %f4;\n");
  const std::vector<float> out = results(texture(clamped(false)));
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], lane < width ? static_cast<float>(300 + lane) : 0) << lane;
  }
  EXPECT_TRUE(run_->faults().empty());
}

TEST_F(Images, are_gathered_counterclockwise) {
  start(
      "mov.f32 %f2, 0f40000000;\n"
      "tld4.r.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd2, {%f2, %f2}];\n"
      "setp.eq.u32 %p1, %r1, 1;\n@%p1 mov.f32 %f4, %f5;\nsetp.eq.u32 %p1, %r1, 2;\n"
      "@%p1 mov.f32 %f4, %f6;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 mov.f32 %f4, %f7;\n"
      "st.global.f32 [%rd3], %f4;\n");
  const std::vector<float> out = results(texture(clamped(true)), 4);
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4),
            (std::vector<float>{201, 202, 102, 101}));
}

TEST_F(Images, of_several_objects_serve_one_instruction) {
  start(
      "and.b32 %r2, %r1, 1;\ncvt.u64.u32 %rd4, %r2;\nadd.s64 %rd2, %rd2, %rd4;\n"
      "mov.f32 %f2, 0f00000000;\ntex.2d.v4.f32.f32 {%f4, _, _, _}, [%rd2, {%f1, %f2}];\n"
      "st.global.f32 [%rd3], %f4;\n");
  const std::uint64_t first = texture(clamped(false));
  Sampling border;
  border.address.fill(AddressMode::border);
  border.border = {-5, 0, 0, 0};
  EXPECT_EQ(texture(border), first + 1);
  const std::vector<float> out = results(first);
  EXPECT_EQ(out[6], 6);
  EXPECT_EQ(out[7], 7);
  EXPECT_EQ(out[30], 7);
  EXPECT_EQ(out[31], -5);
}

TEST_F(Images, of_which_a_texel_was_not_written_are_told) {
  start(
      "mov.f32 %f2, 0f00000000;\ntex.2d.v4.f32.f32 {%f4, _, _, _}, [%rd2, {%f1, %f2}];\n"
      "st.global.f32 [%rd3], %f4;\n",
      false);
  results(texture(clamped(false)), 8);
  EXPECT_EQ(run_->faults(), std::vector{FaultKind::uninitialized});
}

TEST_F(Images, that_do_not_exist_end_the_launch) {
  start(
      "mov.f32 %f2, 0f00000000;\ntex.2d.v4.f32.f32 {%f4, _, _, _}, [%rd2, {%f1, %f2}];\n"
      "st.global.f32 [%rd3], %f4;\n");
  const std::uint64_t handle = texture(clamped(false));
  EXPECT_TRUE(run_->memory().images().remove_texture(handle));
  EXPECT_FALSE(run_->memory().images().remove_texture(handle));
  results(handle);
  EXPECT_EQ(run_->faults(), std::vector{FaultKind::trap});
}

TEST_F(Images, are_written_as_surfaces) {
  start(
      "shl.b32 %r2, %r1, 2;\nmov.u32 %r3, 1;\nadd.u32 %r4, %r1, 7;\ncvt.rn.f32.u32 %f4, %r4;\n"
      "mov.b32 %r5, %f4;\nsust.b.2d.b32.trap [%rd2, {%r2, %r3}], {%r5};\n"
      "suld.b.2d.b32.trap {%r6}, [%rd2, {%r2, %r3}];\nst.global.u32 [%rd3], %r6;\n",
      false);
  const std::vector<float> out = results(surface(), 8);
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(out[lane], static_cast<float>(lane + 7));
    EXPECT_EQ(run_->data<float>(texels_)[width + lane], static_cast<float>(lane + 7));
  }
  EXPECT_TRUE(run_->faults().empty());
}

TEST_F(Images, are_left_by_surfaces_as_the_instruction_says) {
  for (const std::string mode : {"trap", "clamp", "zero"}) {
    start(
        "shl.b32 %r2, %r1, 2;\nmov.u32 %r3, 2;\n"
        "suld.b.2d.b32." +
        mode + " {%r6}, [%rd2, {%r2, %r3}];\nst.global.u32 [%rd3], %r6;\n");
    const std::vector<float> out = results(surface(), 16);
    EXPECT_EQ(out[7], 207);
    EXPECT_EQ(out[8], mode == "clamp" ? 207 : 0);
    const std::vector<FaultKind> faults = run_->faults();
    EXPECT_EQ(faults.size(), mode == "trap" ? 1U : 0U);
    for (const FaultKind fault : faults) EXPECT_EQ(fault, FaultKind::out_of_bounds);
  }
}

TEST_F(Images, race_as_other_memory_does) {
  start("mov.u32 %r2, 0;\nsust.b.2d.b32.trap [%rd2, {%r2, %r2}], {%r1};\n");
  results(surface(), 64);
  const std::vector<FaultKind> faults = run_->faults();
  EXPECT_NE(std::find(faults.begin(), faults.end(), FaultKind::race), faults.end());
}

TEST_F(Images, have_levels) {
  start(
      "mul.f32 %f2, %f1, 0f3e800000;\nmov.f32 %f3, 0f3f000000;\n"  // lane / 4, 0.5
      "tex.level.2d.v4.f32.f32 {%f4, _, _, _}, [%rd2, {%f3, %f3}], %f2;\n"
      "st.global.f32 [%rd3], %f4;\n");
  // The second level is the last row: 300.
  Image second = image_;
  second.begin = 3 * image_.row_bytes;
  second.width = second.height = 1;
  Sampling sampling = clamped(false);
  sampling.normalized_coordinates = true;
  sampling.most_level = 9;
  sampling.linear_between_levels = true;
  const std::vector<float> out =
      results(run_->memory().images().add(TextureObject{{image_, second}, sampling}), 8);
  const float first = 204;  // the texel in the middle
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    const float part = std::min(static_cast<float>(lane) / 4, 1.0F);
    EXPECT_FLOAT_EQ(out[lane], first + part * (300 - first)) << lane;
  }
}

}  // namespace
}  // namespace bankproof::ptx
