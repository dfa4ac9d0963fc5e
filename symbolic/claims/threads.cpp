// Names several threads; see threads.hpp.
#include "threads.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace bankproof::symbolic {

namespace {

constexpr std::uint64_t most_in_launch = std::uint64_t{1} << 30U;

}  // namespace

Threads::Threads(Subject& subject, Which which, std::size_t count, std::vector<Term> shared)
    : subject_(subject), pool_(subject.pool), which_(which), shared_(std::move(shared)) {
  for (std::size_t k = 1; k < count; ++k) further_.push_back({Substitution(pool_), {}});
  Inputs& inputs = subject.inputs();
  const auto is_active = [&](const std::string& index, const std::string& size, char axis) {
    if (const auto length = inputs.stated(size, axis)) return *length != 1;
    const auto& specials = inputs.specials();
    const auto stated = specials.find(size + axis);
    if (stated != specials.end() && pool_.is_constant(stated->second)) {
      return !pool_.is_constant(stated->second, 1);
    }
    return axis == 'x' || specials.count(index + axis) != 0 || stated != specials.end();
  };
  for (const char axis : {'x', 'y', 'z'}) {
    if (is_active("%tid.", "%ntid.", axis)) block_axes_.push_back(axis);
    if (is_active("%ctaid.", "%nctaid.", axis)) grid_axes_.push_back(axis);
  }
}

Term Threads::special(const char* base, char axis) {
  return *subject_.inputs().special(std::string(base) + axis);
}

Term Threads::of(std::size_t thread, Term term) {
  if (thread == 0) return term;
  Renaming& renaming = further_.at(thread - 1);
  each_unknown(pool_, term, renaming.met, [&](Term unknown) {
    const Scope scope = subject_.inputs().scope(unknown);
    if (scope == Scope::launch) return;
    if (scope == Scope::block && which_ == Which::of_one_block) return;
    if (is_shared(unknown)) return;
    if (which_ == Which::of_one_block && do_all_have(unknown)) return;
    const std::string name = pool_.name(unknown) + std::string(thread, '\'');
    const Term own = subject_.inputs().unknown(name, pool_.width(unknown), scope);
    renamed_[own] = {thread, unknown};
    renaming.terms.put(unknown, own);
  });
  return renaming.terms(term);
}

/// Whether all threads of a block, in the iterations that they share, have the same in this place.
bool Threads::do_all_have(Term unknown) const {
  if (subject_.loads_agree && subject_.inputs().agrees(unknown)) return true;
  const auto agreed = subject_.agreed.find(unknown);
  if (agreed == subject_.agreed.end()) return false;
  if (agreed->second.is_loaded && !subject_.loads_agree) return false;
  bool are_shared = true;
  std::unordered_map<Term, bool> met;
  for (const Term iteration : agreed->second.iterations) {
    each_unknown(pool_, iteration, met, [&](Term one) {
      are_shared = are_shared && (subject_.inputs().scope(one) != Scope::thread || is_shared(one));
    });
  }
  return are_shared;
}

void Threads::put(std::size_t thread, Term unknown, Term by) {
  Renaming& renaming = further_.at(thread - 1);
  renaming.met[unknown] = true;
  renaming.terms.put(unknown, by);
}

Term Threads::differ(std::size_t a, std::size_t b) {
  const bool of_one_block = which_ == Which::of_one_block;
  Term some = pool_.truth(false);
  for (const char axis : of_one_block ? block_axes_ : grid_axes_) {
    const Term index = special(of_one_block ? "%tid." : "%ctaid.", axis);
    some = pool_.either(some, pool_.negation(pool_.equal(of(a, index), of(b, index))));
  }
  return some;
}

Term Threads::number(std::size_t thread) {
  Term number = pool_.constant(0, 32);
  std::vector<char> axes = block_axes_;
  std::reverse(axes.begin(), axes.end());
  for (const char axis : axes) {
    number = pool_.add(pool_.multiply(number, special("%ntid.", axis)),
                       of(thread, special("%tid.", axis)));
  }
  return number;
}

Participant Threads::participant(std::size_t thread, const ptx::Instruction& instruction) {
  Participant made{.instruction = &instruction};
  const auto index = [&](const std::vector<char>& axes, const char* base, char axis) {
    const bool is_active = std::find(axes.begin(), axes.end(), axis) != axes.end();
    return is_active ? of(thread, special(base, axis)) : pool_.constant(0, 32);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const char axis = "xyz"[k];
    made.block[k] = index(grid_axes_, "%ctaid.", axis);
    made.thread[k] = index(block_axes_, "%tid.", axis);
  }
  return made;
}

