// The source lines of a kernel's instructions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "../../ptx/report/origins.hpp"
#include "prove.hpp"

namespace bankproof::symbolic {

class Lines {
 public:
  /// The module as it was compiled from this source: it has the instructions that the machine
  /// executes, wherever inlining has moved them.
  Lines(const ptx::Module& module, std::string source);

  /// The line of the user's own file; no line if the PTX has no such instruction.
  ptx::SourceLine of(const ptx::Instruction& instruction) { return at(instruction.place); }
  ptx::SourceLine at(const ptx::Place& place);

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // line and column of the PTX

  const ptx::Module& module_;
  std::string source_;
  std::map<Key, ptx::SiteStatement> sites_;
  std::map<Key, ptx::SourceLine> known_;
};

}  // namespace bankproof::symbolic
