// The product of mma.
//
// PTX leaves open in which order products are summed, how often sums are rounded and what becomes
// of subnormal numbers; chips differ. Here, of f16, bf16 and tf32, each product is exact, c and the
// products are summed in double precision in the order of k, and the sum is rounded once to the
// type of d, to nearest even. Subnormal numbers count. The low 13 bits of tf32 elements do not. Of
// f64, fma.rn.f64 adds product after product to c. Integers are exact, and then wrap or are
// saturated. NaN is canonical.
#pragma once

#include "forms.hpp"
#include "fragments.hpp"

namespace bankproof::ptx {

/// d for the fragments of a, b and c.
Fragment multiplied(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                    const Fragment& c);

}  // namespace bankproof::ptx
