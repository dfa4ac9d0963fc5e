// Looks for conditions that decide implications, one after the other; see cases.hpp.
#include "cases.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "../solvers/solvers.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::size_t most_cases = 256;
/// So many questions about one goal are put to Z3.
constexpr std::size_t most_questions = 20000;
constexpr unsigned most_ms = 500;

/// The positions of the facts and conditions from which something follows.
using Sources = std::set<std::size_t>;

bool is_implication(const z3::expr& e) { return e.decl().decl_kind() == Z3_OP_IMPLIES; }

/// Finds what follows from statements, in the way in which Coq's tactic does: it uses implications
/// whose premises follow, and no others.
class Known {
 public:
  Known(z3::context& context, std::size_t& questions)
      : context_(context), solver_(context, z3::solver::simple()), questions_(questions) {
    solver_.set(z3_clock(context, most_ms));
  }

  void add(const z3::expr& statement, const Sources& sources) {
    if (statement.decl().decl_kind() == Z3_OP_AND) {
      for (unsigned k = 0; k < statement.num_args(); ++k) add(statement.arg(k), sources);
    } else if (is_implication(statement)) {
      open_.push_back({statement, sources});
    } else {
      const z3::expr holds =
          context_.bool_const(("statement " + std::to_string(sources_.size())).c_str());
      solver_.add(z3::implies(holds, statement));
      sources_.emplace(holds.id(), sources);
      all_.push_back(holds);
    }
  }
  /// A claim may be an implication, or that something is not so: the premise is then a fact.
  z3::expr without_premises(z3::expr claim) {
    while (is_implication(claim)) {
      add(claim.arg(0), {});
      claim = z3::expr(claim.arg(1));
    }
    if (!claim.is_not()) return claim;
    add(claim.arg(0), {});
    return context_.bool_val(false);
  }
  void use_implications() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      const std::vector<Open> open = std::move(open_);
      open_.clear();
      for (const Open& one : open) {
        auto premise = sources_of(one.implication.arg(0));
        if (!premise) {
          open_.push_back(one);
          continue;
        }
        premise->insert(one.sources.begin(), one.sources.end());
        add(one.implication.arg(1), *premise);
        is_new = true;
      }
    }
  }

  /// Nothing if it is not known to follow.
  std::optional<Sources> sources_of(const z3::expr& statement) {
    if (++questions_ > most_questions) return std::nullopt;
    solver_.push();
    solver_.add(!statement);
    z3::expr_vector all(context_);
    for (const z3::expr& one : all_) all.push_back(one);
    const bool follows = solver_.check(all) == z3::unsat;
    Sources sources;
    if (follows) {
      for (const z3::expr& one : solver_.unsat_core()) {
        const Sources& more = sources_.at(one.id());
        sources.insert(more.begin(), more.end());
      }
    }
    solver_.pop();
    return follows ? std::optional(sources) : std::nullopt;
  }

  /// How many implications that are not of use have this condition.
  std::size_t uses_of(const z3::expr& condition) const {
    return static_cast<std::size_t>(std::count_if(open_.begin(), open_.end(), [&](const Open& one) {
      return has(one.implication.arg(0), condition);
    }));
  }

 private:
  struct Open {
    z3::expr implication;
    Sources sources;
  };

  static bool has(const z3::expr& statement, const z3::expr& part) {
    if (statement.id() == part.id()) return true;
    for (unsigned k = 0; statement.is_bool() && k < statement.num_args(); ++k) {
      if (has(statement.arg(k), part)) return true;
    }
    return false;
  }

  z3::context& context_;
  z3::solver solver_;
  std::size_t& questions_;
  std::vector<z3::expr> all_;            // the names of statements that are no implications
  std::map<unsigned, Sources> sources_;  // by these names
  std::vector<Open> open_;
};

class Finder {
 public:
  Finder(z3::context& context, const Core& core) : context_(context), core_(core) {}

  std::optional<Cases> find() {
    Known known(context_, questions_);
    for (const auto& statement : core_.statements) {
      if (statement.fact) known.add(statement.expression, {position(statement)});
    }
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      known.add(chosen_[k], {core_.facts.size() + k});
    }
    const z3::expr claim = known.without_premises(this->claim());
    known.use_implications();
    if (const auto sources = known.sources_of(claim)) {
      return ++cases_ > most_cases ? std::nullopt : std::optional(of_case(*sources));
    }
    const Condition* const next = condition_of(known);
    if (next == nullptr || questions_ > most_questions) return std::nullopt;
    const auto under = [&](const z3::expr& condition) -> std::shared_ptr<const Cases> {
      chosen_.push_back(condition);
      auto cases = find();
      chosen_.pop_back();
      return cases ? std::make_shared<const Cases>(std::move(*cases)) : nullptr;
    };
    Cases both{.condition = next->written};
    if ((both.holds = under(next->linear)) == nullptr) return std::nullopt;
    if ((both.fails = under(!next->linear)) == nullptr) return std::nullopt;
    return both;
  }

 private:
  /// The condition that is open in most implications.
  const Condition* condition_of(Known& known) {
    const Condition* best = nullptr;
    std::size_t most = 0;
    for (const Condition& one : core_.conditions) {
      const std::size_t count = known.uses_of(one.linear);
      if (count <= most || known.sources_of(one.linear) || known.sources_of(!one.linear)) continue;
      most = count;
      best = &one;
    }
    return best;
  }

  Cases of_case(const Sources& sources) const {
    Cases one;
    for (const std::size_t k : sources) {
      if (k < core_.facts.size()) {
        one.needed.push_back(core_.facts[k]);
      } else {
        one.conditions.push_back(k - core_.facts.size());
      }
    }
    return one;
  }
  std::size_t position(const Linearizer::Statement& statement) const {
    const NeededFact fact{*statement.fact, statement.factor};
    return static_cast<std::size_t>(std::lower_bound(core_.facts.begin(), core_.facts.end(), fact) -
                                    core_.facts.begin());
  }
  z3::expr claim() const {
    for (const auto& statement : core_.statements) {
      if (!statement.fact) return statement.expression.arg(0);
    }
    return context_.bool_val(false);  // the facts contradict each other
  }

  z3::context& context_;
  const Core& core_;
  std::vector<z3::expr> chosen_;
  std::size_t cases_ = 0;
  std::size_t questions_ = 0;
};

}  // namespace

Cases cases_of(z3::context& context, const Core& core) {
  auto found = Finder(context, core).find();
  return found ? std::move(*found) : Cases{.needed = core.facts};
}

}  // namespace bankproof::proofs
