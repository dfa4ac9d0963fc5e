// The product that mma computes.
//
// PTX does not define the order in which products are summed, how often sums are rounded and what
// becomes of subnormal numbers; chips differ. Here the products of f16, bf16 and tf32 are exact.
// The products and c are summed in double precision in the order of k, and the sum is rounded once
// to the type of d, to nearest even. Subnormal numbers are not flushed; the low 13 bits of tf32
// elements are ignored. For f64, fma.rn.f64 adds each product to c in turn. Integer sums are exact,
// and then wrap or saturate. NaN is canonical.
#pragma once

#include "forms.hpp"
#include "fragments.hpp"

namespace bankproof::ptx {

/// d for the fragments of a, b and c.
Fragment multiplied(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                    const Fragment& c);

}  // namespace bankproof::ptx
