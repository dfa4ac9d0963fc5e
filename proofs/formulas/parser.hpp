// Reads C integer expressions by precedence climbing over C's table of operators.
//
// Errors report their position in the text. Texts are bounded in length and depth, so that every
// input ends in an expression or an error.
//
// Example: `i + (3` is refused at position 6: "expected ')'".
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "expression.hpp"
#include "formula.hpp"

namespace bankproof::formulas {

/// Limit on the nesting of operators and parentheses.
inline constexpr std::size_t deepest_expression = 500;
/// Limit on the characters of a formula.
inline constexpr std::size_t longest_text = 65'536;

/// The text is no expression. what() says in one line what was expected.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::string_view text, std::size_t at, const std::string& what)
      : std::runtime_error(what), text_(text), at_(at) {}

  const std::string& text() const { return text_; }
  /// The position of the error in the text, from 0. If something is missing at the end, this is the
  /// length of the text.
  std::size_t at() const { return at_; }

 private:
  std::string text_;
  std::size_t at_;
};

/// Two lines: the text, or the part around the position, and a caret below the position.
std::string pointing_at(std::string_view text, std::size_t at);

/// Parses the text. Throws ParseError.
Expression parse(std::string_view text, const Scope& scope);

/// Whether the text may be a name: letters, digits and _, and no digit first.
bool is_name(std::string_view text);

}  // namespace bankproof::formulas
