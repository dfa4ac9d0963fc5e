// The parser's cursor: takes tokens. If it finds another token than it expects, it reports both.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lexer.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

class Cursor {
 public:
  Cursor(std::string_view text, std::string file) : lexer_(text, std::move(file)) {}

  const Token& token() const { return lexer_.token(); }
  const Token& after() const { return lexer_.after(); }
  Place place() const { return token().place; }
  const std::string& file() const { return lexer_.file(); }
  bool at(TokenKind kind) const { return token().kind == kind; }
  bool at(char mark) const { return token().is_mark(mark); }
  bool at(std::string_view directive) const { return token().is(TokenKind::dotted, directive); }

  /// Takes the token and returns it.
  Token take();
  /// Takes the token if it matches, and returns whether it did.
  bool accept(char mark);
  bool accept(std::string_view directive);
  /// Takes the token, which must match.
  void expect(char mark);
  void expect(std::string_view directive);

  /// Takes a word. If there is none, the error says that `what` was expected; so below.
  std::string word(std::string_view what);
  /// Takes a directive or modifier; returns it without its dot.
  std::string dotted(std::string_view what);
  std::string quoted(std::string_view what);
  /// Takes a number without a sign, at most `most`.
  std::uint64_t number(std::string_view what,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  std::uint32_t small_number(std::string_view what);

  /// Whether a number, with or without sign, begins here.
  bool at_immediate() const;
  Immediate immediate();
  /// Takes the offset after a name or in an address: +4, -4 or +-4. Without an offset, returns 0.
  std::int64_t offset();

  /// Runs `item` once, and again after each comma.
  template <class Item>
  void list(Item item) {
    do item();
    while (accept(','));
  }

  [[noreturn]] void expected(std::string_view what) const;
  [[noreturn]] void unsupported(const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const { lexer_.fail(what); }
  [[noreturn]] void fail(const std::string& what, Place place) const { lexer_.fail(what, place); }

 private:
  std::int64_t signed_offset(bool negative);

  Lexer lexer_;
};

/// The value of an unsigned number as written; empty if the text is no number. By PTX ISA,
/// "Constants", the prefixes 0x, 0b and 0 choose other bases, the prefixes 0f and 0d begin the bits
/// of an f32 or f64, and U ends an unsigned integer.
std::optional<Immediate> value_of(std::string_view number);

}  // namespace bankproof::ptx
