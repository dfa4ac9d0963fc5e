// Writes theorems and lemmas; see theorems.hpp.
#include "theorems.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <cstddef>

#include "../written/in_coq.hpp"
#include "script.hpp"

namespace bankproof::proofs {
namespace {

std::string heading(const char* what, const char* needs) {
  return fmt::format(
      "(* {}, written by `bankproof prove --coq`. *)\n"
      "From Coq Require Import ZArith Lia.\n"
      "From Bankproof Require Import Written Steps Inductions{}.\n"
      "Open Scope bool_scope.\nOpen Scope Z_scope.\n",
      what, needs);
}

/// Coq looks for arguments in the type of a theorem, and would replace the definitions in front of
/// a claim by what they define, again and again. So the type of a theorem is a name if its
/// only claim has many definitions.
std::string written(const char* kind, const std::string& name, const std::string& words,
                    const Scripted& scripted) {
  if (!scripted.has_many_definitions) {
    return fmt::format("\n(* {} *)\n{} {} : {}.\n{}", words, kind, name, scripted.statement,
                       scripted.proof);
  }
  return fmt::format("\n(* {} *)\nDefinition {}_states : Prop := {}.\n{} {} : {}_states.\n{}",
                     words, name, scripted.statement, kind, name, name, scripted.proof);
}

}  // namespace

std::string lemmas_in_coq() {
  std::string all = heading("Lemmas that theorems apply", "");
  for (const Lemma* const lemma : lemmas()) {
    Query query;
    Lemma::Terms terms;
    for (std::size_t k = 0; k < lemma->arity; ++k) {
      terms.push_back(query.unknown("t" + std::to_string(k)));
    }
    query.assume(lemma->premise(terms));
    if (lemma->steps) lemma->steps(query, terms);
    query.claim(lemma->name, lemma->conclusion(terms));
    all += written("Lemma", "lemma_" + coq_name(lemma->name), lemma->statement, script_of(query));
  }
  return all;
}

std::string statement_in_coq(const Theorem& theorem) {
  Query query;
  theorem.prove(query);
  return statement_of(query);
}

std::vector<TheoremInCoq> theorems_in_coq(const std::vector<Theorem>& theorems,
                                          const std::function<void(const std::string&)>& done) {
  std::vector<TheoremInCoq> all(theorems.size());
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, theorems.size(), 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t k = range.begin(); k < range.end(); ++k) {
          const Theorem& theorem = theorems[k];
          all[k] = {theorem.id, coq_name(theorem.id), {}, {}};
          try {
            Query query;
            theorem.prove(query);
            all[k].text = heading("A theorem", " Lemmas") +
                          written("Theorem", all[k].name, theorem.statement, script_of(query));
          } catch (const NoScript& error) {
            all[k].why_not = error.what();
          } catch (const NoText& error) {
            all[k].why_not = error.what();
          }
          if (done) done(theorem.id);
        }
      },
      tbb::simple_partitioner());
  return all;
}

}  // namespace bankproof::proofs
