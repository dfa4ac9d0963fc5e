// Arithmetic of several words: the condition code is a bit, the borrow after a subtraction (PTX
// ISA, "Extended-Precision Integer Arithmetic Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

std::optional<Results> carries(const Form& form) {
  Pool& p = form.pool;
  const bool takes = form.base == "addc" || form.base == "subc" || form.base == "madc";
  const bool gives = form.has("cc");
  if (!takes && !gives) return std::nullopt;
  const bool subtracts = form.base.starts_with("sub");
  const bool multiplies = form.base.starts_with("mad");
  Term a = form.sources[0];
  Term b = form.sources[1];
  const unsigned bits = p.width(a);
  if (multiplies) {
    a = form.has("hi") ? p.high_product(a, b, form.is_signed()) : p.multiply(a, b);
    b = form.sources[2];
  }
  const Term carry = takes ? form.sources.back() : p.truth(false);
  const Term one = p.zero_extended(carry, bits);
  const Term once = subtracts ? p.subtract(a, b) : p.add(a, b);
  const Term twice = subtracts ? p.subtract(once, one) : p.add(once, one);
  Results results{twice};
  if (gives) {
    results.push_back(subtracts ? p.either(p.below(a, b, false), p.below(once, twice, false))
                                : p.either(p.below(once, a, false), p.below(twice, once, false)));
  }
  return results;
}

}  // namespace bankproof::symbolic
