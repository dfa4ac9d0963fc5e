// The source line of an instruction, and the inlined calls that lead to it.
//
// A .loc applies to the instructions after it. In inlined code nvcc adds the function and the place
// of its call, but no further link: if that call was itself inlined, the chain continues at the
// last earlier .loc that names the place of the call (PTX ISA, ".loc"). If the compiler has
// interleaved two copies of a call, the chain may be that of the other copy; its lines are the
// same. clang writes no calls, so its chains have one link.
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

/// The positions in a function, each once.
struct Lines {
  std::vector<SourcePosition> positions;
  // The position of each statement of the body; empty before the first .loc.
  std::vector<std::optional<std::size_t>> of_statement;
};

Lines lines_of(const Module& module, const Function& function);

/// The position and the calls that lead to it, innermost first. Links of line 0 are left out.
std::vector<SourcePosition> chain(const Lines& lines, std::size_t position);

/// The line of `file` to which a position is attributed: the innermost link of the position's chain
/// in `file`. So code of a header is attributed to the line that calls it.
std::optional<SourcePoint> rolled_up(const Lines& lines, std::size_t position, std::uint32_t file);

/// The name of the .file with this number; empty if the module has no such .file.
std::string_view file_name(const Module& module, std::uint32_t number);

}  // namespace bankproof::ptx
