// Reads C integer expressions: precedence climbing over C's table of operators, by hand.
//
// What is refused is told by its place. Texts are bounded in length and in depth, so that whatever
// comes from outside ends in an expression or an error.
//
// Example: `i + (3` is refused at place 6: "expected ')'".
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "expression.hpp"
#include "formula.hpp"

namespace bankproof::formulas {

/// Operators and parentheses within each other.
inline constexpr std::size_t deepest_expression = 500;
/// Characters of a formula.
inline constexpr std::size_t longest_text = 65'536;

/// A text that is no expression. what() tells what was expected, in one line.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::string_view text, std::size_t at, const std::string& what)
      : std::runtime_error(what), text_(text), at_(at) {}

  const std::string& text() const { return text_; }
  /// The place in the text, from 0; its length where something is missing at the end.
  std::size_t at() const { return at_; }

 private:
  std::string text_;
  std::size_t at_;
};

/// Two lines: the text, or what of it is around the place, and below a caret at the place.
std::string pointing_at(std::string_view text, std::size_t at);

/// The expression; throws ParseError.
Expression parse(std::string_view text, const Scope& scope);

/// Whether names may look like that: letters, digits and _, not a digit first.
bool is_name(std::string_view text);

}  // namespace bankproof::formulas
