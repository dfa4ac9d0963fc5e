// Names two threads; see threads.hpp.
#include "threads.hpp"

#include <set>
#include <string>

namespace bankproof::symbolic {

namespace {

/// Threads of a block, along each axis and in all; and of a grid, unless it is stated.
constexpr std::uint64_t most_in_block = 1024;
constexpr std::uint64_t most_in_z = 64;
constexpr std::uint64_t most_in_launch = std::uint64_t{1} << 30U;

}  // namespace

TwoThreads::TwoThreads(Pool& pool, Execution& execution, Which which)
    : pool_(pool), execution_(execution), which_(which), renaming_(pool) {
  Inputs& inputs = execution.inputs();
  const auto is_active = [&](const std::string& index, const std::string& size, char axis) {
    const auto& specials = inputs.specials();
    const auto stated = specials.find(size + axis);
    if (stated != specials.end() && pool.is_constant(stated->second)) {
      return !pool.is_constant(stated->second, 1);
    }
    return axis == 'x' || specials.count(index + axis) != 0 || stated != specials.end();
  };
  for (const char axis : {'x', 'y', 'z'}) {
    if (is_active("%tid.", "%ntid.", axis)) block_axes_.push_back(axis);
    if (is_active("%ctaid.", "%nctaid.", axis)) grid_axes_.push_back(axis);
  }
}

Term TwoThreads::special(const char* base, char axis) {
  return *execution_.inputs().special(std::string(base) + axis);
}

Term TwoThreads::second(Term term) {
  each_unknown(pool_, term, renamed_, [&](Term unknown) {
    const Scope scope = execution_.inputs().scope(unknown);
    if (scope == Scope::launch) return;
    if (scope == Scope::block && which_ == Which::of_one_block) return;
    renaming_.put(unknown, execution_.inputs().unknown(pool_.name(unknown) + "'",
                                                       pool_.width(unknown), scope));
  });
  return renaming_(term);
}

Term TwoThreads::differ() {
  const bool of_one_block = which_ == Which::of_one_block;
  Term some = pool_.truth(false);
  for (const char axis : of_one_block ? block_axes_ : grid_axes_) {
    const Term index = special(of_one_block ? "%tid." : "%ctaid.", axis);
    some = pool_.either(some, pool_.negation(pool_.equal(first(index), second(index))));
  }
  return some;
}

std::vector<Term> TwoThreads::shape_facts() {
  std::vector<Term> facts;
  const auto both = [&](Term fact) {
    facts.push_back(first(fact));
    if (const Term other = second(fact); other != fact) facts.push_back(other);
  };
  const auto size_of = [&](const char* base, const std::vector<char>& axes, std::uint64_t most) {
    Term all = pool_.constant(1, 64);
    for (const char axis : axes) {
      const Term size = special(base, axis);
      const std::uint64_t limit = axis == 'z' ? std::min(most, most_in_z) : most;
      facts.push_back(pool_.negation(pool_.equal(size, pool_.constant(0, 32))));
      facts.push_back(pool_.at_most(size, pool_.constant(limit, 32), false));
      all = pool_.multiply(all, pool_.zero_extended(size, 64));
    }
    return all;
  };
  for (const char axis : block_axes_) {
    both(pool_.below(special("%tid.", axis), special("%ntid.", axis), false));
  }
  for (const char axis : grid_axes_) {
    both(pool_.below(special("%ctaid.", axis), special("%nctaid.", axis), false));
  }
  const Term block = size_of("%ntid.", block_axes_, most_in_block);
  const Term grid = size_of("%nctaid.", grid_axes_, most_in_launch);
  facts.push_back(pool_.at_most(block, pool_.constant(most_in_block, 64), false));
  facts.push_back(
      pool_.at_most(pool_.multiply(block, grid), pool_.constant(most_in_launch, 64), false));
  return facts;
}

std::vector<Term> TwoThreads::with_facts(const std::vector<Term>& statements) {
  std::vector<Term> all = statements;
  std::unordered_map<Term, bool> met;
  std::set<Term> unknowns;
  const auto meet = [&](Term term) {
    each_unknown(pool_, term, met, [&](Term unknown) { unknowns.insert(unknown); });
  };
  for (const Term statement : statements) meet(statement);
  std::set<Term> used;
  for (bool more = true; more;) {
    more = false;
    for (const Fact& fact : execution_.trace().facts) {
      for (const bool is_second : {false, true}) {
        const Term counter = is_second ? second(fact.counter) : fact.counter;
        if (unknowns.count(counter) == 0) continue;
        const Term term = is_second ? second(fact.term) : fact.term;
        if (!used.insert(term).second) continue;
        all.push_back(term);
        meet(term);
        more = true;
      }
    }
  }
  for (const Term fact : shape_facts()) {
    if (!pool_.is_constant(fact, 1)) all.push_back(fact);
  }
  return all;
}

}  // namespace bankproof::symbolic
