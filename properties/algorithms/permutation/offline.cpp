// Offline permutations (rows R1–R3, H2, H6 and H8), tested by the suite of algorithms.
#include "../../../algorithms/permutation/offline.hpp"

#include "../../../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(OfflinePermutation)

}  // namespace
}  // namespace bankproof
