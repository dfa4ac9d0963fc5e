// Matrix products (rows X1–X4).
#include "../algorithms/matrix_product.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(MatrixProduct)

}  // namespace
}  // namespace bankproof
