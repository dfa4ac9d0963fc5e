// The folders, one after the other.
#include "catalog.hpp"

#include "joined.hpp"
#include "layouts/layouts.hpp"
#include "permutations/permutations.hpp"
#include "times/times.hpp"
#include "values/values.hpp"
#include "words/words.hpp"

namespace bankproof::proofs {

std::vector<Theorem> catalog() {
  return joined({layouts(), permutations(), values(), times(), words()});
}

}  // namespace bankproof::proofs
