// The source line of an instruction, and the inlined calls that lead to it.
//
// A .loc holds for the instructions behind it. In inlined code nvcc adds the function and the place
// of its call, but no further link: if the call itself was inlined, its chain continues at the last
// .loc before it that names this place (PTX ISA, ".loc"). If two copies of a call were interleaved,
// the chain could be that of the other copy; its lines would be the same. clang writes no calls, so
// that its chains have one link.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// A place in the source: in the function that was compiled, or in a function inlined into it.
struct SourcePosition {
  SourcePoint at;                     // line 0: compiler-made code that belongs to no line
  std::string function;               // mangled, if the compiler names it; else empty
  std::optional<std::size_t> caller;  // in inlined code: the position of the call
};

/// The positions of a function, each once.
struct Lines {
  std::vector<SourcePosition> positions;
  // For each statement of the body its position; nothing before the first .loc.
  std::vector<std::optional<std::size_t>> of_statement;
};

Lines lines_of(const Module& module, const Function& function);

/// The position and the calls that led to it, innermost first, without links of line 0.
std::vector<SourcePosition> chain(const Lines& lines, std::size_t position);

/// The line of `file` that a position counts for: the innermost link of its chain in that file. So
/// the code of a header counts for the line that calls it.
std::optional<SourcePoint> rolled_up(const Lines& lines, std::size_t position, std::uint32_t file);

/// The name of the .file with this number; empty if the module has no such .file.
std::string_view file_name(const Module& module, std::uint32_t number);

}  // namespace bankproof::ptx
