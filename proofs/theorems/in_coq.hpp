// The theorems that Coq has checked, besides the theorems that the solvers prove. No solver query
// can state these theorems, for example that a coloring exists. Their statements and proofs are in
// proofs/coq. Nothing here checks the proofs again; `ci/coq` does, and it reports a listed theorem
// that no file contains.
//
// Example: R4.exists is `koenig` of proofs/coq/Koenig.v.
#pragma once

#include <string>
#include <vector>

namespace bankproof::proofs {

struct CoqTheorem {
  std::string id;         ///< "R4.exists": the row of docs/claims.md and the part of it
  std::string source;     ///< "THS theorem 4.2.1"; "bankproof" if the statement is ours
  std::string statement;  ///< in words
  std::string domain;     ///< "all h and m"
  std::string file;       ///< "proofs/coq/Koenig.v"
  std::string name;       ///< the theorem's name in that file
};

/// All Coq theorems, in the order of the rows of docs/claims.md.
std::vector<CoqTheorem> theorems_in_coq();

}  // namespace bankproof::proofs
