// What a user states about a launch: conditions, and sizes of buffers; and about its threads: where
// they access memory.
//
// Formulas are C expressions over the kernel's parameters, members of those that are structures,
// blockDim and gridDim; those about threads also over threadIdx and blockIdx. They are computed
// with 64 bits and a sign, whatever the types of the parameters are, so that n * n does not wrap.
// An unsigned parameter of 64 bits that a formula names is less than 2^63.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "../claims/subject.hpp"
#include "elements.hpp"
#include "names.hpp"

namespace bankproof::symbolic {

/// A condition on elements that cannot be used. what() says why.
class ElementError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Formulas {
 public:
  Formulas(Subject& subject, const std::vector<NamedValue>& values, About about = About::launches)
      : subject_(subject), about_(about), names_(values, about) {}

  bool has(const std::string& name) const { return names_.has(name); }
  /// From now on, the name has this value.
  void put(const std::string& name, std::uint64_t value);

  /// A term of 64 bits. By what a formula about launches divides, that is assumed not to be 0.
  /// Throws formulas::ParseError: the text is no formula, or has another name; and
  /// std::domain_error: it divides by 0.
  Term value(const std::string& text);
  /// A term of one bit: the value is not 0. Throws formulas::ParseError.
  Term condition(const std::string& text);
  /// A statement about all elements. Throws ElementError.
  ElementStatement statement(const ElementCondition& condition);

 private:
  Term term(const Names::Meaning& meaning);
  void limit(const std::string& name, Term term);

  /// Prints it with the verdicts; false if it is printed already.
  bool put_limit(const std::string& limit);

  Subject& subject_;
  About about_;
  Names names_;
};

}  // namespace bankproof::symbolic
