// Random launches of the examples, as both compilers have compiled them: no claim that
// cli/tests/prove_kernel_test.py proves of them has a fault on the machine.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../../../testing/property.hpp"
#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Launches of one kernel in a session of its own.
class Launching {
 public:
  Launching(const std::string& compiler, const std::string& file, std::string kernel)
      : kernel_(std::move(kernel)) {
    const auto path =
        std::filesystem::path(BANKPROOF_SOURCE) / "properties/golden" / compiler / (file + ".ptx");
    file_ = std::make_shared<const cuda::KernelFile>(
        cuda::KernelFile{.module = ptx::parse(text_of_file(path), file + ".ptx"), .source = ""});
  }

  Launching& buffer(std::uint64_t bytes) {
    // A buffer has a byte at least.
    std::vector<std::byte> contents(std::max<std::uint64_t>(bytes, 1));
    for (std::size_t k = 0; k < contents.size(); ++k) contents[k] = static_cast<std::byte>(k % 7);
    return value(cuda::Session::address(session_.add_buffer("b", std::move(contents))));
  }
  template <class T>
  Launching& value(T number) {
    cuda::ArgumentBytes made{std::vector<std::byte>(sizeof(T)), "?"};
    std::memcpy(made.bytes.data(), &number, sizeof(T));
    arguments_.push_back(std::move(made));
    return *this;
  }
  ptx::KernelReport launch(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block) {
    ptx::LaunchShape shape;
    std::copy(grid.begin(), grid.end(), shape.grid.begin());
    std::copy(block.begin(), block.end(), shape.block.begin());
    return session_.launch(file_, kernel_, shape, arguments_);
  }

 private:
  static std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  cuda::Session session_;
  cuda::SharedKernelFile file_;
  std::string kernel_;
  std::vector<cuda::ArgumentBytes> arguments_;
};

std::uint32_t between(std::uint32_t first, std::uint32_t last) {
  return *rc::gen::inRange<std::uint32_t>(first, last + 1);
}

void has_no_fault(const std::string& compiler) {
  const std::uint32_t n = between(0, 700);
  const std::uint32_t tiles = between(1, 3);
  for (const char* const kernel : {"_Z16transpose_paddedPKfPfi", "_Z18transpose_swizzledPKfPfi"}) {
    const std::uint32_t side = 32 * tiles;
    const auto report = Launching(compiler, "transpose", kernel)
                            .buffer(std::uint64_t{4} * side * side)
                            .buffer(std::uint64_t{4} * side * side)
                            .value(side)
                            .launch({tiles, tiles, 1}, {32, 8, 1});
    RC_ASSERT(report.faults.empty());
    RC_ASSERT(report.totals.wavefronts == report.totals.ideal_wavefronts);
  }
  const std::uint32_t warps = between(1, 8);
  const std::array<std::uint32_t, 3> grid{between(1, 4), 1, 1};
  RC_ASSERT(Launching(compiler, "reduction", "_Z9reductionIiEvPKT_PS0_i")
                .buffer(std::uint64_t{4} * n)
                .buffer(4)
                .value(n)
                .launch(grid, {32 * warps, 1, 1})
                .faults.empty());
  RC_ASSERT(Launching(compiler, "histogram", "_Z9histogramPKhPji")
                .buffer(n)
                .buffer(1024)
                .value(n)
                .launch(grid, {32 * warps, 1, 1})
                .faults.empty());
  const std::uint32_t columns = between(1, 90);
  const std::uint32_t rows = between(1, 30);
  RC_ASSERT(Launching(compiler, "stencil", "_Z7stencilPKfPfii")
                .buffer(std::uint64_t{4} * columns * rows)
                .buffer(std::uint64_t{4} * columns * rows)
                .value(columns)
                .value(rows)
                .launch({(columns + 31) / 32, (rows + 7) / 8, 1}, {32, 8, 1})
                .faults.empty());
}

BANKPROOF_PROPERTY(LaunchesOfExamples, by_clang_have_no_fault, ()) { has_no_fault("clang"); }
BANKPROOF_PROPERTY(LaunchesOfExamples, by_nvcc_have_no_fault, ()) { has_no_fault("nvcc"); }

// A planted bug: a transpose whose grid is too high writes outside of its matrix.
TEST(LaunchesOfExamples, are_looked_at) {
  const auto report = Launching("clang", "transpose", "_Z16transpose_paddedPKfPfi")
                          .buffer(4096)
                          .buffer(4096)
                          .value(std::uint32_t{32})
                          .launch({1, 2, 1}, {32, 8, 1});
  EXPECT_FALSE(report.faults.empty());
}

}  // namespace
}  // namespace bankproof::symbolic
