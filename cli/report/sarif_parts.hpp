// What every SARIF 2.1.0 report of this program has: the tool and its rules, addresses of files,
// and the frame around it all.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bankproof::cli {

/// More results than this are not shown by those who read them: GitHub shows 5,000 and rejects
/// large files.
inline constexpr std::size_t most_sarif_results = 1000;

/// A rule that results name by `id`.
nlohmann::ordered_json sarif_rule(std::string_view id, std::string_view name,
                                  std::string_view brief, std::string_view full);

/// A path as a URI reference: relative as it is, absolute with a scheme.
std::string sarif_uri(std::string_view name);

/// A run of this tool with these rules; results and more are to be added.
nlohmann::ordered_json sarif_run(const nlohmann::ordered_json& rules,
                                 const nlohmann::ordered_json& invocation);

/// The whole text, with a newline at its end.
std::string sarif_text(const nlohmann::ordered_json& run);

}  // namespace bankproof::cli
