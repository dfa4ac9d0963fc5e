// Fuzzes the PTX front end. If the parser accepts a module, the printed module parses to an equal
// module, and the front end can compute the module's flow and lines. If the parser refuses a text,
// its error names a place in the text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../flow/flow.hpp"
#include "../syntax/lines.hpp"
#include "../syntax/parser.hpp"
#include "../syntax/printer.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::ptx;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Module module = parse(text);
    const std::string printed = print(module);
    const Module again = parse(printed);
    require(again == module);
    require(print(again) == printed);
    for (const Function& function : module.functions) {
      const Lines lines = lines_of(module, function);
      require(lines.of_statement.size() == function.body.size());
      require(lines.positions.size() <= 2 * function.body.size());
      if (!lines.positions.empty()) chain(lines, lines.positions.size() - 1);
      const Flow flow = flow_of(function, module.file);
      require(flow.post_dominator.size() == flow.blocks.size());
    }
  } catch (const Error& error) {
    require(error.place().line >= 1 && error.place().column >= 1);
  }
  return 0;
}
