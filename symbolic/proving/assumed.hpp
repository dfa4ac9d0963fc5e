// What proofs of a kernel assume, as texts.
#pragma once

#include <string>
#include <vector>

#include "../claims/subject.hpp"
#include "../flow/inlining.hpp"

namespace bankproof::symbolic {

/// Of all kernels.
std::vector<std::string> assumed_of_all();
/// Of one that calls functions.
void add_assumed(const Inlined& inlined, std::vector<std::string>& all);
/// Of what is stated, and of what threads draw and load.
void add_assumed(const Subject& subject, std::vector<std::string>& all);

}  // namespace bankproof::symbolic
