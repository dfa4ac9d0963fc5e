// The closed forms of all algorithms as definitions of Coq.
#pragma once

#include <cstddef>
#include <string>

namespace bankproof::proofs {

struct CostsInCoq {
  std::string text;  ///< a source of Coq, which needs proofs/coq/Written.v
  std::size_t definitions = 0;
  std::size_t examples = 0;
};

/// The lockstep time of each variant of each algorithm whose cost() is a template, on each of its
/// machines. Each definition has examples: there, Coq computes what the template returns when it
/// runs on machine words.
CostsInCoq costs_in_coq();

}  // namespace bankproof::proofs
