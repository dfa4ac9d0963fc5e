// Reads small files whole: JSON, suppressions, sources.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace bankproof::cli {

/// Throws InputError for a path that cannot be opened, or that may have no end, such as a pipe.
void require_regular_file(const std::string& path);

/// The content of a regular file of at most `longest` bytes. For a longer file the message says
/// that it is not a `kind`, such as "plan.json". Throws InputError.
std::string whole_file(const std::string& path, std::size_t longest, const std::string& kind);

/// Parses the text as JSON. Throws InputError if the text is not JSON (the message names line and
/// column), if an object has a key twice (the message names the key), or if the text nests deeper
/// than 64 levels.
nlohmann::ordered_json parsed_json(const std::string& path, const std::string& text);

}  // namespace bankproof::cli
