// An algorithm of the catalog in the form that the command line uses: its values are 64-bit
// integers that wrap, and its C++ type is erased.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/machines.hpp"

namespace bankproof::cli {

using Integers = std::vector<std::uint64_t>;

struct AlgorithmEntry {
  std::string_view name;
  std::string_view does;
  std::span<const SizeKey> size_keys;
  std::span<const Variant> variants;
  bool permutes;  ///< takes a permutation, whose length is its size n

  std::vector<Shape> (*inputs)(const Task&);
  Shape (*output)(const Task&);
  std::string (*refusal)(const Task&);
  std::uint64_t (*shared_words)(const Task&);  ///< for each block
  Integers (*expected)(const Task&, const Inputs<std::uint64_t>&);
  Outcome<std::uint64_t> (*run)(const Task&, const Conditions&, const Inputs<std::uint64_t>&,
                                std::span<Observer* const>);
  Cost<std::uint64_t> (*cost)(const Task&);
  std::optional<Time> (*overlapped_time)(const Task&);  ///< empty if there is no closed form
  std::optional<Bound> (*upper)(const Task&);
  std::vector<Bound> (*lower)(const Task&);
  std::optional<Bound> (*global_cost_bound)(const Task&);
};

/// All algorithms of the catalog, in its order.
std::span<const AlgorithmEntry> algorithm_entries();

}  // namespace bankproof::cli
