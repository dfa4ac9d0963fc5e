// See parser.hpp.
#include "parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "../../text/typed.hpp"
#include "lexer.hpp"

namespace bankproof::formulas {
namespace {

/// An operator, and how tightly it binds. All operators in the table associate to the left. `?:`
/// binds between `||` and the comma.
struct Row {
  std::string_view text;
  BinaryOperator operation;
  int binding;
};

constexpr int loosest = 1;  // the comma
constexpr int above_comma = 2;
constexpr std::array<Row, 19> table = {{{",", BinaryOperator::comma, loosest},
                                        {"||", BinaryOperator::logical_or, 3},
                                        {"&&", BinaryOperator::logical_and, 4},
                                        {"|", BinaryOperator::bit_or, 5},
                                        {"^", BinaryOperator::bit_xor, 6},
                                        {"&", BinaryOperator::bit_and, 7},
                                        {"==", BinaryOperator::equal, 8},
                                        {"!=", BinaryOperator::not_equal, 8},
                                        {"<", BinaryOperator::less, 9},
                                        {"<=", BinaryOperator::less_or_equal, 9},
                                        {">", BinaryOperator::greater, 9},
                                        {">=", BinaryOperator::greater_or_equal, 9},
                                        {"<<", BinaryOperator::shift_left, 10},
                                        {">>", BinaryOperator::shift_right, 10},
                                        {"+", BinaryOperator::add, 11},
                                        {"-", BinaryOperator::subtract, 11},
                                        {"*", BinaryOperator::multiply, 12},
                                        {"/", BinaryOperator::divide, 12},
                                        {"%", BinaryOperator::remainder, 12}}};

class Parser {
 public:
  Parser(std::string_view text, const Scope& scope)
      : lexer_(text, scope.long_numbers), scope_(scope) {}

  Expression whole() {
    Expression expression = sequence();
    if (lexer_.token().kind != Token::Kind::end) expect_operator_or("the end");
    return expression;
  }

 private:
  /// Adds 1 to the nesting depth while this object lives.
  class Level {
   public:
    explicit Level(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > deepest_expression) parser.refuse_depth(parser.lexer_.token().at);
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::size_t& depth_;
  };

  /// Anything that may stand between parentheses.
  Expression sequence() {
    Expression left = conditional();
    while (lexer_.is_at(",")) {
      const std::size_t at = lexer_.token().at;
      lexer_.advance();
      left = joined(BinaryOperator::comma, left, conditional(), at);
    }
    return left;
  }

  Expression conditional() {
    Expression condition = binary(above_comma);
    if (!lexer_.is_at("?")) return condition;
    const Level level(*this);
    const std::size_t at = lexer_.token().at;
    lexer_.advance();
    Expression then = sequence();
    if (!lexer_.is_at(":")) expect_operator_or("':'");
    lexer_.advance();
    return checked(Expression(Conditional{condition, std::move(then), conditional()}), at);
  }

  Expression binary(int least_binding) {
    Expression left = unary();
    while (const Row* const row = here()) {
      if (row->binding < least_binding) break;
      const std::size_t at = lexer_.token().at;
      lexer_.advance();
      left = joined(row->operation, left, binary(row->binding + 1), at);
    }
    return left;
  }

  Expression unary() {
    constexpr std::array<std::pair<std::string_view, UnaryOperator>, 4> operators = {
        {{"+", UnaryOperator::plus},
         {"-", UnaryOperator::minus},
         {"~", UnaryOperator::complement},
         {"!", UnaryOperator::logical_not}}};
    for (const auto& [text, operation] : operators) {
      if (!lexer_.is_at(text)) continue;
      const Level level(*this);
      const std::size_t at = lexer_.token().at;
      lexer_.advance();
      return checked(Expression(Unary{operation, unary()}), at);
    }
    return operand();
  }

  Expression operand() {
    const Token token = lexer_.token();
    if (token.kind == Token::Kind::number) {
      lexer_.advance();
      return number(token);
    }
    if (token.kind == Token::Kind::name) {
      Expression name(Name{slot_of(token)});
      lexer_.advance();
      return name;
    }
    if (!lexer_.is_at("(")) expect("a number, a name or '('");
    const Level level(*this);
    lexer_.advance();
    Expression inner = sequence();
    if (!lexer_.is_at(")")) expect_operator_or("')'");
    lexer_.advance();
    return inner;
  }

