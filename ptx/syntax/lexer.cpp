// Tokens of PTX, found by their first character.
#include "lexer.hpp"

#include <limits>
#include <utility>

namespace bankproof::ptx {

namespace {

// <cctype> depends on the locale; these functions do not.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }

constexpr std::string_view marks = "{}[]()<>,;:@!|=+-";

}  // namespace

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end";
  constexpr std::size_t most = 40;
  std::string result = "'";
  for (const char c : token.text.substr(0, most)) result += is_printable(c) ? c : '?';
  return result + (token.text.size() > most ? "…'" : "'");
}

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  // Lines and columns have to fit their 32 bits.
  if (text.size() >= std::numeric_limits<std::uint32_t>::max())
    fail("4 GiB or more of text", {1, 1});
  token_ = lex();
  after_ = lex();
}

void Lexer::next() {
  token_ = after_;
  after_ = lex();
}

Place Lexer::here() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

template <class Predicate>
std::size_t Lexer::run(std::size_t from, Predicate predicate) const {
  std::size_t end = from;
  while (end < text_.size() && predicate(text_[end])) ++end;
  return end - from;
}

void Lexer::advance(std::size_t count) {
  for (const std::size_t end = at_ + count; at_ < end; ++at_) {
    if (text_[at_] != '\n') continue;
    ++line_;
    line_start_ = at_ + 1;
  }
}

void Lexer::skip_comment() {
  const Place place = here();
  if (text_[at_ + 1] == '/') {
    advance(run(at_, [](char c) { return c != '\n'; }));
    return;
  }
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) fail("a comment without end", place);
  advance(end + 2 - at_);
}

void Lexer::skip_blanks() {
  while (true) {
    advance(run(at_, is_blank));
    const std::string_view start = text_.substr(at_, 2);
    if (start != "//" && start != "/*") return;
    skip_comment();
  }
}

// `.global`, `.2d`, `.L2::128B`.
std::size_t Lexer::dotted_length() const {
  std::size_t length = 1 + run(at_ + 1, in_word);
  while (length > 1 && text_.substr(at_ + length, 2) == "::") {
    const std::size_t more = run(at_ + length + 2, in_word);
    if (more == 0) break;
    length += 2 + more;
  }
  return length;
}

// This function does not check that the number is well formed; value_of() does. Only a decimal
// number has a point, or an exponent with a sign: 0x1E+4 is two numbers.
std::size_t Lexer::number_length() const {
  std::size_t length = run(at_, in_word);
  const bool decimal = run(at_, is_digit) == length;
  if (decimal && text_.substr(at_ + length, 1) == ".") {
    length += 1 + run(at_ + length + 1, in_word);
  }
  const char last = text_[at_ + length - 1];
  const bool prefixed =
      text_[at_] == '0' && run(at_, is_digit) == 1 && length > 1 && text_[at_ + 1] != '.';
  const bool exponent = (last == 'e' || last == 'E') && !prefixed;
  if (exponent && at_ + length < text_.size()) {
    const char sign = text_[at_ + length];
    if (sign == '+' || sign == '-') length += 1 + run(at_ + length + 1, is_digit);
  }
  return length;
}

Token Lexer::string_token() {
  const Place place = here();
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
    // A quotation mark after a backslash does not end the string.
    const bool escape = text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n';
    end += escape ? 2U : 1U;
  }
  if (end >= text_.size() || text_[end] != '"') fail("a string without end", place);
  const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
  advance(end + 1 - at_);
  return {TokenKind::string, inside, place};
}

Token Lexer::lex() {
  skip_blanks();
  const Place place = here();
  if (at_ == text_.size()) return {TokenKind::end, {}, place};
  const char c = text_[at_];
  if (c == '"') return string_token();
  TokenKind kind = TokenKind::mark;
  std::size_t length = 1;
  if (starts_word(c)) {
    kind = TokenKind::word;
    length = 1 + run(at_ + 1, in_word);
  } else if (c == '.') {
    kind = TokenKind::dotted;
    length = dotted_length();
  } else if (is_digit(c)) {
    kind = TokenKind::number;
    length = number_length();
  }
  const Token token{kind, text_.substr(at_, length), place};
  if (kind == TokenKind::mark && marks.find(c) == std::string_view::npos) {
    fail("no token of PTX begins with " + shown(token), place);
  }
  if (kind == TokenKind::dotted && length == 1) fail("a dot without a name", place);
  advance(length);
  return token;
}

}  // namespace bankproof::ptx
