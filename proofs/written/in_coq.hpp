// Formulas as terms of Coq, of numbers in Z; proofs/coq/Written.v defines what Coq's library lacks.
// Parts that a formula has several times are defined once, by `let`.
//
// Example: ceil_div(n, w) + 1 is `(ceiling n w + 1)`.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "written.hpp"

namespace bankproof::proofs {

/// A term of type Z; of a truth, of type bool. Names become identifiers: each character that Coq
/// does not allow there becomes `_`.
std::string in_coq(const WrittenPointer& formula);
inline std::string in_coq(const Written& number) { return in_coq(number.node()); }
inline std::string in_coq(const WrittenTruth& truth) { return in_coq(truth.node()); }

/// A formula that has no text in Coq, such as a comparison of machine words.
struct NoText : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the text of a formula may refer to, beside its names.
struct DefinedInCoq {
  std::unordered_map<const WrittenNode*, std::string> parts = {};  ///< of a formula, by their names
  std::map<WrittenNumber, std::string> places = {};                ///< of sums around the formula
};

/// The text of a formula that is made of unified parts (unified.hpp): the definition of a number,
/// and a statement, of type Prop. Throws NoText.
std::string number_in_coq(const WrittenNode& formula, const DefinedInCoq& defined);
std::string statement_in_coq(const WrittenNode& formula, const DefinedInCoq& defined);
/// A statement in which parts that it has several times are defined once, by `let`.
std::string whole_statement_in_coq(const WrittenNode& formula, const DefinedInCoq& defined);

/// The text of a number.
std::string digits_in_coq(WrittenNumber value);

/// As number_in_coq(); parts that the formula has several times are defined once.
std::string whole_number_in_coq(const WrittenNode& formula, const DefinedInCoq& defined);

/// Whether a formula of this form is a number, and not a truth.
bool is_number(Form form);
/// The value of a formula that has no names.
std::optional<WrittenNumber> constant_of(const WrittenNode& formula);

/// A name as an identifier of Coq.
std::string coq_name(const std::string& name);

}  // namespace bankproof::proofs
