// Takes tokens one at a time, and computes the values of numbers.
#include "cursor.hpp"

#include <bit>
#include <charconv>
#include <optional>
#include <utility>

namespace bankproof::ptx {

namespace {

// The value of the digits. Empty if the text is empty or has other characters, or if the value has
// more than 64 bits.
std::optional<std::uint64_t> integer(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<Immediate> float_bits(std::string_view digits, Immediate::Kind kind) {
  if (digits.size() != (kind == Immediate::Kind::f32 ? 8 : 16)) return std::nullopt;
  const auto bits = integer(digits, 16);
  if (!bits) return std::nullopt;
  return Immediate{kind, *bits};
}

std::optional<Immediate> decimal_float(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Immediate{Immediate::Kind::f64, std::bit_cast<std::uint64_t>(value)};
}

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63U;

}  // namespace

std::optional<Immediate> value_of(std::string_view number) {
  const char second = number.size() > 1 && number[0] == '0' ? number[1] : ' ';
  if (second == 'f' || second == 'F') return float_bits(number.substr(2), Immediate::Kind::f32);
  if (second == 'd' || second == 'D') return float_bits(number.substr(2), Immediate::Kind::f64);
  const bool hexadecimal = second == 'x' || second == 'X';
  if (!hexadecimal && number.find_first_of(".eE") != std::string_view::npos) {
    return decimal_float(number);
  }
  if (number.ends_with('U')) number.remove_suffix(1);
  std::optional<std::uint64_t> value;
  if (hexadecimal) {
    value = integer(number.substr(2), 16);
  } else if (second == 'b' || second == 'B') {
    value = integer(number.substr(2), 2);
  } else {
    value = integer(number, number.size() > 1 && number[0] == '0' ? 8 : 10);
  }
  if (!value) return std::nullopt;
  return Immediate{Immediate::Kind::integer, *value};
}

Token Cursor::take() {
  const Token result = token();
  lexer_.next();
  return result;
}

bool Cursor::accept(char mark) {
  if (!at(mark)) return false;
  lexer_.next();
  return true;
}

bool Cursor::accept(std::string_view directive) {
  if (!at(directive)) return false;
  lexer_.next();
  return true;
}

void Cursor::expect(char mark) {
  if (!accept(mark)) expected(std::string("'") + mark + "'");
}

void Cursor::expect(std::string_view directive) {
  if (!accept(directive)) expected("'" + std::string(directive) + "'");
}

std::string Cursor::word(std::string_view what) {
  if (!at(TokenKind::word)) expected(what);
  return std::string(take().text);
}

std::string Cursor::dotted(std::string_view what) {
  if (!at(TokenKind::dotted)) expected(what);
  return std::string(take().text.substr(1));
}

std::string Cursor::quoted(std::string_view what) {
  if (!at(TokenKind::string)) expected(what);
  return std::string(take().text);
}

std::uint64_t Cursor::number(std::string_view what, std::uint64_t most) {
  if (!at(TokenKind::number)) expected(what);
  const auto value = value_of(token().text);
  if (!value || value->kind != Immediate::Kind::integer) expected(what);
  if (value->bits > most) fail(std::string(what) + " is at most " + std::to_string(most));
  lexer_.next();
  return value->bits;
}

std::uint32_t Cursor::small_number(std::string_view what) {
  return static_cast<std::uint32_t>(number(what, std::numeric_limits<std::uint32_t>::max()));
}

bool Cursor::at_immediate() const {
  return at(TokenKind::number) || (at('-') && after().kind == TokenKind::number);
}

Immediate Cursor::immediate() {
  const bool negative = accept('-');
  if (!at(TokenKind::number)) expected("a number");
  auto value = value_of(token().text);
  if (!value) fail(shown(token()) + " is no number, or does not fit 64 bits");
  if (negative) {
    switch (value->kind) {
      case Immediate::Kind::integer:
        if (value->bits > top_bit) fail("-" + std::string(token().text) + " does not fit 64 bits");
        value->bits = std::uint64_t{0} - value->bits;
        break;
      case Immediate::Kind::f32:
        value->bits ^= std::uint64_t{1} << 31U;
        break;
      case Immediate::Kind::f64:
        value->bits ^= top_bit;
        break;
    }
  }
  lexer_.next();
  return *value;
}

std::int64_t Cursor::signed_offset(bool negative) {
  const std::uint64_t magnitude = number("an offset", top_bit - (negative ? 0 : 1));
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

std::int64_t Cursor::offset() {
  if (accept('+')) return signed_offset(accept('-'));
  if (accept('-')) return signed_offset(true);
  return 0;
}

void Cursor::expected(std::string_view what) const {
  fail("expected " + std::string(what) + ", found " + shown(token()));
}

void Cursor::unsupported(const std::string& what) const { fail("unsupported: " + what); }

}  // namespace bankproof::ptx
