// Which arrays an address may lie in, and where in them.
#pragma once

#include <optional>
#include <vector>

#include "inputs.hpp"

namespace bankproof::symbolic {

/// The place `offset` of an object, if the condition holds.
struct Place {
  Term condition{};
  Term object{};  // the unknown address at which it begins
  Term offset{};  // in bytes, of 64 bits; of an address in front of the object, a large number
};

/// Nothing if the address is no object's begin plus a number: then nothing is known of it.
std::optional<std::vector<Place>> places_of(Pool& pool, const Inputs& inputs, Term address);

}  // namespace bankproof::symbolic