std::vector<Term> Threads::shape_facts() {
  std::vector<Term> facts;
  const auto all_threads = [&](Term fact) {
    facts.push_back(fact);
    if (others_may_be_missing_) return;
    for (std::size_t k = 1; k <= further_.size(); ++k) {
      if (const Term other = of(k, fact); other != fact) facts.push_back(other);
    }
  };
  // No product of some sizes is larger than `most`, so none wraps around.
  const auto sizes_of = [&](const char* base, const std::vector<char>& axes, std::uint64_t most,
                            const std::array<std::uint64_t, 3>& most_along, Term product) {
    for (const char axis : axes) {
      const Term size = special(base, axis);
      facts.push_back(pool_.negation(pool_.equal(size, pool_.constant(0, 32))));
      const auto k = static_cast<std::size_t>(axis - 'x');
      const std::uint64_t along = std::min(most_along[k], most_in_launch);
      facts.push_back(pool_.at_most(size, pool_.constant(along, 32), false));
      product = pool_.multiply(product, pool_.zero_extended(size, 64));
      facts.push_back(pool_.at_most(product, pool_.constant(most, 64), false));
    }
    return product;
  };
  for (const char axis : block_axes_) {
    all_threads(pool_.below(special("%tid.", axis), special("%ntid.", axis), false));
  }
  for (const char axis : grid_axes_) {
    all_threads(pool_.below(special("%ctaid.", axis), special("%nctaid.", axis), false));
  }
  const Term block =
      sizes_of("%ntid.", block_axes_, subject_.most_threads, most_in_block, pool_.constant(1, 64));
  sizes_of("%nctaid.", grid_axes_, most_in_launch, most_in_grid, block);
  return facts;
}

Term Threads::is_there(std::size_t thread, const std::vector<Term>& counters) {
  Term all = pool_.truth(true);
  for (const char axis : block_axes_) {
    const Term index = of(thread, special("%tid.", axis));
    all = pool_.both(all, pool_.below(index, special("%ntid.", axis), false));
  }
  for (const Fact& fact : subject_.trace().facts) {
    if (std::find(counters.begin(), counters.end(), fact.counter) == counters.end()) continue;
    // What is not of the thread is said of thread 0.
    const Term term = of_any_thread(pool_, fact);
    const Term own = of(thread, term);
    if (own != term) all = pool_.both(all, own);
  }
  return all;
}

std::vector<Term> Threads::draws_differ(const std::set<Term>& unknowns) {
  const std::vector<Draw>& draws =
      which_ == Which::of_one_block ? subject_.draws.in_block : subject_.draws.in_launch;
  std::vector<Term> all;
  for (const Draw& a : draws) {
    for (const Draw& b : draws) {
      if (a.address != b.address || a.after != b.after) continue;
      if (pool_.width(a.drawn) != pool_.width(b.drawn)) continue;
      for (std::size_t k = 1; k <= further_.size(); ++k) {
        for (std::size_t j = 0; j < k; ++j) {
          const Term of_a = of(j, a.drawn);
          const Term of_b = of(k, b.drawn);
          if (unknowns.count(of_a) == 0 || unknowns.count(of_b) == 0) continue;
          const Term both_draw = pool_.both(of(j, a.guard), of(k, b.guard));
          const Term are_two = pool_.both(differ(j, k), both_draw);
          const Term is_one_number = pool_.equal(of_a, of_b);
          all.push_back(pool_.negation(pool_.both(are_two, is_one_number)));
        }
      }
    }
  }
  return all;
}

std::pair<std::size_t, Term> Threads::owner(Term unknown) const {
  const auto renamed = renamed_.find(unknown);
  return renamed == renamed_.end() ? std::pair(std::size_t{0}, unknown) : renamed->second;
}

std::vector<Term> Threads::facts_about_memory(Term unknown) {
  std::vector<Term> facts;
  const auto [thread, known] = owner(unknown);
  const auto stored = subject_.published.find(known);
  if (stored != subject_.published.end() && subject_.loads_agree) {
    facts.push_back(pool_.equal(unknown, of(thread, stored->second)));
  }
  for (const DrawRange& range : subject_.draw_ranges) {
    if (range.drawn != known) continue;
    const Term distance = pool_.resized(pool_.subtract(unknown, range.first), 64, false);
    const Term draws_none = pool_.negation(of(thread, range.guard));
    for (const Term end : range.ends) {
      facts.push_back(pool_.either(draws_none, pool_.below(distance, end, false)));
    }
  }
  return facts;
}

std::vector<Term> Threads::agree(const std::set<Term>& unknowns) {
  struct OfThread {
    Term value;
    std::size_t thread;
    const Agreed* agreed;
  };
  std::vector<OfThread> all;
  std::vector<Term> facts;
  for (const Term unknown : unknowns) {
    const auto [thread, known] = owner(unknown);
    const auto found = subject_.agreed.find(known);
    if (found == subject_.agreed.end()) continue;
    if (found->second.is_loaded && !subject_.loads_agree) continue;
    all.push_back({unknown, thread, &found->second});
  }
  for (std::size_t b = 1; b < all.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (all[a].agreed->in_any != all[b].agreed->in_any) continue;
      if (all[a].thread != all[b].thread && which_ == Which::of_two_blocks) continue;
      Term are_together = pool_.truth(true);
      for (std::size_t k = 0; k < all[a].agreed->iterations.size(); ++k) {
        const Term of_a = of(all[a].thread, all[a].agreed->iterations[k]);
        const Term of_b = of(all[b].thread, all[b].agreed->iterations[k]);
        are_together = pool_.both(are_together, pool_.equal(of_a, of_b));
      }
      facts.push_back(
          pool_.either(pool_.negation(are_together), pool_.equal(all[a].value, all[b].value)));
    }
  }
  return facts;
}

