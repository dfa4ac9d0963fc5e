// The script of a proof: its steps in their order, each with the formula that it is about. A query
// records it while the proof runs (query.hpp). A program that checks proofs, such as Coq, follows
// these steps; the solvers only say which facts each goal needs.
//
// Facts are numbered in the order in which the query learns them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../written/written.hpp"

namespace bankproof::proofs {

using FactNumber = std::size_t;

struct Step;
using Script = std::vector<Step>;

/// A sum that is proved by induction. It may have several parts, such as the stages and the rounds
/// of accesses, which are added up together.
struct SumStep {
  Form form = Form::over_numbers;
  WrittenPointer limit;                 ///< the count, the end, or the start of the chain
  std::vector<WrittenPointer> places;   ///< what says which term comes next
  WrittenPointer next;                  ///< of a chain: the number after this one
  std::vector<WrittenPointer> partial;  ///< the parts of the sum before this place, as names
  std::vector<WrittenPointer> terms;    ///< what this place adds to each part
  std::vector<WrittenPointer> whole;    ///< the parts of the whole sum
  FactNumber limit_is_right = 0;        ///< count ≥ 0, or end ≥ 1
  FactNumber base = 0;
  std::vector<FactNumber> terms_are_counts;  ///< that each term is ≥ 0
  FactNumber one_more = 0;
  std::vector<FactNumber> is_count;  ///< that each part of the whole sum is ≥ 0
  WrittenPointer last;               ///< of a chain: the name of the number at which it ends
};

struct Step {
  enum class Kind : std::uint8_t {
    // Numbers
    number,      ///< formula: the name or place of a new number
    function,    ///< name, arity, counts
    label,       ///< formula: a part that the solvers know as a new number
    definition,  ///< terms: a name, and what it stands for; fact: that they are the same
    // Facts: formula, fact
    premise,
    guard,      ///< what is supposed in a scope, or a bound of its number
    instance,   ///< of what a scope has shown for all its numbers
    inductive,  ///< the hypothesis of an induction
    count,      ///< a value of the function `name` at `terms` is ≥ 0, as all its values are
    law,        ///< of arithmetic: name, terms
    lemma,      ///< name, terms
    product,    ///< a product that is not negative, as its factors are not: facts
    goal,       ///< name, goal; a step on the way
    claim,      ///< name, goal; a part of what the theorem states
    // Scopes: inside. The fact is what they show; `shown` is that fact inside.
    suppose,
    scope,   ///< shows what it claims, for all its numbers
    induct,  ///< facts: the base
    sum,
  };

  Kind kind = Kind::number;
  std::string name = {};
  unsigned arity = 0;
  bool counts = false;
  WrittenPointer formula = nullptr;
  std::vector<WrittenPointer> terms = {};
  std::vector<FactNumber> facts = {};
  FactNumber fact = 0;
  std::size_t goal = 0;
  Script inside = {};
  FactNumber shown = 0;
  std::shared_ptr<SumStep> sum = nullptr;
};

}  // namespace bankproof::proofs
