// Joins the lists of theorems about machine words, from all folders.
#include "words.hpp"

#include "../builder/joined.hpp"

namespace bankproof::proofs {

std::vector<Theorem> words() {
  return joined({words_of_accesses(), words_of_vectors(), words_of_matrices(),
                 words_of_convolutions(), words_of_tiled_convolutions(), words_of_tables()});
}

}  // namespace bankproof::proofs
