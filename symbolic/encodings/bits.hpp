// Terms as a solver's bit-vectors: exactly what they are on the machine.
#pragma once

#include <z3++.h>

#include <unordered_map>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

class BitVectors {
 public:
  BitVectors(z3::context& context, const Pool& pool) : context_(context), pool_(pool) {}

  /// A bit-vector of the term's width.
  z3::expr vector(Term term);
  /// A term of one bit, as a statement.
  z3::expr statement(Term term);

 private:
  z3::expr made(const Node& node, Term term);
  z3::expr number(std::uint64_t value, unsigned width) { return context_.bv_val(value, width); }

  z3::context& context_;
  const Pool& pool_;
  std::unordered_map<Term, z3::expr> known_;
};

}  // namespace bankproof::symbolic
