// Loads whose value a lane uses only if a predicate selects it.
//
//   ld.local.u32  %r6, [%rd9];            the place to which a function may have written
//   selp.b32      %r7, -1, %r6, %p1;      the only use: where %p1 is false
//
// Compilers load first and then select, since the load cannot fail; the source reads the place only
// in one of two cases. So a lane does not use what it loads where the predicate selects the other
// value: the place may be one that nobody has written, and that others are writing.
//
// They also load before they compare. So that the predicate is known when a lane loads, the
// comparison is moved before the load, if it depends on nothing between them:
//
//   ld.shared.u32 %r489, [buf];           setp.eq.s32   %p602, %r2, 0;
//   setp.eq.s32   %p602, %r2, 0;          ld.shared.u32 %r489, [buf];
//   selp.b32      %r253, %r489, …, %p602; selp.b32      %r253, %r489, …, %p602;
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

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
  /// the predicate from the load on, in the order of in_order().
  std::optional<UnusedIf> of(const Instruction& load) const;

  /// The statements [begin, end) of a block, with the comparisons that are moved.
  std::vector<std::size_t> in_order(std::size_t begin, std::size_t end) const;

 private:
  std::unordered_map<const Instruction*, UnusedIf> loads_;
  std::multimap<std::size_t, std::size_t> before_;  // comparisons, by the load to which they move
  std::set<std::size_t> moved_;                     // these comparisons
};

}  // namespace bankproof::ptx
