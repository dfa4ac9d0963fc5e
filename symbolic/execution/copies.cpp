// Begins copies, waits for them, and carries them through loops; see copies.hpp.
#include "copies.hpp"

#include <algorithm>
#include <unordered_map>
#include <variant>

#include "execution.hpp"
#include "instructions.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// A copy that is under way for more iterations is one of any earlier iteration.
constexpr unsigned most_iterations_apart = 6;
constexpr std::size_t most_under_way = 64;

bool is_made_at_once(const CopyUnderWay& a, const CopyUnderWay& b) {
  return std::equal(a.accesses.begin(), a.accesses.end(), b.accesses.begin(), b.accesses.end(),
                    [](const Access& x, const Access& y) {
                      return x.address == y.address && x.guard.parts() == y.guard.parts();
                    });
}

}  // namespace

bool are_the_same(const std::vector<CopyUnderWay>& a, const std::vector<CopyUnderWay>& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const CopyUnderWay& one) {
           return std::any_of(b.begin(), b.end(), [&](const CopyUnderWay& other) {
             return one.is_same(other) && one.groups == other.groups;
           });
         });
}

std::vector<CopyUnderWay> all_under_way(const std::vector<CopyUnderWay>& a,
                                        const std::vector<CopyUnderWay>& b) {
  std::vector<CopyUnderWay> all = a;
  for (const CopyUnderWay& one : b) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const CopyUnderWay& other) {
      return other.is_same(one) && is_made_at_once(other, one);
    });
    if (known != all.end()) {
      known->groups = std::min(known->groups, one.groups);
      continue;
    }
    all.push_back(one);
    // Another copy of the same instruction gets a number of its own.
    const auto is_other = [&](const CopyUnderWay& other) {
      return &other != &all.back() && other.is_same(all.back());
    };
    while (std::any_of(all.begin(), all.end(), is_other)) ++all.back().number;
  }
  return all;
}

// cp.async.ca.shared.global [to], [from], 16, size;
void Execution::copy(const ptx::Instruction& i, Arrival& arrival) {
  std::vector<CopyUnderWay>& under_way = arrival.state.copies;
  // Their groups are others.
  if (i.has("bulk")) not_followed(i, "a bulk copy");
  if (i.has("commit_group") || i.has("wait_group") || i.has("wait_all")) {
    // On a condition, they count as if nobody committed or waited.
    if (i.guard) return;
    if (i.has("commit_group")) {
      for (CopyUnderWay& one : under_way) ++one.groups;
      return;
    }
    const auto* const count =
        i.operands.empty() ? nullptr : std::get_if<ptx::Scalar>(&i.operands[0].value);
    const auto* const groups = count == nullptr ? nullptr : std::get_if<ptx::Immediate>(count);
    if (i.has("wait_group") && groups == nullptr) not_followed(i, "an unknown number of groups");
    std::erase_if(under_way, [&](const CopyUnderWay& one) {
      return i.has("wait_all") ||
             (one.groups >= 0 && static_cast<std::uint64_t>(one.groups) >= groups->bits);
    });
    return;
  }
  const auto* const count =
      i.operands.size() > 2 ? std::get_if<ptx::Scalar>(&i.operands[2].value) : nullptr;
  const auto* const bytes = count == nullptr ? nullptr : std::get_if<ptx::Immediate>(count);
  if (!i.has("async") || i.has("bulk") || i.has("mbarrier") || bytes == nullptr) {
    not_followed(i, "a copy that is not followed");
  }
  Access written{.instruction = &i,
                 .kind = AccessKind::write,
                 .space = ptx::Space::shared,
                 .address = address_of(i, 0, ptx::Space::shared, arrival.state),
                 .bytes = static_cast<std::uint32_t>(bytes->bits),
                 .guard = guard_of(arrival),
                 .loop = in_loop_};
  Access read = written;
  read.kind = AccessKind::read;
  read.space = ptx::Space::global;
  read.address = address_of(i, 1, ptx::Space::global, arrival.state);
  // The fourth operand may be the bytes to read, a predicate, or a policy for caches. A copy of no
  // bytes reads none; one of fewer counts as one of all.
  const auto* const fourth =
      i.operands.size() > 3 ? std::get_if<ptx::Scalar>(&i.operands[3].value) : nullptr;
  const auto* const in_register = fourth == nullptr ? nullptr : std::get_if<ptx::Register>(fourth);
  const bool is_size = in_register != nullptr
                           ? registers_.width(registers_.number(*in_register)) == 32
                           : fourth != nullptr && std::holds_alternative<ptx::Immediate>(*fourth);
  if (is_size) {
    const Term size = source(i.operands[3], 32, arrival.state);
    const Term is_none = pool_.equal(size, pool_.constant(0, 32));
    const Term is_all = pool_.equal(size, pool_.constant(bytes->bits, 32));
    read.guard = read.guard.with(pool_, pool_.negation(is_none));
    read.may_be_shorter = !pool_.is_constant(pool_.either(is_none, is_all), 1);
  }
  add_access(read, arrival);
  add_access(written, arrival);
  CopyUnderWay made{.instruction = &i, .accesses = {std::move(read), std::move(written)}};
  const auto is_other = [&](const CopyUnderWay& other) { return other.is_same(made); };
  while (std::any_of(under_way.begin(), under_way.end(), is_other)) ++made.number;
  under_way.push_back(std::move(made));
}

