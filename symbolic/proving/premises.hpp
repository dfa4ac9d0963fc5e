// The conditions and sizes of a request, as terms about a kernel.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../proofs/formulas/parser.hpp"
#include "prove.hpp"

namespace bankproof::symbolic {

/// What `parse` makes of the text. Throws PremiseError with the place of the mistake if it is no
/// formula.
template <class Parse>
auto parsed(const std::string& text, const Parse& parse) {
  try {
    return parse();
  } catch (const formulas::ParseError& error) {
    throw PremiseError("'" + text + "': " + error.what() + "\n" +
                       formulas::pointing_at(text, error.at()));
  } catch (const std::domain_error& error) {
    throw PremiseError("'" + text + "': " + error.what());
  }
}

/// Whether a condition says how large a value is at most.
bool is_bounded(const Request& request, const NamedValue& value);

/// The shape of a launch: what is stated, and the block for which the kernel is compiled
/// (.reqntid). Throws PremiseError if they differ, if a stated block has more threads than it may
/// have, or if a condition is no formula.
Shape shape_of(const Request& request, const std::vector<NamedValue>& values);
/// The mangled names of the variables that the host writes. Throws PremiseError if there is none of
/// a name.
std::set<std::string> overwritten_in(const Request& request);
/// The most threads of a block for which the kernel is compiled (.maxntid, as __launch_bounds__
/// states it); 1024 at most.
std::uint64_t most_threads_of(const ptx::Function& kernel);

/// The conditions on elements, which are no longer among those of the request. Throws PremiseError.
/// A type that is stated of a buffer counts.
std::vector<ElementCondition> take_element_conditions(Request& request,
                                                      const std::vector<NamedValue>& values);
/// Adds them to the subject. Throws PremiseError.
void state_elements(Subject& subject, const std::vector<ElementCondition>& conditions,
                    const std::vector<NamedValue>& values);

/// Adds what is stated, and what is assumed of sizes, to the subject. Throws PremiseError.
void state_premises(Subject& subject, const Request& request,
                    const std::vector<NamedValue>& values);

}  // namespace bankproof::symbolic