  /// A node holds 32 bits.
  static Expression number(const Token& token) {
    Expression low(Number{static_cast<std::uint32_t>(token.value)});
    const auto high = static_cast<std::uint32_t>(token.value >> 32U);
    if (high == 0) return low;
    const Expression shifted(Binary{BinaryOperator::shift_left, Expression(Number{high}),
                                    Expression(Number{32}), token.at});
    return Expression(Binary{BinaryOperator::bit_or, shifted, low, token.at});
  }

  const Row* here() const {
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Row& known) { return lexer_.is_at(known.text); });
    return row == table.end() ? nullptr : &*row;
  }

  Expression joined(BinaryOperator operation, const Expression& left, const Expression& right,
                    std::size_t at) const {
    return checked(Expression(Binary{operation, left, right, at}), at);
  }

  Expression checked(Expression expression, std::size_t at) const {
    if (expression.depth() > deepest_expression) refuse_depth(at);
    return expression;
  }

  std::size_t slot_of(const Token& token) const {
    std::vector<std::string_view> names(scope_.inputs.begin(), scope_.inputs.end());
    for (const Let& let : scope_.lets) names.push_back(let.name);
    const auto found = std::find(names.begin(), names.end(), token.text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());

    constexpr std::array<std::string_view, 8> types = {"unsigned", "int",     "uint32_t", "long",
                                                       "size_t",   "int32_t", "sizeof",   "signed"};
    constexpr std::array<std::string_view, 9> threads = {
        "tid", "idx", "index", "lane", "thread", "thread_id", "threadId", "threadIdx", "tx"};
    const auto is = [&](const auto& known) {
      return std::find(known.begin(), known.end(), token.text) != known.end();
    };
    std::string why = "unknown name " + in_quotes(token.text, 32);
    if (is(types)) {
      why += "; there are no types, every value is unsigned and has 32 bits";
    } else if (names.empty()) {
      why += "; there are no names here";
    } else if (is(threads) && names.front() == "i") {
      why += fmt::format("; the thread is i: --let {}=i", token.text);
    } else if (const auto meant = nearest(token.text, names)) {
      why += "; did you mean " + in_quotes(*meant) + "?";
    } else {
      why += names.size() == 1 ? "; there is " : "; there are ";
      why += fmt::format("{}", fmt::join(names, ", "));
      if (names.front() == "i") why += "; --let and --for give others";
    }
    throw ParseError(lexer_.text(), token.at, why);
  }

  [[noreturn]] void expect(const std::string& what) const {
    const Token& token = lexer_.token();
    const std::string found =
        token.kind == Token::Kind::end ? "the end" : in_quotes(token.text, 32);
    throw ParseError(lexer_.text(), token.at, fmt::format("expected {}, not {}", what, found));
  }
  [[noreturn]] void expect_operator_or(const std::string& what) const {
    expect("an operator or " + what);
  }
  [[noreturn]] void refuse_depth(std::size_t at) const {
    throw ParseError(lexer_.text(), at,
                     fmt::format("operators and parentheses nest more than {} deep; name parts of "
                                 "the formula with --let",
                                 deepest_expression));
  }

  Lexer lexer_;
  const Scope& scope_;
  std::size_t depth_ = 0;
};

}  // namespace

Expression parse(std::string_view text, const Scope& scope) {
  if (text.size() > longest_text) {
    throw ParseError(text, longest_text,
                     fmt::format("a formula has at most {} characters, this one has {}",
                                 longest_text, text.size()));
  }
  return Parser(text, scope).whole();
}

std::string pointing_at(std::string_view text, std::size_t at) {
  constexpr std::size_t before = 50;
  constexpr std::size_t after = 24;
  const std::size_t first = at > before ? at - before : 0;
  std::string line(text.substr(first, before + after));
  // Characters outside plain ASCII may have any width.
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "  " + line + "\n  " + std::string(at - first, ' ') + "^\n";
}

}  // namespace bankproof::formulas
