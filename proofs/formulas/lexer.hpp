// Splits C integer expressions into words: numbers, names and operators. The longest operator wins.
//
// Example: `i<<5` is a name, the operator `<<` and a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankproof::formulas {

struct Token {
  enum class Kind : std::uint8_t { number, name, operation, end };
  Kind kind = Kind::end;
  std::string_view text;
  std::size_t at = 0;
  std::uint64_t value = 0;  ///< a number's value, else 0
};

class Lexer {
 public:
  /// Reads the first word. Throws ParseError if no word begins there. Numbers fit 32 bits, or if
  /// they are `long_numbers`, 64 bits with a sign.
  explicit Lexer(std::string_view text, bool long_numbers = false)
      : text_(text), long_numbers_(long_numbers) {
    advance();
  }

  std::string_view text() const { return text_; }
  const Token& token() const { return token_; }
  bool is_at(std::string_view operation) const {
    return token_.kind == Token::Kind::operation && token_.text == operation;
  }
  /// Goes to the next word. Throws ParseError if no word begins there.
  void advance();

 private:
  Token number(std::size_t length) const;
  Token operation() const;

  std::string_view text_;
  bool long_numbers_;
  std::size_t next_ = 0;
  Token token_;
};

}  // namespace bankproof::formulas