std::vector<Element> Threads::elements(const std::set<Term>& unknowns) {
  std::vector<Element> all;
  for (const Term unknown : unknowns) {
    const auto [thread, known] = owner(unknown);
    const auto found = subject_.elements.loaded.find(known);
    if (found == subject_.elements.loaded.end()) continue;
    const Element& element = found->second;
    Term guard = of(thread, element.guard);
    for (const DrawRange& range : subject_.draw_ranges) {
      if (range.first != unknown) continue;
      for (std::size_t k = 0; k <= further_.size(); ++k) {
        const bool is_met = unknowns.count(of(k, range.drawn)) != 0;
        if (is_met) guard = pool_.either(guard, of(k, range.guard));
      }
    }
    all.push_back({unknown, element.object, of(thread, element.offset), guard});
  }
  return all;
}

Statements Threads::with_facts(const std::vector<Term>& statements) {
  std::vector<Term> all = statements;
  const std::set<Term> known(statements.begin(), statements.end());
  std::unordered_map<Term, bool> met;
  std::set<Term> unknowns;
  const auto meet = [&](Term term) {
    each_unknown(pool_, term, met, [&](Term unknown) { unknowns.insert(unknown); });
  };
  for (const Term statement : statements) meet(statement);
  std::set<Term> used;
  std::vector<Term> bounded;
  std::size_t known_elements = 0;
  for (bool more = true; more;) {
    more = false;
    for (const Fact& fact : subject_.trace().facts) {
      const bool is_of_some = others_may_be_missing_ && is_shared(fact.counter);
      for (std::size_t thread = 0; thread <= (is_of_some ? 0 : further_.size()); ++thread) {
        const auto is_met = [&](Term unknown) { return unknowns.count(of(thread, unknown)) != 0; };
        if (!is_met(fact.counter) && std::none_of(fact.about.begin(), fact.about.end(), is_met)) {
          continue;
        }
        // Of a thread that is known to enter the loop, it is stated without that condition.
        Term term = of(thread, fact.term);
        for (const Term part : fact.entered) {
          const Term entered = of(thread, part);
          if (known.count(entered) == 0) term = pool_.either(pool_.negation(entered), term);
        }
        if (!used.insert(term).second) continue;
        if (fact.kind == Fact::Kind::bounded) {
          bounded.push_back(term);
          continue;
        }
        all.push_back(term);
        meet(term);
        more = true;
      }
    }
    std::vector<Term> about_memory = agree(unknowns);
    for (const Term unknown : unknowns) {
      for (const Term fact : facts_about_memory(unknown)) about_memory.push_back(fact);
    }
    for (const Term fact : about_memory) {
      if (pool_.is_constant(fact, 1) || !used.insert(fact).second) continue;
      all.push_back(fact);
      meet(fact);
      more = true;
    }
    if (const auto loaded = elements(unknowns); loaded.size() > known_elements) {
      known_elements = loaded.size();
      more = true;
      for (const Element& element : loaded) {
        meet(element.offset);
        meet(element.guard);
      }
    }
  }
  for (const Term fact : facts_about(subject_, elements(unknowns))) {
    all.push_back(fact);
    meet(fact);
  }
  for (const Term differ : draws_differ(unknowns)) {
    all.push_back(differ);
    meet(differ);
  }
  std::vector<Term> open = subject_.premises;
  for (const Term fact : shape_facts()) {
    if (!pool_.is_constant(fact, 1)) open.push_back(fact);
  }
  // A fact that shares no unknown with the statements, directly or through other facts, does not
  // change the answer, unless the fact itself cannot hold.
  for (bool more = true; more;) {
    more = false;
    for (auto fact = open.begin(); fact != open.end();) {
      bool concerns = pool_.is_constant(*fact);
      std::unordered_map<Term, bool> own;
      each_unknown(pool_, *fact, own,
                   [&](Term unknown) { concerns = concerns || unknowns.count(unknown) != 0; });
      if (!concerns) {
        ++fact;
        continue;
      }
      all.push_back(*fact);
      meet(*fact);
      fact = open.erase(fact);
      more = true;
    }
  }
  return {std::move(all), std::move(open), std::move(bounded)};
}

Term are_in_one_warp(Threads& threads, Pool& pool, std::size_t a, std::size_t b) {
  const auto warp = [&](std::size_t thread) { return pool.part(threads.number(thread), 5, 27); };
  return pool.equal(warp(a), warp(b));
}

}  // namespace bankproof::symbolic
