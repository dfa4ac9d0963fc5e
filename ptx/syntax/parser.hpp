// The parser of PTX: what nvcc 12 and 13 and clang 14 to 19 write for kernels.
//
// It takes one token after the other and never goes back; scopes may nest 64 deep, and braces
// nowhere else, so that neither its stack nor its time depends on nesting. Its memory is at most a
// constant times the text: `.reg .b32 %r<1000000000>` and `.b8 x[1000000000]` stay as short as they
// are written.
//
// Left out on purpose, since they mean nothing to a machine: comments, .pragma in front of
// functions, time and size in .file, and the sections of debug information but .debug_str, in which
// are the names of inlined functions. Everything else that is not known is an error.
#pragma once

#include <string>
#include <string_view>

#include "syntax.hpp"

namespace bankproof::ptx {

/// How deep scopes may nest.
inline constexpr int most_scopes = 64;

/// Throws Error. `file` is the text's name, for messages.
Module parse(std::string_view text, const std::string& file = "input.ptx");

}  // namespace bankproof::ptx
