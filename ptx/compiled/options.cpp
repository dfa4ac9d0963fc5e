// Reads the words of users; see options.hpp.
#include "options.hpp"

#include <cstdlib>
#include <stdexcept>

#include "cache.hpp"

namespace bankproof::ptx {

CompileOptions compile_options(std::string_view when) {
  using When = CompileOptions::When;
  CompileOptions options;
  options.cache = compiled::cache_folder();
  if (when == "auto") {
    options.when = When::earned;
  } else if (when == "always") {
    options.when = When::always;
  } else if (when == "never") {
    options.when = When::never;
  } else {
    throw std::invalid_argument("expected auto, never or always");
  }
  return options;
}

CompileOptions compile_options_of_environment() {
  const char* const when = std::getenv("BANKPROOF_COMPILED");
  try {
    return compile_options(when == nullptr || *when == '\0' ? "auto" : when);
  } catch (const std::invalid_argument&) {
    return compile_options("auto");
  }
}

}  // namespace bankproof::ptx
