// A statement about all elements of arrays, for those that threads load.
#pragma once

#include "subject.hpp"

namespace bankproof::symbolic {

/// The statement for each choice of loaded elements by which all of its variables get values. An
/// element that it names besides gets an unknown and is added to `named`, if it is stated how many
/// the array has. Beyond `most_instances` choices, it is said of the first ones.
std::vector<Term> instances_of(Subject& subject, const ElementStatement& statement,
                               const std::vector<Element>& loaded, std::vector<Element>& named,
                               std::size_t most_instances);

}  // namespace bankproof::symbolic
