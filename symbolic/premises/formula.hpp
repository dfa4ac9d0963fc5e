// What a user states about a launch: conditions, and sizes of buffers; and about its threads: where
// they access memory.
//
// Formulas are C expressions over the kernel's parameters, members of those that are structures,
// blockDim and gridDim; those about threads also over threadIdx and blockIdx. They are computed
// with 64 bits and a sign, whatever the types of the parameters are, so that n * n does not wrap.
// An unsigned parameter of 64 bits that a formula names is less than 2^63.
#pragma once

#include <string>
#include <vector>

#include "../claims/subject.hpp"
#include "signature.hpp"

namespace bankproof::symbolic {

/// Throws formulas::ParseError: the text is no formula, or has another name.
class Formulas {
 public:
  enum class About : std::uint8_t { launches, threads };
  Formulas(Subject& subject, const std::vector<NamedValue>& values, About about = About::launches);

  bool has(const std::string& name) const;
  /// From now on, the name has this value.
  void put(const std::string& name, std::uint64_t value);

  /// A term of 64 bits.
  Term value(const std::string& text);
  /// A term of one bit: the value is not 0.
  Term condition(const std::string& text);

 private:
  Term term(std::size_t slot);
  std::string as_typed(const std::string& message, const std::string& text) const;
  void limit(const std::string& name, Term term);

  Subject& subject_;
  std::vector<std::string> names_;
  /// A special register or a value that the launch passes, which count as used once they are asked
  /// for; or a term.
  struct Meaning {
    std::string name{};  // as a user types it
    std::string special{};
    std::optional<NamedValue> value{};
    Term term{};
  };
  void add(const std::string& name, const Meaning& meaning);
  std::vector<Meaning> meanings_;
};

}  // namespace bankproof::symbolic
