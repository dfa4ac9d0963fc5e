// A kernel about which claims are made, and what its user states about its launches.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../execution/execution.hpp"
#include "draw_ranges.hpp"
#include "draws.hpp"
#include "elements.hpp"

namespace bankproof::symbolic {

/// Threads of a block, in all and along each axis, and blocks of a grid along each axis (CUDA C++
/// Programming Guide, "Technical Specifications").
inline constexpr std::uint64_t most_threads_of_block = 1024;
inline constexpr std::array<std::uint64_t, 3> most_in_block = {1024, 1024, 64};
inline constexpr std::array<std::uint64_t, 3> most_in_grid = {2147483647, 65535, 65535};

struct Subject {
  Pool& pool;
  Execution& execution;
  /// Statements about parameters and the shape of the launch, which hold.
  std::vector<Term> premises{};
  /// How many bytes an object has, as a term of 64 bits; objects are the unknowns of
  /// Inputs::object(). Variables whose sizes the compiler knows need not be here.
  std::map<Term, Term> bytes{};
  /// How many elements stated buffers have, as the user writes it and as a term of 64 bits.
  std::vector<std::pair<std::string, Term>> elements_of_buffers{};
  /// How many bytes of dynamic shared memory the launch has, if that is stated.
  std::optional<Term> dynamic_shared{};

  /// The most threads of a block.
  std::uint64_t most_threads = most_threads_of_block;
  /// What is assumed of values and arrays that a formula names, as text: "n is less than 2^63". A
  /// formula has a sign, and they have none.
  std::vector<std::string> limited{};
  /// Whether a statement names a member of a structure.
  bool names_members = false;
  /// Variables of the module that the host writes although they have initial values, by their
  /// mangled names.
  std::set<std::string> overwritten{};
  /// Parameters of 64 bits of which no formula states how large they are: 2^40 at most.
  std::vector<std::string> usual{};

  /// Assumed: threads of a block agree about what they load, where Inputs::agrees() or
  /// `agreed` says so. It holds if, under this assumption, all come to the same barriers and no
  /// threads race for what is loaded: the first load about which they did not agree would need a
  /// race or another barrier before it.
  bool loads_agree = false;

  /// Numbers of which no two threads draw the same.
  Draws draws{};
  /// Between which numbers they are.
  std::vector<DrawRange> draw_ranges{};
  /// What a thread has stored for all threads of its block, by what they load.
  std::map<Term, Term> published{};
  /// What threads of a block agree about if they are in the same iterations, by the value.
  std::map<Term, Agreed> agreed{};
  /// What threads load from arrays to which none writes, and what is stated of these.
  Elements elements{};

  const Trace& trace() const { return execution.trace(); }
  Inputs& inputs() const { return execution.inputs(); }
};

}  // namespace bankproof::symbolic
