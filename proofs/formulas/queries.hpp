// Turns a property into queries for a solver. The property holds if the solver answers `unsat` to
// each query. Then no thread violates the property, and neither do several threads of one warp
// together.
//
// A warp takes more than K stages if it has K+1 requests of which no two can be served in one
// stage. Two requests of the same phase exclude each other if they have the same bank and different
// rows. Requests of different phases always exclude each other.
//
// Example, K = 1 on the DMM: lanes x, y of one warp with f(x) < f(y) and f(x) ≡ f(y) modulo w.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <string>
#include <vector>

#include "question.hpp"
#include "serving.hpp"
#include "translation.hpp"

namespace bankproof::formulas {

struct SolverQuery {
  std::vector<z3::expr> assertions;
  std::vector<z3::expr> variables;  ///< the variables of a Witness
  std::vector<z3::expr> threads;    ///< the threads of a Witness
};

template <class Arithmetic>
class Queries {
 public:
  Queries(z3::context& context, const Question& question)
      : context_(context), question_(question) {}

  /// Queries that must be unsatisfiable for the property to hold.
  std::vector<SolverQuery> violations(const Property& property) const {
    switch (property.kind) {
      case Kind::defined:
      case Kind::composition:
        return {one_thread(property, false)};
      case Kind::permutation:
        return permutation(property);
      case Kind::conflict_free:
        break;
    }
    return conflicts(property);
  }

  /// Asks whether a formula overflows. If this query is satisfiable, the terms may differ from
  /// machine words.
  SolverQuery overflow(const Property& property) const { return one_thread(property, true); }

 private:
  /// A query that is being built.
  class Draft {
   public:
    Draft(z3::context& context, const Question& question)
        : question_(question), arithmetic_(context) {
      for (const Variable& variable : question.variables) {
        const z3::expr offset = arithmetic_.below("variable " + variable.name, variable.count());
        query_.variables.push_back(
            variable.first == 0 ? offset : offset + arithmetic_.number(variable.first));
      }
    }

    Arithmetic& arithmetic() { return arithmetic_; }

    z3::expr thread(const std::string& name) {
      return arithmetic_.below("thread " + name, question_.size);
    }
    /// The thread of a warp and a lane.
    z3::expr thread(const z3::expr& warp, const z3::expr& lane) {
      const std::uint64_t rest = question_.size % question_.width();
      if (rest != 0) {
        assume(z3::implies(warp == arithmetic_.number(question_.warps() - 1),
                           arithmetic_.less(lane, arithmetic_.number(rest))));
      }
      return arithmetic_.thread(warp, lane, question_.width());
    }
    Meaning meaning(const Formula& formula, const z3::expr& i) {
      std::vector<z3::expr> inputs = {i};
      inputs.insert(inputs.end(), query_.variables.begin(), query_.variables.end());
      return Translation<Arithmetic>(arithmetic_, inputs)(formula);
    }
    Meaning meaning(std::size_t access, const z3::expr& i) {
      return meaning(question_.accesses[access].formula, i);
    }
    void assume(const z3::expr& fact) { arithmetic_.assume(fact); }

    SolverQuery finished(std::vector<z3::expr> threads) {
      query_.threads = std::move(threads);
      query_.assertions = arithmetic_.assumptions();
      return query_;
    }

   private:
    const Question& question_;
    Arithmetic arithmetic_;
    SolverQuery query_;
  };

  /// All formulas at one thread. With `overflow`, the query asks whether a formula overflows there.
  /// Otherwise it asks what the property forbids: an undefined formula, or formulas that do not
  /// compose.
  SolverQuery one_thread(const Property& property, bool overflow) const {
    Draft draft(context_, question_);
    const z3::expr thread = draft.thread("i");
    z3::expr defined = context_.bool_val(true);
    z3::expr fits = context_.bool_val(true);
    std::vector<z3::expr> values;
    const auto add = [&](const Meaning& meaning) {
      defined = defined && meaning.defined;
      fits = fits && meaning.fits;
      values.push_back(meaning.value);
    };
    const bool of_one = property.kind == Kind::permutation || property.kind == Kind::conflict_free;
    for (std::size_t k = 0; k < question_.accesses.size(); ++k) {
      if (!of_one || k == property.access) add(draft.meaning(k, thread));
    }
    if (!of_one && question_.permutation) {
      add(draft.meaning(*question_.permutation, values.front()));
    }
    if (overflow) {
      draft.assume(!fits);
    } else if (property.kind == Kind::defined) {
      draft.assume(!defined);
    } else {
      draft.assume(values[2] != values[1]);
    }
    return draft.finished({thread});
  }

