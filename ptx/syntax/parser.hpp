// The parser of PTX: what nvcc 12 and 13 and clang 14 to 19 write for kernels.
//
// The parser takes one token after the other and never goes back. Scopes may nest 64 deep, and no
// other braces nest, so neither the parser's stack nor its time depends on nesting. The parser's
// memory is proportional to the text's size, not to the sizes in the text: `.reg .b32
// %r<1000000000>` and `.b8 x[1000000000]` are stored as they are written.
//
// The parser drops what does not affect execution: comments, .pragma in front of functions, time
// and size in .file, and the sections of debug information. It keeps the section .debug_str, which
// holds the names of inlined functions. Anything else that the parser does not know is an error.
#pragma once

#include <string>
#include <string_view>

#include "syntax.hpp"

namespace bankproof::ptx {

/// The greatest depth of nested scopes.
inline constexpr int most_scopes = 64;

/// Throws Error. `file` is the text's name, for messages.
Module parse(std::string_view text, const std::string& file = "input.ptx");

}  // namespace bankproof::ptx
