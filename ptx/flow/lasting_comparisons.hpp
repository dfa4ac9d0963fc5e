// Predicates that keep their value from a place on.
//
//   mov.u32      %r2, %tid.x;          the only write of %r2, before the loop
//   L: …
//   setp.eq.s32  %p4, %r2, 0;          so this gives %p4 the same value in each iteration,
//   … bra L;                           and would give it in other places behind the first line
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "../syntax/syntax.hpp"
#include "flow.hpp"
#include "registers.hpp"

namespace bankproof::ptx {

class LastingComparisons {
 public:
  /// Both have to outlive it.
  LastingComparisons(const Function& function, const Flow& flow);

  /// Whether the register has one write, unguarded, on all paths to the statement.
  bool is_written_before(const RegisterName& name, std::size_t statement) const;

  /// Whether it also never changes from the statement on: no path from there comes to its write.
  bool is_fixed(const RegisterName& name, std::size_t statement) const;

  /// The only write of the predicate, if it is an unguarded `setp` of what is fixed at `statement`:
  /// executed there, it gives the value that the predicate has whenever it is read from there on.
  std::optional<std::size_t> of(const RegisterName& predicate, std::size_t statement) const;

 private:
  const Instruction* only_write(const RegisterName& name) const;

  const Function& function_;
  const Flow& flow_;
  std::map<RegisterName, std::vector<std::size_t>> writes_;  // by statement
};

}  // namespace bankproof::ptx
