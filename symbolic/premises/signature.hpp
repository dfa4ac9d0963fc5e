// The names and types of a kernel's parameters, as its user writes them.
//
// PTX has no names of parameters. Their types are in the mangled name of the kernel; their names
// are in its source. Without a source, parameter K is called `argK`; that name works with one, too.
// The members of structures are in debug information (cuda/types).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../cuda/types/parameter_types.hpp"
#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

struct NamedParameter {
  std::string name;
  bool is_pointer = false;
  bool is_signed = true;  // of a whole number, or of those that a pointer points to
  bool has_known_sign = true;
  /// The size of what a pointer points to, if the name of its type tells it.
  std::optional<std::uint32_t> element_bytes{};
  bool has_float_elements = false;
};

/// The parameters of a kernel with this mangled name, `count` of them. `source` is the text of the
/// CUDA source, or empty. If it declares several such kernels with different names of parameters,
/// only debug information tells which of them is meant: `types`, or empty.
std::vector<NamedParameter> signature_of(const std::string& mangled, std::size_t count,
                                         std::string_view source,
                                         const std::vector<cuda::ParameterType>& types = {});

/// Whether the source declares several kernels of this name with so many parameters.
bool has_several_declarations(const std::string& mangled, std::size_t count,
                              std::string_view source);

/// A number or a pointer that a launch passes: a parameter, or a member of one.
struct NamedValue {
  std::string name;          // "n", "matrix.rows"
  std::string numbered;      // "arg2", "arg0.rows"
  std::size_t index = 0;     // of the parameter
  std::uint64_t offset = 0;  // of its first byte in the parameter
  std::uint32_t bytes = 0;   // 0: a structure whose members are not known
  bool is_member = false;
  bool is_pointer = false;
  bool is_signed = true;  // of a pointer, its elements
  bool has_known_sign = true;
  bool is_float = false;
  std::optional<std::uint32_t> element_bytes{};  // of a pointer
  bool has_float_elements = false;

  bool is_number() const { return bytes != 0 && !is_pointer && !is_float; }
};

/// What the parameters consist of, in their order. `types` has those of the debug information, or
/// is empty.
std::vector<NamedValue> values_of(const ptx::Function& kernel,
                                  const std::vector<NamedParameter>& parameters,
                                  const std::vector<cuda::ParameterType>& types = {});

/// "n*n", or with the size of an element: "f32:n*n", "12:n".
struct BufferSize {
  std::optional<std::uint32_t> element_bytes;
  std::string count;
  /// Of a type that is stated: "f32".
  bool has_type = false;
  bool has_signed_elements = false;
  bool has_float_elements = false;
};
BufferSize buffer_size(const std::string& text);

}  // namespace bankproof::symbolic
