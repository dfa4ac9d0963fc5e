// See registration.hpp.
#include "registration.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "../../processes/process.hpp"

namespace bankproof::cli::nvcc {

std::string registration_source(const std::vector<std::string>& files) {
  constexpr std::string_view prefix = "__cudaRegisterLinkedBinary";
  std::set<std::string> called;
  std::set<std::string> defined;
  if (!files.empty()) {
    std::vector<std::string> words = {"nm", "-g"};
    words.insert(words.end(), files.begin(), files.end());
    std::istringstream symbols(run_to_end(words).output);
    for (std::string line; std::getline(symbols, line);) {
      // "0000000000000000 T name", or blanks and "U name"
      const std::size_t at = line.rfind(' ');
      if (at == std::string::npos || at < 2) continue;
      const std::string name = line.substr(at + 1);
      if (!name.starts_with(prefix)) continue;
      (line[at - 1] == 'U' ? called : defined).insert(name.substr(prefix.size()));
    }
  }
  std::string source = "/* objects with device code of their own */\n";
  if (!called.empty()) {
    source +=
        "extern void** __cudaRegisterFatBinary(const void*);\n"
        "extern void __cudaRegisterFatBinaryEnd(void**);\n";
  }
  for (const std::string& id : called) {
    if (defined.contains(id)) continue;
    source += fmt::format(
        "extern const char __fatbinwrap{0}[];\n"
        "void __cudaRegisterLinkedBinary{0}(void (*names)(void**)) {{\n"
        "  void** module = __cudaRegisterFatBinary(__fatbinwrap{0});\n"
        "  names(module);\n"
        "  __cudaRegisterFatBinaryEnd(module);\n"
        "}}\n",
        id);
  }
  return source;
}

}  // namespace bankproof::cli::nvcc
