// Launches whose sizes are guessed. Once what all threads agree on is a number, products and
// quotients of sizes are simple, and a solver finds the threads quickly.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "../claims/subject.hpp"
#include "../solving/decide.hpp"

namespace bankproof::symbolic {

inline constexpr std::size_t usual_guesses = 12;

using IsWanted = std::function<bool(const Model&)>;

/// Values for which all statements hold, in one of a few small launches: the first that is wanted,
/// or the first one if none is. Nothing says nothing. `bases` are the addresses of objects, which
/// are no sizes.
std::optional<Model> guessed(Subject& subject, const std::set<Term>& bases,
                             const std::vector<Term>& statements,
                             std::size_t guesses = usual_guesses, const IsWanted& is_wanted = {});

}  // namespace bankproof::symbolic
