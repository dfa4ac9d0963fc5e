// Loads whose value a lane uses only if a predicate selects it.
//
//   ld.local.u32  %r6, [%rd9];            the place to which a function may have written
//   selp.b32      %r7, -1, %r6, %p1;      the only use: where %p1 is false
//
// Compilers load first and then select, since the load cannot fail; the source reads the place only
// in one of two cases. So a lane does not use what it loads where the predicate selects the other
// value.
#pragma once

#include <optional>
#include <unordered_map>

#include "../syntax/syntax.hpp"
#include "flow.hpp"

namespace bankproof::ptx {

/// Lanes in which the predicate has this value do not use what they load.
struct UnusedIf {
  Register predicate;
  bool value = false;
};

class SelectedLoads {
 public:
  SelectedLoads(const Function& function, const Flow& flow);

  /// Nothing for a load whose value may be used in any lane. A load that has an answer is followed
  /// in its block by all uses of its register, which are `selp` by one predicate; nothing writes
  /// the predicate from the load on.
  std::optional<UnusedIf> of(const Instruction& load) const;

 private:
  std::unordered_map<const Instruction*, UnusedIf> loads_;
};

}  // namespace bankproof::ptx
