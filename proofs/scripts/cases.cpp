// Looks for conditions that decide implications, one after the other; see cases.hpp.
#include "cases.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace bankproof::proofs {
namespace {

constexpr std::size_t most_cases = 48;
/// Of one goal.
constexpr std::size_t most_questions = 3000;
constexpr unsigned most_ms = 500;

using Statements = std::vector<Linearizer::Statement>;

bool is_implication(const z3::expr& e) { return e.decl().decl_kind() == Z3_OP_IMPLIES; }

/// What follows from statements by itself, as the tactic of a case finds it: the premise of an
/// implication follows from statements that are none.
class Known {
 public:
  Known(z3::context& context, const std::vector<z3::expr>& facts, const z3::expr& negated_claim,
        std::size_t& questions)
      : solver_(context, z3::solver::simple()), questions_(questions) {
    z3::params limits(context);
    limits.set("timeout", most_ms);
    solver_.set(limits);
    for (const z3::expr& fact : facts) add(fact);
    // A claim may be an implication, whose premise is then a fact.
    z3::expr claim = negated_claim.arg(0);
    while (is_implication(claim)) {
      add(claim.arg(0));
      claim = z3::expr(claim.arg(1));
    }
    use_implications();
    is_shown_ = follows(claim);
  }

  bool is_shown() const { return is_shown_; }
  /// False if it is not known.
  bool follows(const z3::expr& statement) {
    if (++questions_ > most_questions) return false;
    solver_.push();
    solver_.add(!statement);
    const bool does = solver_.check() == z3::unsat;
    solver_.pop();
    return does;
  }
  /// Implications that are neither of use nor of none.
  const std::vector<z3::expr>& open() const { return open_; }

 private:
  void add(const z3::expr& statement) {
    if (statement.decl().decl_kind() == Z3_OP_AND) {
      for (unsigned k = 0; k < statement.num_args(); ++k) add(statement.arg(k));
    } else if (is_implication(statement)) {
      open_.push_back(statement);
    } else {
      solver_.add(statement);
    }
  }
  void use_implications() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t k = 0; k < open_.size(); ++k) {
        const z3::expr implication = open_[k];
        const bool is_of_use = follows(implication.arg(0));
        if (!is_of_use && !follows(!implication.arg(0))) continue;
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(k));
        if (is_of_use) add(implication.arg(1));
        is_new = true;
        break;
      }
    }
  }

  z3::solver solver_;
  std::size_t& questions_;
  std::vector<z3::expr> open_;
  bool is_shown_ = false;
};

class Finder {
 public:
  Finder(z3::context& context, const Core& core) : context_(context), core_(core) {}

  std::optional<Cases> all() { return find(); }

 private:
  struct Chosen {
    const Condition* condition;
    bool holds;
  };
  struct Kept {
    std::set<NeededFact> facts;
    std::set<std::size_t> chosen;
  };

  std::optional<Cases> find() {
    Known known(context_, facts_of(everything()), claim(), questions_);
    if (questions_ > most_questions) return std::nullopt;
    if (known.is_shown()) return ++cases_ > most_cases ? std::nullopt : std::optional(leaf());
    const Condition* const next = condition_of(known);
    if (next == nullptr) return std::nullopt;
    const auto under = [&](bool holds) -> std::shared_ptr<const Cases> {
      chosen_.push_back({next, holds});
      auto cases = find();
      chosen_.pop_back();
      return cases ? std::make_shared<const Cases>(std::move(*cases)) : nullptr;
    };
    Cases both{.condition = next->written};
    if ((both.holds = under(true)) == nullptr) return std::nullopt;
    if ((both.fails = under(false)) == nullptr) return std::nullopt;
    return both;
  }

  /// The condition that is open in most implications.
  const Condition* condition_of(Known& known) {
    const Condition* best = nullptr;
    std::size_t most = 0;
    for (const Condition& one : core_.conditions) {
      const auto count = static_cast<std::size_t>(
          std::count_if(known.open().begin(), known.open().end(),
                        [&](const z3::expr& open) { return has(open.arg(0), one.linear); }));
      if (count <= most || known.follows(one.linear) || known.follows(!one.linear)) continue;
      most = count;
      best = &one;
    }
    return best;
  }
  static bool has(const z3::expr& statement, const z3::expr& part) {
    if (statement.id() == part.id()) return true;
    if (!statement.is_bool()) return false;
    for (unsigned k = 0; k < statement.num_args(); ++k) {
      if (has(statement.arg(k), part)) return true;
    }
    return false;
  }

  /// A case with as few facts and conditions as it needs.
  Cases leaf() {
    Kept kept = everything();
    const auto is_enough = [&](const Kept& fewer) {
      return Known(context_, facts_of(fewer), claim(), questions_).is_shown();
    };
    for (const NeededFact& one : core_.facts) {
      Kept fewer = kept;
      fewer.facts.erase(one);
      if (is_enough(fewer)) kept = std::move(fewer);
    }
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      Kept fewer = kept;
      fewer.chosen.erase(k);
      if (is_enough(fewer)) kept = std::move(fewer);
    }
    return {.needed = {kept.facts.begin(), kept.facts.end()},
            .conditions = {kept.chosen.begin(), kept.chosen.end()}};
  }

  Kept everything() const {
    Kept all{{core_.facts.begin(), core_.facts.end()}, {}};
    for (std::size_t k = 0; k < chosen_.size(); ++k) all.chosen.insert(k);
    return all;
  }
  std::vector<z3::expr> facts_of(const Kept& kept) const {
    std::vector<z3::expr> all;
    for (const auto& statement : core_.statements) {
      if (statement.fact && kept.facts.count({*statement.fact, statement.factor}) != 0) {
        all.push_back(statement.expression);
      }
    }
    for (const std::size_t k : kept.chosen) {
      const z3::expr& condition = chosen_[k].condition->linear;
      all.push_back(chosen_[k].holds ? condition : !condition);
    }
    return all;
  }
  z3::expr claim() const {
    for (const auto& statement : core_.statements) {
      if (!statement.fact) return statement.expression;
    }
    return !context_.bool_val(false);  // the facts contradict each other
  }

  z3::context& context_;
  const Core& core_;
  std::vector<Chosen> chosen_;
  std::size_t cases_ = 0;
  std::size_t questions_ = 0;
};

}  // namespace

Cases cases_of(z3::context& context, const Core& core) {
  auto found = Finder(context, core).all();
  return found ? std::move(*found) : Cases{.needed = core.facts};
}

}  // namespace bankproof::proofs
