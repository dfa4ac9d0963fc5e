// Writes times and theorems as sources of Coq.
#pragma once

#include <filesystem>
#include <vector>

#include "../../proofs/builder/theorem.hpp"
#include "catalog.hpp"

namespace bankproof::cli {

/// Makes the folder, if there is none. Throws InputError.
void make_folder(const std::filesystem::path& folder);

/// Into a folder: the times of all algorithms in closed form, and these theorems with scripts that
/// prove them. Reports which theorems have no script, and why.
int write_coq(const CatalogOptions& options, const std::vector<proofs::Theorem>& theorems);

}  // namespace bankproof::cli