  /// One query asks for a value that is too large, another for two threads with the same value.
  std::vector<SolverQuery> permutation(const Property& property) const {
    std::vector<SolverQuery> queries;
    if (question_.size < most_threads) {
      Draft draft(context_, question_);
      const z3::expr thread = draft.thread("i");
      const Meaning value = draft.meaning(property.access, thread);
      draft.assume(
          !draft.arithmetic().less(value.value, draft.arithmetic().number(question_.size)));
      queries.push_back(draft.finished({thread}));
    }
    Draft draft(context_, question_);
    const z3::expr a = draft.thread("a");
    const z3::expr b = draft.thread("b");
    draft.assume(a != b);
    draft.assume(draft.meaning(property.access, a).value ==
                 draft.meaning(property.access, b).value);
    queries.push_back(draft.finished({a, b}));
    return queries;
  }

  std::vector<SolverQuery> conflicts(const Property& property) const {
    const Serving serving = serving_of(question_.rule);
    const std::uint64_t stages = question_.max_stages / serving.repeats;
    // A warp takes at most one stage for each of its requests.
    if (stages >= std::uint64_t{question_.width()} * serving.turns) return {};
    if (!serving.merges()) return {conflict(property, serving, serving.lanes, stages, false)};
    // Merged phases never take more stages than separate ones. So a warp conflicts in two cases:
    // its merged phases conflict; or its separate phases conflict, and some partners disagree.
    return {conflict(property, serving, serving.merged_lanes, stages, false),
            conflict(property, serving, serving.lanes, stages, true)};
  }

  /// The phase, bank and row of a request.
  struct Request {
    z3::expr phase;
    z3::expr bank;
    z3::expr row;
  };

  SolverQuery conflict(const Property& property, const Serving& serving, Width phase_lanes,
                       std::uint64_t stages, bool partners_disagree) const {
    Draft draft(context_, question_);
    Arithmetic& arithmetic = draft.arithmetic();
    const z3::expr warp = arithmetic.below("warp", question_.warps());
    const bool one_phase = phase_lanes == question_.width() && serving.turns == 1;
    std::vector<Request> requests;
    std::vector<z3::expr> order;  // combines lane and turn
    for (std::uint64_t k = 0; k <= stages; ++k) {
      const std::string name = std::to_string(k);
      const z3::expr lane = arithmetic.below("lane " + name, question_.width());
      const z3::expr turn = arithmetic.below("turn " + name, serving.turns);
      const z3::expr element = draft.meaning(property.access, draft.thread(warp, lane)).value;
      const z3::expr word =
          arithmetic.quotient(arithmetic.scaled(element, serving.multiply, turn), serving.divide);
      requests.push_back({serving.turns > 1 ? turn : arithmetic.quotient(lane, phase_lanes),
                          arithmetic.remainder(word, serving.banks),
                          arithmetic.quotient(word, serving.row)});
      order.push_back(arithmetic.scaled(lane, serving.turns, turn));
    }
    for (std::size_t k = 0; k + 1 < requests.size(); ++k) {
      if (one_phase) {
        // The requests are sorted by row, so it suffices to compare neighbours.
        draft.assume(arithmetic.less(requests[k].row, requests[k + 1].row));
        if (!serving.by_rows) draft.assume(requests[k].bank == requests[k + 1].bank);
        continue;
      }
      draft.assume(arithmetic.less(order[k], order[k + 1]));
      for (std::size_t j = k + 1; j < requests.size(); ++j) {
        z3::expr wait = requests[k].row != requests[j].row;
        if (!serving.by_rows) wait = wait && requests[k].bank == requests[j].bank;
        draft.assume(z3::implies(requests[k].phase == requests[j].phase, wait));
      }
    }
    if (partners_disagree) {
      for (const std::uint64_t distance : {1u, 2u}) disagree(draft, property, warp, distance);
    }
    return draft.finished({draft.thread(warp, arithmetic.number(0))});
  }

  /// Assumes that some lane and its partner, lane ^ distance, exist and touch different elements.
  void disagree(Draft& draft, const Property& property, const z3::expr& warp,
                std::uint64_t distance) const {
    Arithmetic& arithmetic = draft.arithmetic();
    const z3::expr lane =
        arithmetic.below("partner at " + std::to_string(distance), question_.width());
    draft.assume(
        arithmetic.less(arithmetic.remainder(lane, 2 * distance), arithmetic.number(distance)));
    const z3::expr own = draft.meaning(property.access, draft.thread(warp, lane)).value;
    const z3::expr partner = lane + arithmetic.number(distance);
    const z3::expr other = draft.meaning(property.access, draft.thread(warp, partner)).value;
    draft.assume(own != other);
  }

  z3::context& context_;
  const Question& question_;
};

}  // namespace bankproof::formulas
