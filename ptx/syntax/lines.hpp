// From which source line an instruction comes, and through which calls that were inlined.
//
// A .loc holds for the instructions behind it. nvcc adds to one within inlined code the function
// and the place of the call, and that place is written only so far: where the call itself was
// inlined, its chain goes on at the .loc of that place that stood last before (PTX ISA, ".loc").
// Were two copies of a call interleaved, the chain could be that of the other copy; its lines would
// be the same. clang writes no calls, so that its chains have one link.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// A place in the source, in the function into which everything was inlined or in an inlined one.
struct SourcePosition {
  SourcePoint at;                     // line 0: made by the compiler for no line
  std::string function;               // mangled, where the compiler tells; else empty
  std::optional<std::size_t> caller;  // of an inlined one: the position of the call
};

/// The positions of a function, each once.
struct Lines {
  std::vector<SourcePosition> positions;
  // For each statement of the body its position; none before the first .loc.
  std::vector<std::optional<std::size_t>> of_statement;
};

Lines lines_of(const Module& module, const Function& function);

/// The position and those of the calls that led to it, innermost first, without those of line 0.
std::vector<SourcePosition> chain(const Lines& lines, std::size_t position);

/// Where a position counts for somebody who looks at that file: its innermost link there, so that
/// the code of a header counts for the line that calls it.
std::optional<SourcePoint> rolled_up(const Lines& lines, std::size_t position, std::uint32_t file);

/// The name of a .file; empty if the module has none of that number.
std::string_view file_name(const Module& module, std::uint32_t number);

}  // namespace bankproof::ptx