/// A thread's access while copies of its own are under way.
void Execution::meet_copies(std::size_t access, const Arrival& arrival) {
  for (const CopyUnderWay& one : arrival.state.copies) {
    for (const Access& part : one.accesses) {
      const bool writes =
          part.kind != AccessKind::read || trace_.accesses[access].kind != AccessKind::read;
      if (writes) trace_.under_way.push_back({part, access});
    }
  }
}

/// Behind a barrier that does not wait for them, copies are still under way.
void Execution::pass_barrier(Arrival& arrival) {
  for (const CopyUnderWay& one : arrival.state.copies) {
    trace_.late_copies.insert(one.instruction);
    for (Access echo : one.accesses) {
      for (const Term part : arrival.guard.parts()) echo.guard = echo.guard.with(pool_, part);
      echo.is_echo = true;
      echo.loop = in_loop_;
      add_access(std::move(echo), arrival);
    }
  }
}

bool Execution::waits_for_copies(std::size_t loop) const {
  for (const std::size_t b : loops_.loops[loop].blocks) {
    for (std::size_t s = flow_.blocks[b].begin; s < flow_.blocks[b].end; ++s) {
      const auto* const i = std::get_if<ptx::Instruction>(&kernel_.body[s]);
      if (i != nullptr && i->base == "cp" && (i->has("wait_group") || i->has("wait_all"))) {
        return true;
      }
    }
  }
  return false;
}

/// In iteration `counter` of the loop: what was under way in front of it is so in iteration 0, and
/// in further ones as in_next_iteration() has it. Without a wait in the loop it stays so.
std::vector<CopyUnderWay> Execution::entering(const std::vector<CopyUnderWay>& copies,
                                              std::size_t loop, Term counter) {
  const Term is_first =
      waits_for_copies(loop) ? pool_.equal(counter, pool_.constant(0, 64)) : pool_.truth(true);
  std::vector<CopyUnderWay> all;
  for (CopyUnderWay one : copies) {
    // The loop may have been entered before, in another iteration of a loop around it.
    std::erase_if(one.passed, [&](const CopyUnderWay::Passed& other) {
      return other.loop == loop && other.is_from_before;
    });
    one.passed.push_back({.loop = loop, .iterations = 0, .is_from_before = true});
    for (Access& access : one.accesses) access.guard = access.guard.with(pool_, is_first);
    all = all_under_way(all, {one});
  }
  return all;
}

/// What was under way at the end of an iteration, in the next one. `in_this` is what was under way
/// when the iteration began.
std::vector<CopyUnderWay> Execution::in_next_iteration(const std::vector<CopyUnderWay>& copies,
                                                       const std::vector<CopyUnderWay>& in_this,
                                                       std::size_t loop, Term counter) {
  const bool waits = waits_for_copies(loop);
  const unsigned most = waits ? most_iterations_apart : 1;
  std::vector<CopyUnderWay> all;
  for (CopyUnderWay one : copies) {
    auto passed = std::find_if(one.passed.rbegin(), one.passed.rend(),
                               [&](const auto& other) { return other.loop == loop; });
    if (passed == one.passed.rend()) {
      one.passed.push_back({.loop = loop, .iterations = 0, .is_from_before = false});
      passed = one.passed.rbegin();
    }
    const bool stays = passed->is_from_before && !waits;
    if (!stays && passed->iterations < most) {
      ++passed->iterations;
      put_earlier(one, counter, passed->iterations == most);
    }
    for (const CopyUnderWay& before : in_this) {
      if (before.is_same(one)) one.groups = std::min(one.groups, before.groups);
    }
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const CopyUnderWay& other) { return other.is_same(one); });
    if (known == all.end()) {
      all.push_back(std::move(one));
    } else {
      // Both are of any earlier iteration.
      known->groups = std::min(known->groups, one.groups);
    }
    if (all.size() > most_under_way) {
      not_followed(*all.front().instruction, "more copies under way than can be followed");
    }
  }
  return all;
}

/// Makes a copy of this iteration one of the iteration before, or of any earlier one.
void Execution::put_earlier(CopyUnderWay& copy, Term counter, bool is_any) {
  const Term before =
      is_any ? inputs_.counter("earlier") : pool_.subtract(counter, pool_.constant(1, 64));
  Substitution earlier(pool_);
  earlier.put(counter, before);
  std::unordered_map<Term, bool> seen;
  const auto renamed = [&](Term term) {
    each_unknown(pool_, term, seen, [&](Term unknown) {
      if (unknown <= counter || inputs_.scope(unknown) != Scope::thread) return;
      earlier.put(unknown, inputs_.another(unknown, pool_.name(unknown)));
    });
    return earlier(term);
  };
  const Term is_earlier = is_any ? pool_.below(before, counter, false)
                                 : pool_.negation(pool_.equal(counter, pool_.constant(0, 64)));
  for (Access& access : copy.accesses) {
    access.address = renamed(access.address);
    Guard guard;
    for (const Term part : access.guard.parts()) guard = guard.with(pool_, renamed(part));
    access.guard = guard.with(pool_, is_earlier);
  }
}

}  // namespace bankproof::symbolic
