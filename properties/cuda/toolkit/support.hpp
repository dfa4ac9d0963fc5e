// Helpers of the tests of the CUDA toolkit's libraries: kernels compiled for compute_80, and
// values.
#pragma once

#include <cxxabi.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "../../../cuda/session/kernel.hpp"
#include "../../../testing/property.hpp"
#include "kernels/operators.hpp"

namespace bankproof::testing {

/// The file kernels/NAME.cu, compiled once per program by "nvcc", or by "clang" with bankproof's
/// own headers. Empty if there is no such compiler, or no CUDA C++ library (CUB and libcu++, which
/// come with nvcc). In that case the function prints a message to standard error.
inline const std::optional<Kernel>& toolkit_kernels(const std::string& name,
                                                    const std::string& compiler) {
  static std::map<std::pair<std::string, std::string>, std::optional<Kernel>> files;
  if (const auto known = files.find({name, compiler}); known != files.end()) return known->second;
  const std::string cub = BANKPROOF_CUB;
  const bool by_clang = compiler == "clang";
  const bool is_there = !(by_clang ? cuda::find_clangs() : cuda::find_nvcc()).empty();
  std::optional<Kernel> kernels;
  if (cub.empty() || !is_there) {
    std::cerr << "\n*** " << name << " IS NOT TRIED: THERE IS NO "
              << (cub.empty() ? "CUB BESIDE AN NVCC"
                  : by_clang  ? "CLANG THAT MAKES PTX"
                              : "NVCC")
              << " ***\n\n";
  } else {
    cuda::CompileOptions options{compiler, {}, ""};
    if (by_clang) options.flags = {"-isystem", cub};
    kernels.emplace(
        std::string(BANKPROOF_SOURCE) + "/properties/cuda/toolkit/kernels/" + name + ".cu", "",
        options);
  }
  return files[{name, compiler}] = std::move(kernels);
}

/// Tests of the kernels of one file, with each compiler; skips if there are no such kernels.
class ToolkitTest : public ::testing::TestWithParam<const char*> {
 protected:
  explicit ToolkitTest(std::string name) : name_(std::move(name)) {}

  void SetUp() override {
    if (!toolkit_kernels(name_, GetParam())) {
      GTEST_SKIP() << "the compiler or a library of CUDA C++ is missing";
    }
  }
  const Kernel& kernels() const { return toolkit_kernels(name_, GetParam()).value(); }

 private:
  std::string name_;
};
inline auto toolkit_compilers() { return ::testing::Values("nvcc", "clang"); }

/// The name of the type as in names of kernels: "Affine<unsigned int>".
template <class T>
std::string type_name() {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, nullptr), &std::free);
  return text.get();
}

/// Any value; for floating types a small whole number, so that sums are exact in any order.
template <class T>
struct AnyValue {
  static rc::Gen<T> make() {
    if constexpr (std::is_floating_point_v<T>) {
      return rc::gen::cast<T>(rc::gen::resize(100, rc::gen::inRange(-512, 512)));
    } else {
      return rc::gen::resize(100, rc::gen::arbitrary<T>());
    }
  }
};
template <class Number>
struct AnyValue<Affine<Number>> {
  static rc::Gen<Affine<Number>> make() {
    return rc::gen::build<Affine<Number>>(
        rc::gen::set(&Affine<Number>::factor, AnyValue<Number>::make()),
        rc::gen::set(&Affine<Number>::added, AnyValue<Number>::make()));
  }
};

/// `size` values, drawn from a few values of RapidCheck; this keeps large arrays fast.
template <class T>
std::vector<T> values(std::size_t size) {
  const auto some = *rc::gen::container<std::vector<T>>(31, AnyValue<T>::make());
  std::vector<T> result;
  result.reserve(size);
  std::uint64_t state = size;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    result.push_back(some[(state >> 33U) % some.size()]);
  }
  return result;
}

/// A number of items: 0, 1, about a multiple of the tile, or any number up to `most_tiles` tiles.
inline rc::Gen<std::size_t> any_size(std::size_t tile, std::size_t most_tiles) {
  const auto about = rc::gen::map(
      rc::gen::pair(rc::gen::resize(100, rc::gen::inRange<std::size_t>(1, most_tiles + 1)),
                    rc::gen::inRange<std::size_t>(0, 3)),
      [tile](const auto& drawn) { return drawn.first * tile + drawn.second - 1; });
  return rc::gen::oneOf(
      rc::gen::element<std::size_t>(0, 1, tile - 1, tile, tile + 1), about,
      rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, most_tiles * tile + 1)));
}

/// Throws if the launch faults. Uninitialized reads in the files `readers` do not count as faults.
inline void require_no_fault(const KernelReport& report,
                             const std::set<std::string>& readers = {}) {
  for (const ptx::FaultReport& fault : report.faults) {
    const std::string& file = fault.chain.empty() ? fault.at.file : fault.chain.front().file;
    if (fault.kind != ptx::FaultKind::uninitialized ||
        readers.count(std::filesystem::path(file).filename().string()) == 0) {
      throw std::runtime_error(ptx::as_text(report));
    }
  }
}

/// Fails the case at the first different element.
template <class T>
void require_equal(const std::vector<T>& found, const std::vector<T>& expected) {
  RC_ASSERT(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!(found[i] == expected[i])) RC_FAIL("element " + std::to_string(i) + " is wrong");
  }
}

}  // namespace bankproof::testing
