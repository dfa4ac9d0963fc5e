// Looks for the store that a load sees; see published.hpp.
#include "published.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../execution/objects.hpp"
#include "../execution/substitute.hpp"
#include "order.hpp"
#include "subject.hpp"

namespace bankproof::symbolic {

namespace {

/// The terms of one thread of each block, as terms about the block.
class Leader {
 public:
  /// The thread that has the indices which the guard says, and index 0 along other axes. It is in
  /// the iterations of a load.
  Leader(Subject& subject, const Guard& guard, const std::vector<Term>& counters,
         const std::vector<Term>& iterations)
      : subject_(subject),
        pool_(subject.pool),
        terms_(subject.pool),
        scope_(counters.empty() ? Scope::block : Scope::thread) {
    for (std::size_t k = 0; k < counters.size(); ++k) {
      terms_.put(counters[k], iterations[k]);
      own_.emplace(counters[k], true);
    }
    for (const char axis : {'x', 'y', 'z'}) {
      const auto index = subject.inputs().specials().find(std::string("%tid.") + axis);
      if (index == subject.inputs().specials().end()) continue;
      std::unordered_map<Term, bool> met;
      each_unknown(pool_, index->second, met, [&](Term unknown) {
        terms_.put(unknown, value_in(guard, unknown, axis));
        own_.emplace(unknown, true);
      });
    }
  }

  /// Whether each block has the thread.
  bool is_there() const { return is_there_; }

  Term of(Term term) {
    std::vector<Term> unknowns;
    each_unknown(pool_, term, own_, [&](Term unknown) { unknowns.push_back(unknown); });
    for (const Term unknown : unknowns) {
      if (is_of_all(unknown)) continue;
      const Term made = subject_.inputs().unknown(pool_.name(unknown) + " by one thread",
                                                  pool_.width(unknown), scope_);
      terms_.put(unknown, made);
      know_again(unknown, made);
    }
    return terms_(term);
  }

  bool is_of_all(Term unknown) const {
    return subject_.inputs().scope(unknown) != Scope::thread || subject_.inputs().agrees(unknown);
  }

 private:
  /// 5, if a part of the guard is threadIdx.x == 5; 0 if none is.
  Term value_in(const Guard& guard, Term unknown, char axis) {
    const Term index = *subject_.inputs().special(std::string("%tid.") + axis);
    const Term size = *subject_.inputs().special(std::string("%ntid.") + axis);
    const Term last = pool_.subtract(size, pool_.constant(1, 32));
    for (const Term part : guard.parts()) {
      if (part == pool_.equal(index, last)) {
        return pool_.resized(last, pool_.width(unknown), false);
      }
      const Node& node = pool_.node(part);
      if (node.op != Operator::equal) continue;
      for (const std::size_t k : {0U, 1U}) {
        Term side = node.operands[k];
        if (pool_.node(side).op == Operator::zero_extended) side = pool_.node(side).operands[0];
        const Term value = node.operands[1 - k];
        if (side != unknown || !pool_.is_constant(value)) continue;
        const std::uint64_t number = pool_.node(value).value;
        const bool is_known =
            number == 0 || (pool_.is_constant(size) && number < pool_.node(size).value);
        is_there_ = is_there_ && is_known;
        return pool_.constant(number, pool_.width(unknown));
      }
    }
    return pool_.constant(0, pool_.width(unknown));
  }

  /// `made` stands for a number that the thread has drawn or loaded. What the subject knows of that
  /// number, it now knows of `made`.
  void know_again(Term unknown, Term made) {
    const std::vector<Draw> draws = subject_.draws.in_launch;
    for (const Draw& draw : draws) {
      if (draw.drawn != unknown) continue;
      subject_.draws.in_launch.push_back({made, draw.address, of(draw.guard), draw.after});
    }
    std::map<Term, Element>& loaded = subject_.elements.loaded;
    const auto element = loaded.find(unknown);
    if (element == loaded.end()) return;
    const Element known = element->second;
    loaded[made] = {made, known.object, of(known.offset), of(known.guard)};
  }

  Subject& subject_;
  Pool& pool_;
  Substitution terms_;
  Scope scope_;  // of what it has drawn or loaded: in a loop, another number in each iteration
  std::unordered_map<Term, bool> own_;  // that have been met
  bool is_there_ = true;
};

class Stores {
 public:
  explicit Stores(Subject& subject)
      : subject_(subject), trace_(subject.trace()), order_(subject.trace()) {}

