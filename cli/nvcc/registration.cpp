// See registration.hpp.
#include "registration.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "../../processes/process.hpp"

namespace bankproof::cli::nvcc {
namespace {

// The last object that registers itself registers the program.
constexpr const char* common = R"(
struct wrapper {{ int magic; int version; const void* container; const void* list; }};
extern void** __cudaRegisterFatBinary(const struct wrapper*);
extern void __cudaRegisterFatBinaryEnd(void**);
static const void* containers[{0} + 1];
static void (*all_names[{0}])(void**);
static struct wrapper linked = {{0x466243b1, 2, 0, containers}};
static int count;
static void add(const struct wrapper* one, void (*names)(void**)) {{
  containers[count] = one->container;
  all_names[count++] = names;
  if (count < {0}) return;
  linked.container = containers[0];
  void** module = __cudaRegisterFatBinary(&linked);
  for (int k = 0; k < {0}; ++k) all_names[k](module);
  __cudaRegisterFatBinaryEnd(module);
}}
)";

}  // namespace

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
  std::vector<std::string> ids;
  for (const std::string& id : called) {
    if (!defined.contains(id)) ids.push_back(id);
  }
  if (ids.empty()) return "typedef int nothing_to_register;\n";
  std::string source = fmt::format(common, ids.size());
  for (const std::string& id : ids) {
    source += fmt::format(
        "extern const struct wrapper __fatbinwrap{0};\n"
        "void __cudaRegisterLinkedBinary{0}(void (*names)(void**)) {{\n"
        "  add(&__fatbinwrap{0}, names);\n"
        "}}\n",
        id);
  }
  return source;
}

}  // namespace bankproof::cli::nvcc
