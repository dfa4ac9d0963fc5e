// The source line of an instruction, and the inlined calls that lead to it.
//
// A .loc applies to the instructions after it. In inlined code, nvcc's .loc also names the inlined
// function and the place of its call (PTX ISA, ".loc"). If that call was itself inlined, the chain
// continues at the last earlier .loc for the place of the call. If the compiler has interleaved two
// copies of a call, this may be the .loc of the other copy, but it has the same lines. clang writes
// no calls, so its chains have one link.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// A place in the source of a function, or of a function inlined into it, with its chain of calls.
struct SourcePosition {
  SourcePoint at;                     // line 0: compiler-made code that belongs to no line
  std::string function;               // mangled, if the compiler names it; else empty
  std::optional<std::size_t> caller;  // in inlined code: the position of the call
};

/// All positions in a function; each is stored once.
struct Lines {
  std::vector<SourcePosition> positions;
  // The position of each statement of the body; empty before the first .loc.
  std::vector<std::optional<std::size_t>> of_statement;
};

Lines lines_of(const Module& module, const Function& function);

/// The position and the calls that lead to it, innermost first. Links of line 0 are left out.
std::vector<SourcePosition> chain(const Lines& lines, std::size_t position);

/// The point of `file` to which a position is attributed: the innermost link in `file` of the
/// position's chain of calls. So inlined code from a header is attributed to the line of `file`
/// that calls it.
std::optional<SourcePoint> rolled_up(const Lines& lines, std::size_t position, std::uint32_t file);

/// The name of the .file with this number; empty if the module has no such .file.
std::string_view file_name(const Module& module, std::uint32_t number);

}  // namespace bankproof::ptx
