// Theorems on machine words: no address computation overflows.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

/// All theorems of this group.
std::vector<Theorem> words();

std::vector<Theorem> words_of_accesses();
std::vector<Theorem> words_of_vectors();
std::vector<Theorem> words_of_matrices();
std::vector<Theorem> words_of_convolutions();
std::vector<Theorem> words_of_tiled_convolutions();
std::vector<Theorem> words_of_tables();

}  // namespace bankproof::proofs
