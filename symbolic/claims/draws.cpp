// Looks at all that may write a counter; see draws.hpp.
#include "draws.hpp"

#include <algorithm>
#include <unordered_map>

#include "../execution/objects.hpp"
#include "../execution/substitute.hpp"
#include "order.hpp"
#include "subject.hpp"

namespace bankproof::symbolic {

namespace {

class Counters {
 public:
  explicit Counters(const Subject& subject)
      : subject_(subject), trace_(subject.trace()), order_(subject.trace()) {}

  Draws all() {
    Draws draws;
    for (std::size_t a = 0; a < trace_.accesses.size(); ++a) {
      const Access& access = trace_.accesses[a];
      const auto object = object_of(access);
      if (!access.drawn || !object) continue;
      // Each thread has local memory of its own.
      const auto space = subject_.inputs().object(*object)->space;
      if (space == ptx::Space::local) continue;
      const Scope scope = scope_of(access.address);
      const bool is_shared = space == ptx::Space::shared;
      if (scope == Scope::thread || !is_only_raised(a, *object, is_shared)) continue;
      const Draw draw{*access.drawn, access.address, access.guard.term(subject_.pool),
                      writes_before(a, *object)};
      draws.in_block.push_back(draw);
      if (scope == Scope::launch && !is_shared) draws.in_launch.push_back(draw);
    }
    return draws;
  }

 private:
  /// The array in which it lies, if that is known.
  std::optional<Term> object_of(const Access& access) const {
    const auto places = places_of(subject_.pool, subject_.inputs(), access.address);
    if (!places || places->size() != 1) return std::nullopt;
    return places->front().object;
  }

  /// Who has this address: all threads of the launch, those of a block, or one.
  Scope scope_of(Term address) const {
    Scope scope = Scope::launch;
    std::unordered_map<Term, bool> met;
    each_unknown(subject_.pool, address, met,
                 [&](Term unknown) { scope = std::max(scope, subject_.inputs().scope(unknown)); });
    return scope;
  }

  /// Other blocks access a counter in global memory, and no barrier is between them and a draw.
  bool is_only_raised(std::size_t draw, Term object, bool is_shared) const {
    for (std::size_t a = 0; a < trace_.accesses.size(); ++a) {
      const Access& access = trace_.accesses[a];
      if (access.kind == AccessKind::read || access.space == ptx::Space::local) continue;
      const auto its_object = object_of(access);
      if (its_object && *its_object != object) continue;
      if (!its_object) return false;
      const bool is_as_wide = access.bytes == trace_.accesses[draw].bytes;
      if (access.adds > 0 && is_as_wide && (is_shared || access.is_strong_for_all_blocks())) {
        continue;
      }
      const bool is_apart = order_.is_before_barrier(a, draw) || order_.is_before_barrier(draw, a);
      const bool is_once = order_.common_loops(a, draw).empty();
      if (!is_shared || !is_apart || !is_once) return false;
    }
    return true;
  }

  /// The accesses that write the counter without raising it, if all threads come to a barrier
  /// between such an access and the draw.
  std::vector<std::size_t> writes_before(std::size_t draw, Term object) const {
    std::vector<std::size_t> all;
    for (std::size_t a = 0; a < trace_.accesses.size(); ++a) {
      const Access& access = trace_.accesses[a];
      const bool raises = access.kind == AccessKind::read || access.adds > 0;
      if (raises || object_of(access) != object) continue;
      if (order_.is_before_barrier(a, draw)) all.push_back(a);
    }
    return all;
  }

  const Subject& subject_;
  const Trace& trace_;
  ProgramOrder order_;
};

}  // namespace

Draws draws_of(const Subject& subject) { return Counters(subject).all(); }

}  // namespace bankproof::symbolic
