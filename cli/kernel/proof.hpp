// Reads the proofs that `prove --kernel --format json` has written, for the page of a run.
#pragma once

#include <string>

#include "../../ptx/report/line_proofs.hpp"

namespace bankproof::cli {

struct KernelProofs {
  std::string file;
  std::string kernel;  // demangled
  ptx::LineProofs proofs;
};

/// Throws InputError.
KernelProofs read_proofs(const std::string& file);

/// Throws InputError if the proofs are about none of the kernels that ran, whose names `ran` has,
/// separated by commas.
void require_about(const KernelProofs& proofs, const std::string& ran);

}  // namespace bankproof::cli
