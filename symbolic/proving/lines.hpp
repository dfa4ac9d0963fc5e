// The source lines of a kernel's instructions.
#pragma once

#include <map>

#include "prove.hpp"

namespace bankproof::symbolic {

class Lines {
 public:
  explicit Lines(const Request& request) : request_(request) {}

  /// The line of the user's own file.
  ptx::SourceLine of(const ptx::Instruction& instruction);
  /// The line of the instruction at this place of the PTX; no line if there is none.
  ptx::SourceLine at(const ptx::Place& place);

 private:
  const Request& request_;
  std::map<const ptx::Instruction*, ptx::SourceLine> known_;
};

}  // namespace bankproof::symbolic
