// For each instruction of a program, the line of the user's own files to which it is attributed,
// and the inlined calls that lead to the instruction.
//
// The user's own file is the source that was compiled; for a kernel that stands in another file,
// such as a header of templates, it is that file. An instruction from a header is attributed to the
// innermost line of the own file in the instruction's chain of calls. Without line information, the
// PTX text is the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "../syntax/lines.hpp"
#include "../syntax/syntax.hpp"
#include "report.hpp"

namespace bankproof::ptx {

/// An instruction of a module; its index in a program is a site.
struct SiteStatement {
  std::size_t function = 0;   // in Module::functions
  std::size_t statement = 0;  // in Function::body
};

/// Where the code of a site comes from.
struct Origin {
  SourceLine at;                       // the line of the own file
  std::uint32_t column = 0;            // of `at`
  SourceLine innermost;                // where the code is written
  std::vector<SourceLine> chain;       // the calls, innermost first; the first is `innermost`
  std::vector<std::string> functions;  // plain names: inlined, innermost first; then the kernel
  std::string opcode;                  // in full: "ld.global.f32"
};

/// The origins of all sites. `source` is the file that was compiled, as the user wrote its name;
/// empty for PTX.
std::vector<Origin> origins_of(const Module& module, std::span<const SiteStatement> sites,
                               const std::string& source);

}  // namespace bankproof::ptx
