// The source lines of a kernel's instructions.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "prove.hpp"

namespace bankproof::symbolic {

class Lines {
 public:
  /// `kernel` is a function of the module, which was compiled from this source.
  Lines(const ptx::Module& module, const ptx::Function& kernel, std::string source)
      : module_(module), kernel_(kernel), source_(std::move(source)) {}

  /// The line of the user's own file.
  ptx::SourceLine of(const ptx::Instruction& instruction);
  /// The line of the instruction at this place of the PTX; no line if there is none.
  ptx::SourceLine at(const ptx::Place& place);

 private:
  const ptx::Module& module_;
  const ptx::Function& kernel_;
  std::string source_;
  std::map<const ptx::Instruction*, ptx::SourceLine> known_;
};

}  // namespace bankproof::symbolic
