// Prefix sums (rows P1–P3).
#include "../algorithms/prefix_sums.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_ALGORITHM(PrefixSums)

}  // namespace
}  // namespace bankproof
