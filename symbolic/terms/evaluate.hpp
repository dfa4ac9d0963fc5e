// The value of a term for given values of its unknowns, operator by operator and without the rules
// that simplify terms: what pool.hpp makes is compared with it.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "pool.hpp"

namespace bankproof::symbolic {

class Values {
 public:
  /// `of` gives the value of an unknown.
  Values(const Pool& pool, std::function<std::uint64_t(Term)> of)
      : pool_(pool), of_(std::move(of)) {}

  std::uint64_t operator()(Term term);

 private:
  std::uint64_t compute(const Node& node, Term term);

  const Pool& pool_;
  std::function<std::uint64_t(Term)> of_;
  std::unordered_map<Term, std::uint64_t> known_;
};

}  // namespace bankproof::symbolic
