// The meaning of names, against a plain stack of scopes.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "../../../testing/property.hpp"
#include "../support.hpp"

namespace bankproof::ptx {
namespace {

/// The registers %r0, %r1 and %r2 of one scope: declared singly, or as %r<count>.
struct Declared {
  std::array<std::optional<std::size_t>, 3> single;
  std::optional<std::size_t> range;
  std::size_t count = 0;

  std::optional<std::size_t> find(std::size_t number) const {
    if (single[number]) return single[number];
    return number < count ? range : std::nullopt;
  }
};

BANKPROOF_PROPERTY(Names, mean_the_innermost_declaration_before, (const std::vector<char>& moves)) {
  std::vector<Declared> scopes(1);
  std::vector<std::size_t> expected;
  std::size_t declarations = 0;
  std::string body;
  for (const char move : moves) {
    const unsigned what = static_cast<unsigned char>(move) % 8;
    const std::size_t number = static_cast<unsigned char>(move) / 8 % 3;
    const std::string written = "%r" + std::to_string(number);
    if (what == 0 && scopes.size() < 20) {
      body += "{ ";
      scopes.emplace_back();
    } else if (what == 1 && scopes.size() > 1) {
      body += "} ";
      scopes.pop_back();
    } else if (what == 2 && !scopes.back().single[number]) {
      body += ".reg .b32 " + written + "; ";
      scopes.back().single[number] = declarations++;
    } else if (what == 3 && !scopes.back().range) {
      body += ".reg .b32 %r<" + std::to_string(number) + ">; ";
      scopes.back().range = declarations++;
      scopes.back().count = number;
    } else if (what > 3) {
      std::optional<std::size_t> found;
      for (const Declared& scope : scopes) {
        if (const auto here = scope.find(number)) found = here;
      }
      if (!found) continue;
      body += "op " + written + "; ";
      expected.push_back(*found);
    }
  }
  for (std::size_t s = 1; s < scopes.size(); ++s) body += "} ";
  std::vector<std::size_t> meant;
  for (const Instruction& use : all_of<Instruction>(parse(with_body(body)))) {
    meant.push_back(std::get<Register>(std::get<Scalar>(use.operands.at(0).value)).declaration);
  }
  RC_ASSERT(meant == expected);
}

}  // namespace
}  // namespace bankproof::ptx
