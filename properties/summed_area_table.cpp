// Summed area tables (rows A1–A13).
#include "../algorithms/summed_area_table.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(SummedAreaTable)

}  // namespace
}  // namespace bankproof