  std::map<Term, Term> all() {
    std::map<Term, Term> all;
    std::map<Term, std::size_t> stores;  // by what is loaded in any iteration
    for (const Load& load : trace_.loads) {
      const Agreed* const agreed = agreed_about(load.value);
      const bool agrees =
          agreed != nullptr ? agreed->in_any == load.value : subject_.inputs().agrees(load.value);
      if (!load.access || !agrees) continue;
      const auto store = only_store(load);
      if (!store || !order_.is_before_barrier(*store, *load.access)) continue;
      if (is_by_one(*store, load)) stores.emplace(load.value, *store);
    }
    for (const Load& load : trace_.loads) {
      const Agreed* const agreed = agreed_about(load.value);
      const auto store = stores.find(agreed != nullptr ? agreed->in_any : load.value);
      if (store == stores.end()) continue;
      const Access& access = trace_.accesses[store->second];
      all.emplace(load.value, leader(store->second, load).of(*access.stored));
    }
    return all;
  }

 private:
  /// What threads agree about in a loop; nothing if it is no such value.
  const Agreed* agreed_about(Term value) const {
    const auto found = subject_.agreed.find(value);
    return found == subject_.agreed.end() ? nullptr : &found->second;
  }

  std::optional<Place> place_of(Term address) const {
    const auto places = places_of(subject_.pool, subject_.inputs(), address);
    if (!places || places->size() != 1) return std::nullopt;
    return places->front();
  }

  /// The only instruction that may write what is loaded. It writes just that, and is in no loop
  /// that is not around the load.
  std::optional<std::size_t> only_store(const Load& load) const {
    const auto read = place_of(load.address);
    if (!read) return std::nullopt;
    const std::uint32_t bytes = subject_.pool.width(load.value) / 8;
    std::optional<std::size_t> only;
    for (std::size_t a = 0; a < trace_.accesses.size(); ++a) {
      const Access& access = trace_.accesses[a];
      const bool may_be_shared = !access.space || access.space == ptx::Space::shared;
      if (access.kind == AccessKind::read || !may_be_shared) continue;
      const auto written = place_of(access.address);
      if (!written) return std::nullopt;
      if (written->object != read->object) continue;
      const Term apart = subject_.pool.subtract(written->offset, read->offset);
      if (!subject_.pool.is_constant(apart)) return std::nullopt;
      const auto distance = static_cast<std::int64_t>(subject_.pool.node(apart).value);
      if (distance >= bytes || distance <= -std::int64_t{access.bytes}) continue;
      // Strong stores of several threads do not race, and each of them may be the last.
      const bool is_it = distance == 0 && !access.is_strong() && access.bytes == bytes &&
                         access.stored && (!access.loop || is_around(*access.loop, *load.access));
      if (only || !is_it) return std::nullopt;
      only = a;
    }
    return only;
  }

  bool is_around(std::size_t loop, std::size_t access) const {
    const auto all = order_.common_loops(access, access);
    return std::find(all.begin(), all.end(), loop) != all.end();
  }

  /// Whether one thread of each block surely comes to the store where another one loads.
  bool is_by_one(std::size_t store, const Load& load) {
    Leader& one = leader(store, load);
    if (!one.is_there()) return false;
    const auto& known = trace_.accesses[*load.access].guard.parts();
    const auto& parts = trace_.accesses[store].guard.parts();
    return std::all_of(parts.begin(), parts.end(), [&](Term part) {
      const Term own = one.of(part);
      return subject_.pool.is_constant(own, 1) ||
             std::find(known.begin(), known.end(), own) != known.end();
    });
  }

  /// The thread that stores what is loaded in these iterations.
  Leader& leader(std::size_t store, const Load& load) {
    const Agreed* const agreed = agreed_about(load.value);
    const std::vector<Term> iterations =
        agreed == nullptr ? std::vector<Term>{} : agreed->iterations;
    std::vector<Term> counters;
    for (const std::size_t loop : order_.common_loops(*load.access, *load.access)) {
      if (agreed != nullptr) counters.push_back(trace_.loops[loop].counter);
    }
    return leaders_
        .try_emplace({store, iterations}, subject_, trace_.accesses[store].guard, counters,
                     iterations)
        .first->second;
  }

  Subject& subject_;
  const Trace& trace_;
  ProgramOrder order_;
  std::map<std::pair<std::size_t, std::vector<Term>>, Leader> leaders_;
};

}  // namespace

std::map<Term, Term> published_in(Subject& subject) { return Stores(subject).all(); }

}  // namespace bankproof::symbolic
