// `bankproof prove` without a layout: both solvers prove the theorems of the catalog.
#pragma once

#include <string>
#include <vector>

namespace bankproof::cli {

/// As typed.
struct CatalogOptions {
  std::vector<std::string> ids;  ///< ids of theorems, or prefixes of ids; empty: all
  bool only_list = false;        ///< list the theorems without proving them
  std::string export_folder;     ///< for the SMT-LIB files; empty: write none
  std::string coq_folder;        ///< for sources of Coq; empty: prove
  std::string format = "text";   ///< text, json or junit
  std::string output;
};

/// Proves the chosen theorems and writes the report. Returns the exit code: 0 if all are proved, 1
/// if one is refuted, 3 if a solver does not decide. Throws UsageError for an unknown id,
/// InputError if files cannot be written.
int prove_catalog(const CatalogOptions& options);

}  // namespace bankproof::cli
