// The registers of a function, numbered, and which of them instructions read and write.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "../../ptx/flow/flow.hpp"
#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

class Registers {
 public:
  explicit Registers(const ptx::Function& function);

  std::size_t count() const { return widths_.size(); }
  std::size_t number(const ptx::Register& r) const { return first_[r.declaration] + r.number; }
  /// In bits; 1 for a predicate.
  unsigned width(std::size_t number) const { return widths_[number]; }

 private:
  std::vector<std::size_t> first_;
  std::vector<unsigned> widths_;
};

/// Calls see(register, is_written) for each register that the instruction mentions, the guard
/// included.
void each_register(const ptx::Instruction& instruction,
                   const std::function<void(const ptx::Register&, bool)>& see);

/// For each block, the registers whose values on entry may be read.
std::vector<std::vector<bool>> live_on_entry(const ptx::Function& function, const ptx::Flow& flow,
                                             const Registers& registers);

}  // namespace bankproof::symbolic
