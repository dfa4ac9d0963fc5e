// `bankproof prove` for a user's own layout, which formulas describe.
#pragma once

#include <string>
#include <vector>

namespace bankproof::cli {

/// As typed; empty for an option that is not given.
struct LayoutOptions {
  std::string size;
  std::string machine = "dmm";
  std::string width;
  std::string memory;
  std::string word_bytes;
  std::string source;
  std::string destination;
  std::string permutation;
  std::string address;
  std::vector<std::string> lets;
  std::vector<std::string> ranges;
  std::string max_stages;
  std::string format = "text";  ///< text or json
  std::string output;
};

/// Decides the properties of the layout that the user asks about, and writes the report. Returns
/// the exit code: 0 if all are proved, 1 if one is refuted, 3 if one stays unknown. Throws
/// UsageError.
int prove_layout(const LayoutOptions& options);

}  // namespace bankproof::cli
