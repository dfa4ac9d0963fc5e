// The parts that all SARIF 2.1.0 reports of this program share: the tool and its rules, the URIs of
// files, and the frame around them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bankproof::cli {

/// The most results in a report. GitHub shows 5,000 at most, and rejects large files.
inline constexpr std::size_t most_sarif_results = 1000;

/// A rule, which results name by `id`.
nlohmann::ordered_json sarif_rule(std::string_view id, std::string_view name,
                                  std::string_view brief, std::string_view full);

/// A path as a URI reference: relative paths stay as they are, absolute paths get a scheme.
std::string sarif_uri(std::string_view name);

/// A run of this tool with these rules; the caller adds results and more.
nlohmann::ordered_json sarif_run(const nlohmann::ordered_json& rules,
                                 const nlohmann::ordered_json& invocation);

/// The whole text, which ends with a newline.
std::string sarif_text(const nlohmann::ordered_json& run);

}  // namespace bankproof::cli
