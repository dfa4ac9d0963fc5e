// Small files that are read whole: JSON, suppressions, sources.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace bankproof::cli {

/// Throws InputError for what cannot be read to its end, as a pipe might be, or cannot be opened.
void require_regular_file(const std::string& path);

/// The content of a regular file of at most so many bytes; `kind` is what a longer one cannot be:
/// "plan.json". Throws InputError.
std::string whole_file(const std::string& path, std::size_t longest, const std::string& kind);

/// The text's JSON; where it is none, says in which line and column, and where an object has a key
/// twice, which. Throws InputError, also for one that nests deeper than 64 levels.
nlohmann::ordered_json parsed_json(const std::string& path, const std::string& text);

}  // namespace bankproof::cli
