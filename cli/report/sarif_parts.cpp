// See sarif_parts.hpp.
#include "sarif_parts.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "../support/version.hpp"

namespace bankproof::cli {

using Json = nlohmann::ordered_json;

Json sarif_rule(std::string_view id, std::string_view name, std::string_view brief,
                std::string_view full) {
  return {{"id", id},
          {"name", name},
          {"shortDescription", {{"text", brief}}},
          {"fullDescription", {{"text", full}}},
          {"defaultConfiguration", {{"level", "warning"}}}};
}

std::string sarif_uri(std::string_view name) {
  const std::string path = std::filesystem::path(name).lexically_normal().string();
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json sarif_run(const Json& rules, const Json& invocation) {
  const Json driver = {{"name", "bankproof"},
                       {"version", version()},
                       {"semanticVersion", version()},
                       {"rules", rules}};
  return {{"tool", {{"driver", driver}}},
          {"invocations", Json::array({invocation})},
          {"columnKind", "unicodeCodePoints"}};
}

std::string sarif_text(const Json& run) {
  const Json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return sarif.dump(1) + "\n";
}

}  // namespace bankproof::cli
