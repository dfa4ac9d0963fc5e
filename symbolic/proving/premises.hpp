// The conditions and sizes of a request, as terms about a kernel.
#pragma once

#include <string>
#include <vector>

#include "../../proofs/formulas/parser.hpp"
#include "prove.hpp"

namespace bankproof::symbolic {

/// What `parse` returns. Throws PremiseError with the place of the mistake if the text is no
/// formula.
template <class Parse>
Term parsed(const std::string& text, const Parse& parse) {
  try {
    return parse();
  } catch (const formulas::ParseError& error) {
    throw PremiseError("'" + text + "': " + error.what() + "\n" +
                       formulas::pointing_at(error.text(), error.at()));
  }
}

/// Adds them to the subject. Throws PremiseError.
void state_premises(Subject& subject, const Request& request,
                    const std::vector<NamedParameter>& parameters);

}  // namespace bankproof::symbolic
