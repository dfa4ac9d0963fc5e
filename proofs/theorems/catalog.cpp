// Joins the lists of all theorems.
#include "catalog.hpp"

#include "../builder/joined.hpp"
#include "layouts.hpp"
#include "permutations.hpp"
#include "times.hpp"
#include "values.hpp"
#include "words.hpp"

namespace bankproof::proofs {

std::vector<Theorem> catalog() {
  return joined({layouts(), permutations(), values(), times(), words()});
}

}  // namespace bankproof::proofs
