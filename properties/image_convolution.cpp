// Convolution of images (rows I1–I4).
#include "../algorithms/image_convolution.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(ImageConvolution)

}  // namespace
}  // namespace bankproof
