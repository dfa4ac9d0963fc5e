// What the parameters of a kernel consist of, as its source names it.
//
// PTX passes a structure as bytes. Debug information has the names, places and types of its
// members: nvcc writes it with -G, and clang with -g --cuda-noopt-device-debug.
//
// Example: for `struct Matrix { float* data; int sizes[2]; }` and a parameter `a` of that type, the
// values are `a.data`, `a.sizes[0]` and `a.sizes[1]`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cuda {

/// A number or a pointer: a parameter, or a part of one.
struct ParameterValue {
  std::string name;
  std::uint64_t offset = 0;  // of its first byte in the parameter
  std::uint32_t bytes = 0;
  bool is_pointer = false;
  bool is_signed = false;      // of a pointer: whether its elements are
  bool has_known_sign = true;  // false for enumerations: DWARF 2 does not say
  bool is_float = false;
  /// The size of what a pointer points to, if debug information has it.
  std::optional<std::uint32_t> element_bytes{};
  bool has_float_elements = false;
};

struct ParameterType {
  std::string name;
  std::uint64_t bytes = 0;
  /// In the order of the declaration. Left out are bit fields, arrays of more than 64 elements, and
  /// members beyond the 1,024th.
  std::vector<ParameterValue> values;
};

/// The parameters of the kernel with this mangled name, in their order; empty if the PTX has no
/// debug information about it.
std::vector<ParameterType> parameter_types(std::string_view ptx, const std::string& kernel);

}  // namespace bankproof::cuda
