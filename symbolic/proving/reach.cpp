// Looks for threads that come to accesses; see reach.hpp.
#include "reach.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "../claims/threads.hpp"

namespace bankproof::symbolic {
namespace {

/// So long, examples are looked for that come to each access.
constexpr std::chrono::seconds most_time{20};
/// A guess mostly takes less time than to solve a premise with products and quotients.
constexpr std::size_t few_guesses = 4;

}  // namespace

/// Elements of the arrays about which something is stated, and what must hold of them.
struct Reach::Contents {
  std::vector<Term> sizes;  ///< each array is as large as these elements, or smaller
  std::vector<Term> statements;
};

Reach::Contents Reach::contents_of(std::uint64_t most) {
  Pool& pool = subject_.pool;
  Contents contents;
  std::vector<Element> elements;
  std::set<Term> met;
  for (const ElementStatement& statement : subject_.elements.stated) {
    for (const ElementStatement::Use& use : statement.uses) {
      if (!met.insert(use.object).second) continue;
      for (std::uint64_t k = 0; k < most; ++k) {
        const Term value = subject_.inputs().unknown("element", 8 * use.bytes, Scope::launch);
        elements.push_back({value, use.object, pool.constant(k * use.bytes, 64), pool.truth(true)});
      }
      const auto bytes = subject_.bytes.find(use.object);
      if (bytes == subject_.bytes.end()) continue;
      contents.statements.push_back(
          pool.at_most(pool.constant(use.bytes, 64), bytes->second, false));
      contents.sizes.push_back(
          pool.at_most(bytes->second, pool.constant(most * use.bytes, 64), false));
    }
  }
  const std::vector<Term> facts = facts_about(subject_, elements, most * most);
  contents.statements.insert(contents.statements.end(), facts.begin(), facts.end());
  return contents;
}

/// Looks for contents of the arrays about which something is stated: for all elements, where the
/// arrays may be small, and else for their first ones.
void Reach::look_for_contents() {
  Threads threads(subject_, Which::of_one_block, 1);
  const auto is_possible = [&](const std::vector<Term>& statements) {
    const std::vector<Term> all = threads.with_facts(statements).all();
    for (const Examples::Size size : {Examples::Size::small, Examples::Size::any}) {
      if (examples_.model(all, {}, size)) return true;
    }
    return false;
  };
  const auto with = [](std::vector<Term> some, const std::vector<Term>& more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
  };
  bool may_be_small = false;
  for (const std::uint64_t most : {8U, 24U}) {
    const Contents all = contents_of(most);
    if (is_possible(with(all.statements, all.sizes))) return;
    may_be_small = may_be_small || is_possible(all.sizes);
  }
  const std::vector<Term> first = contents_of(8).statements;
  if (!may_be_small && is_possible(first)) {
    subject_.elements.are_seen_in_part = true;
    return;
  }
  if (decide(subject_.pool, threads.with_facts(first).all()).kind == Decided::Kind::never) {
    throw PremiseError(
        "no contents of the arrays fulfill what is stated of their elements: the statements "
        "contradict each other, or other options");
  }
  subject_.elements.may_contradict = true;
}

void Reach::look(KernelProof& proof, const std::function<bool()>& is_stopped) {
  if (!subject_.elements.stated.empty()) look_for_contents();
  const auto ends = [&] { return is_stopped && is_stopped(); };
  Threads threads(subject_, Which::of_one_block, 1);
  const auto began = std::chrono::steady_clock::now();
  enum class Comes : std::uint8_t { no, maybe, yes };
  const auto takes_long = [&] {
    const auto taken = std::chrono::steady_clock::now() - began;
    return ends() || taken > (reached_.empty() ? 2 * most_time : most_time);
  };
  const auto looked_for = [&](const Guard& guard, bool is_quick) {
    std::vector<Term> statements = threads.with_facts(guard.parts()).all();
    if (takes_long()) return Comes::maybe;
    std::optional<Model> model = known_model(statements);
    if (!model && is_quick) {
      model = guessed(subject_, examples_.bases(), statements, few_guesses);
    } else if (!model) {
      const auto is_never = [&](const Effort& effort) {
        return decide(subject_.pool, statements, effort).kind == Decided::Kind::never;
      };
      if (is_never({.integers_ms = 250, .bits_ms = 400})) return Comes::no;
      for (const Examples::Size size : {Examples::Size::small, Examples::Size::any}) {
        if (!model) model = examples_.model(statements, {}, size);
      }
      if (!model && is_never({})) return Comes::no;
    }
    if (!model) return Comes::maybe;
    ++proof.reached;
    reached_.push_back({std::move(statements), std::move(*model)});
    return Comes::yes;
  };
  const Trace& trace = subject_.trace();
  std::vector<std::pair<const Guard*, ptx::SourceLine>> places;
  for (const Access& access : trace.accesses) {
    if (!access.is_echo) places.emplace_back(&access.guard, lines_.of(*access.instruction));
  }
  for (const auto* const all : {&trace.barriers, &trace.warp_barriers, &trace.meetings}) {
    for (const Barrier& barrier : *all) {
      places.emplace_back(&barrier.guard, lines_.of(*barrier.instruction));
    }
  }
  // A place that no thread comes to can take all of the time: the others are looked for first.
  std::map<std::vector<Term>, Comes> seen;
  for (const bool is_quick : {true, false}) {
    std::set<std::vector<Term>> tried;
    for (const auto& [guard, line] : places) {
      Comes& comes = seen.try_emplace(guard->parts(), Comes::maybe).first->second;
      if (comes == Comes::maybe && tried.insert(guard->parts()).second) {
        comes = looked_for(*guard, is_quick);
      }
    }
  }
  // Compilers make several copies of a line. A thread that comes to one copy comes to the line.
  std::vector<std::pair<ptx::SourceLine, Comes>> lines;
  for (const auto& [guard, line] : places) {
    const Comes comes = seen.at(guard->parts());
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const auto& other) { return other.first == line; });
    if (same == lines.end()) {
      lines.emplace_back(line, comes);
    } else {
      same->second = std::max(same->second, comes);
    }
  }
  for (const auto& [line, comes] : lines) {
    if (comes == Comes::no) proof.unreachable.push_back(line);
    if (comes == Comes::maybe) proof.maybe_unreachable.push_back(line);
  }
  if (!reached_.empty() || seen.empty() || ends()) return;
  if (decide(subject_.pool, threads.with_facts({}).all()).kind == Decided::Kind::never) {
    throw PremiseError(
        "no launch fulfills the options: they contradict each other, or the sizes that are "
        "assumed (1024 threads in a block, 2^30 in all)");
  }
}

/// A thread that comes to one access often comes to others.
std::optional<Model> Reach::known_model(const std::vector<Term>& statements) const {
  for (std::size_t k = reached_.size(); k-- > 0;) {
    if (examples_.fulfills(reached_[k].model, statements)) return reached_[k].model;
  }
  return std::nullopt;
}

bool Reach::is_within(const UsualBounds& usual, const SizeBounds& sizes) const {
  const std::vector<Term> bounds = usual.of(sizes);
  return std::all_of(reached_.begin(), reached_.end(), [&](const Reached& one) {
    if (examples_.fulfills(one.model, bounds)) return true;
    std::vector<Term> statements = one.statements;
    statements.insert(statements.end(), bounds.begin(), bounds.end());
    return examples_.model(statements, {}, Examples::Size::small).has_value();
  });
}

}  // namespace bankproof::symbolic
