// The names and types of a kernel's parameters, as its user writes them.
//
// PTX has no names of parameters. Their types are in the mangled name of the kernel; their names
// are in its source. Without a source, parameter K is called `argK`; that name works with one, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::symbolic {

struct NamedParameter {
  std::string name;
  bool is_pointer = false;
  bool is_signed = true;  // of a whole number
  bool is_long = false;   // a whole number of 64 bits
  /// Of what a pointer points to, if that has a known size.
  std::optional<std::uint32_t> element_bytes{};
};

/// The parameters of a kernel with this mangled name, `count` of them. `source` is the text of the
/// CUDA source, or empty.
std::vector<NamedParameter> signature_of(const std::string& mangled, std::size_t count,
                                         std::string_view source);

/// "n*n", or with the size of an element: "f32:n*n", "12:n".
struct BufferSize {
  std::optional<std::uint32_t> element_bytes;
  std::string count;
};
BufferSize buffer_size(const std::string& text);

}  // namespace bankproof::symbolic
