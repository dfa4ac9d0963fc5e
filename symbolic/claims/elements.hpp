// Elements of arrays that no thread writes. All threads load the same from them, at any time.
//
//   end = offsets[blockIdx.x + 1];      all threads of a block have the same end
//   --where 'offsets[i] <= n'           whatever i is, and so for what each thread loads
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

struct Subject;

/// A number that a thread loads from such an array.
struct Element {
  Term value{};   // of 8, 16, 32 or 64 bits
  Term object{};  // the unknown address at which the array begins
  Term offset{};  // in bytes, of 64 bits
  Term guard{};   // the thread loads it, so the array has it
};

/// A statement about all elements, for each value of its variables for which there are the elements
/// that it names: `i == j || p[i] != p[j]`.
struct ElementStatement {
  /// An element that the statement names.
  struct Use {
    Term object{};
    Term subscript{};  // about the variables, and elements that are named before
    std::uint32_t bytes = 0;
    bool is_signed = true;
    Term value{};  // the unknown of 64 bits that stands for it in the statement
  };
  std::vector<Term> variables{};  // unknowns of 64 bits
  std::vector<Use> uses{};
  Term statement{};
};

struct Elements {
  std::map<Term, Element> loaded{};  // by the value
  std::vector<ElementStatement> stated{};
  /// Whether a question has a fact about elements.
  bool are_used = false;
  /// No solver has found contents for which all that is stated holds.
  bool may_contradict = false;
  /// Contents are known for the first elements only, because the arrays are large.
  bool are_seen_in_part = false;
};

/// The loads from arrays that no thread writes. Assumed: pointers of different parameters
/// point to different arrays, and an access stays in its array.
std::map<Term, Element> elements_of(const Subject& subject);
/// Whether the access may write to the array.
bool may_write(const Subject& subject, const Access& access, Term object);
/// Whether a thread may write to the array.
bool is_written(const Subject& subject, Term object);

/// Facts about elements that some threads load: two elements at one place are the same, and each
/// statement holds for them: for this many choices of them, at most.
std::vector<Term> facts_about(Subject& subject, const std::vector<Element>& elements,
                              std::size_t most_instances = 64);

}  // namespace bankproof::symbolic
