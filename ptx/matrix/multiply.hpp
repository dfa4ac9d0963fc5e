// The product that mma computes.
//
// PTX does not define in which order products are summed, how often sums are rounded, and whether
// subnormal numbers are flushed; chips differ. Here the products of f16, bf16 and tf32 are exact.
// The products and c are summed in double precision in the order of k, and the sum is rounded once
// to the type of d, to nearest even. Subnormal numbers are not flushed; the low 13 bits of tf32
// elements are ignored. For f64, fma.rn.f64 adds one product after the other to c. Integer sums are
// computed exactly and then wrap or saturate. NaN is canonical.
#pragma once

#include "forms.hpp"
#include "fragments.hpp"

namespace bankproof::ptx {

/// The fragment of d = a · b + c.
Fragment multiplied(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                    const Fragment& c);

}  // namespace bankproof::ptx
