// Sums (rows S1–S5).
#include "../algorithms/sum.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(Sum)

}  // namespace
}  // namespace bankproof
