// Describes the functions of a program to the compiler of kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../compiled/interface.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// Where the parts of a Warp and of an Op lie.
compiled::Layout layout_of_warps();

/// The description and all that it points to; independent of the program's life.
class Description {
 public:
  explicit Description(const Program& program);

  compiled::Order order(compiled::Mistake mistake) const;
  /// All that the code depends on, as bytes.
  std::string key() const;

  /// A part of a function: its first operation is `ops`, and the blocks follow one another.
  struct Part {
    std::string symbol;
    const Op* ops = nullptr;
    std::vector<compiled::Block> blocks;
    std::vector<std::vector<compiled::Instruction>> instructions;
    std::vector<compiled::Constant> constants;
    std::vector<std::uint8_t> temporary;
  };
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
  std::vector<compiled::Function> functions_;
};

}  // namespace bankproof::ptx
