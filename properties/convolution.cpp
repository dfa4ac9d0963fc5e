// Direct convolution (rows D1–D6).
#include "../algorithms/convolution.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(Convolution)

}  // namespace
}  // namespace bankproof
