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
//
// The selection may be in another block, such as behind a loop. Then the comparison is executed
// before the load as well, if it has the same result there (lasting_comparisons.hpp).
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

  /// Nothing for a load whose value may be used in any lane. All uses of the register of a load
  /// that has an answer are `selp` by one predicate. Where they are not behind the load in its
  /// block, this load is the register's only write. Nothing changes the predicate from the load on,
  /// in the order of in_order().
  std::optional<UnusedIf> of(const Instruction& load) const;

  /// Where a statement is executed. Comparisons that are executed `ahead` are executed at their own
  /// place, too.
  struct Placed {
    std::size_t statement = 0;
    bool ahead = false;
  };

  /// The statements [begin, end) of a block, with the comparisons that are moved there.
  std::vector<Placed> in_order(std::size_t begin, std::size_t end) const;

 private:
  std::unordered_map<const Instruction*, UnusedIf> loads_;
  std::multimap<std::size_t, Placed> before_;  // comparisons, by the load before which they go
  std::set<std::size_t> moved_;                // those that are executed only there
};

}  // namespace bankproof::ptx
