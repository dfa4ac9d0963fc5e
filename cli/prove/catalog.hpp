// `bankproof prove` without a layout: the theorems of the catalog, by both solvers.
#pragma once

#include <string>
#include <vector>

namespace bankproof::cli {

/// As typed.
struct CatalogOptions {
  std::vector<std::string> ids;  ///< of theorems, or what several ids begin with; none: all
  bool only_list = false;        ///< what there is, without proving it
  std::string export_folder;     ///< for the SMT-LIB files; empty: none are written
  std::string format = "text";   ///< text, json or junit
  std::string output;
};

/// Proves them and writes the report. Returns the exit code: 0 if all are proved, 1 if one is
/// refuted, 3 if a solver does not say. Throws UsageError for an id that there is not, InputError
/// where files cannot be written.
int prove_catalog(const CatalogOptions& options);

}  // namespace bankproof::cli
