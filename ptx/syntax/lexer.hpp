// PTX as a sequence of tokens (PTX ISA, "Syntax").
//
// A directive such as `.reg` and each modifier of an opcode are one token with their dot:
// `ld.global.L2::128B` is `ld`, `.global`, `.L2::128B`. Comments count as blanks. A token is a view
// into the text, which must outlive it. The lexer holds only the current token and the next, so its
// memory is constant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "error.hpp"

namespace bankproof::ptx {

enum class TokenKind : std::uint8_t {
  word,    // an identifier, with its % if there is one; an opcode; _
  dotted,  // a directive or a modifier, with its dot
  number,  // as written, without a sign: 12, 0xFU, 0f3F800000, 7.8
  string,  // without its quotation marks, as written
  mark,    // one character of punctuation
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Place place;

  bool is(TokenKind which, std::string_view what) const { return kind == which && text == what; }
  bool is_mark(char c) const { return kind == TokenKind::mark && text[0] == c; }
};

/// The token for messages: quoted, printable, cut off when long.
std::string shown(const Token& token);

class Lexer {
 public:
  Lexer(std::string_view text, std::string file);

  /// The current token, and the token after it.
  const Token& token() const { return token_; }
  const Token& after() const { return after_; }
  void next();

  /// The file's name in messages.
  const std::string& file() const { return file_; }

  [[noreturn]] void fail(const std::string& what) const { fail(what, token_.place); }
  [[noreturn]] void fail(const std::string& what, Place place) const {
    throw Error(what, file_, place);
  }

 private:
  Token lex();
  void skip_blanks();
  void skip_comment();
  void advance(std::size_t count);
  Place here() const;
  /// The number of consecutive characters, beginning at `from`, that satisfy the predicate.
  template <class Predicate>
  std::size_t run(std::size_t from, Predicate predicate) const;
  std::size_t dotted_length() const;
  std::size_t number_length() const;
  Token string_token();

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  Token token_;
  Token after_;
};

}  // namespace bankproof::ptx
