// Fuzz target for the parser of formulas. The parser refuses a formula with one line and a position
// in the text. A formula that it accepts has a value, or names the operator that has no value.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../proofs/formulas/parser.hpp"
#include "support.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::formulas;
  using bankproof::cli::require;
  const Scope scope{{"i", "row"}, {{"k", {"5", Expression(Number{5})}}}};
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Formula formula(scope, {text, parse(text, scope)});
    require(text.size() <= longest_text && formula.size() <= text.size() + 1);  // 1 for the let
    for (const std::uint32_t i : {0u, 1u, 31u, 0xffffffffu}) {
      const std::vector<std::uint32_t> inputs = {i, 3};
      if (formula(inputs).is_defined()) continue;
      const std::size_t at = formula.undefined(inputs).at;
      require(at < size && std::string_view("/%<>").find(text[at]) != std::string_view::npos);
    }
  } catch (const ParseError& error) {
    require(error.at() <= size);
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    const std::string lines = pointing_at(error.text(), error.at());
    for (const char c : lines) require(c == '\n' || (' ' <= c && c <= '~'));
  }
  return 0;
}
