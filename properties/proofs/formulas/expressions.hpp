// Random expressions: drawn as trees, written as text with the parentheses that C needs and some
// that it does not need, and shrunk to a readable size.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../proofs/formulas/expression.hpp"
#include "../../../testing/shrinking.hpp"

namespace bankproof::formulas {

/// An operator's text and how tightly it binds in C; the array lists the tightest first.
struct Written {
  std::string_view text;
  int binding;
};
inline constexpr std::array<Written, 19> c_operators = {{{"*", 12},
                                                         {"/", 12},
                                                         {"%", 12},
                                                         {"+", 11},
                                                         {"-", 11},
                                                         {"<<", 10},
                                                         {">>", 10},
                                                         {"<", 9},
                                                         {"<=", 9},
                                                         {">", 9},
                                                         {">=", 9},
                                                         {"==", 8},
                                                         {"!=", 8},
                                                         {"&", 7},
                                                         {"^", 6},
                                                         {"|", 5},
                                                         {"&&", 4},
                                                         {"||", 3},
                                                         {",", 1}}};

/// Writes an expression as text.
class Writer {
 public:
  /// `format` is the format of numbers; the bits of `spare` add parentheses that C does not need.
  explicit Writer(std::vector<std::string> names, std::string format = "{}",
                  std::uint64_t spare = 0, std::array<Written, 19> operators = c_operators)
      : names_(std::move(names)),
        format_(std::move(format)),
        spare_(spare),
        operators_(operators) {}

  std::string operator()(const Expression& e) const { return text(e, 1); }

 private:
  static constexpr int conditional = 2;
  static constexpr int unary = 13;
  static constexpr int primary = 14;

  std::string text(const Expression& e, int at_least) const {
    const auto [text, binding] = e.visit([this](const auto& kind) { return write(kind); });
    const bool spare = (spare_ >> (text.size() % 64) & 1) != 0;
    return binding < at_least || spare ? "(" + text + ")" : text;
  }
  using Piece = std::pair<std::string, int>;
  Piece write(const Number& e) const {
    return {fmt::format(fmt::runtime(format_), e.value), primary};
  }
  Piece write(const Name& e) const { return {names_[e.slot], primary}; }
  Piece write(const Unary& e) const {
    constexpr std::array<std::string_view, 4> signs = {"+", "-", "~", "!"};
    // A blank separates one - from the next.
    return {
        fmt::format("{} {}", signs[static_cast<std::size_t>(e.operation)], text(e.operand, unary)),
        unary};
  }
  Piece write(const Binary& e) const {
    const auto [sign, binding] = operators_[static_cast<std::size_t>(e.operation)];
    return {fmt::format("{} {} {}", text(e.left, binding), sign, text(e.right, binding + 1)),
            binding};
  }
  Piece write(const Conditional& e) const {
    return {fmt::format("{} ? {} : {}", text(e.condition, conditional + 1), text(e.then, 1),
                        text(e.otherwise, conditional)),
            conditional};
  }

  std::vector<std::string> names_;
  std::string format_;
  std::uint64_t spare_;
  std::array<Written, 19> operators_;
};

/// Draws random trees.
class Drawing {
 public:
  Drawing(std::uint64_t seed, std::size_t slots) : random_(seed), slots_(slots) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  Expression tree(std::size_t depth) {
    if (depth == 0 || below(6) == 0) return leaf();
    switch (below(8)) {
      case 0:
        return Expression(Unary{static_cast<UnaryOperator>(below(4)), tree(depth - 1)});
      case 1:
        return Expression(Conditional{tree(depth - 1), tree(depth - 1), tree(depth - 1)});
      default:
        return Expression(
            Binary{static_cast<BinaryOperator>(below(19)), tree(depth - 1), tree(depth - 1)});
    }
  }

  Expression leaf() {
    if (below(2) == 0) return Expression(Name{static_cast<std::size_t>(below(slots_))});
    return Expression(Number{number()});
  }

  /// Draws a number, mostly one that is common in formulas.
  std::uint32_t number() {
    constexpr std::array<std::uint32_t, 8> odd = {0,  1,          31,         32,
                                                  33, 0x7fffffff, 0x80000000, 0xffffffff};
    switch (below(4)) {
      case 0:
        return odd[below(odd.size())];
      case 1:
        return std::uint32_t{1} << below(32);
      case 2:
        return static_cast<std::uint32_t>(random_());
      default:
        return static_cast<std::uint32_t>(below(40));
    }
  }

  /// An expression like those of layouts for 2^bits threads, often a permutation without conflicts.
  Expression layout(unsigned bits, std::uint32_t width) {
    Expression e(Name{0});
    const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
    const auto with = [](BinaryOperator operation, const Expression& a, std::uint32_t b) {
      return Expression(Binary{operation, a, Expression(Number{b})});
    };
    using enum BinaryOperator;
    for (std::uint64_t steps = 1 + below(3); steps > 0; --steps) {
      const auto k = static_cast<std::uint32_t>(1 + below(bits));
      switch (below(6)) {
        case 0:
          e = Expression(Binary{bit_xor, e, with(shift_right, e, k)});
          break;
        case 1:
          e = with(bit_and, Expression(Binary{bit_xor, e, with(shift_left, e, k)}), mask);
          break;
        case 2:
          e = with(bit_and, with(add, e, number()), mask);
          break;
        case 3:
          e = with(bit_and, with(multiply, e, static_cast<std::uint32_t>(1 + below(40))), mask);
          break;
        case 4:  // rotates rows
          e = Expression(Binary{
              add, with(multiply, with(divide, e, width), width),
              with(remainder,
                   Expression(Binary{add, with(remainder, e, width), with(divide, e, width)}),
                   width)});
          break;
        default:
          e = Expression(Binary{add, with(multiply, with(remainder, e, width), (mask + 1) / width),
                                with(divide, e, width)});
          break;
      }
    }
    return e;
  }

 private:
  std::mt19937_64 random_;
  std::size_t slots_;
};

/// A tree in the inputs i and j.
struct Drawn {
  Expression expression{Number{0}};
};

inline std::ostream& operator<<(std::ostream& out, const Drawn& drawn) {
  return out << Writer({"i", "j"})(drawn.expression);
}

/// Smaller trees: parts of the tree, and the tree with a node replaced by one of its operands.
inline std::vector<Expression> simpler_expressions(const Expression& expression) {
  std::vector<Expression> simpler;
  const auto replace = [&](const Expression& part, auto rebuild) {
    for (const Expression& other : simpler_expressions(part)) simpler.push_back(rebuild(other));
  };
  struct Visit {
    std::vector<Expression>& simpler;
    decltype(replace)& replaced;
    void operator()(const Number& e) const {
      if (e.value > 0) simpler.emplace_back(Number{0});
      if (e.value > 1) simpler.emplace_back(Number{e.value / 2});
      // Clears one bit: subtracting 1 would take too many steps.
      if (e.value > 2) simpler.emplace_back(Number{e.value & (e.value - 1)});
    }
    void operator()(const Name&) const { simpler.emplace_back(Number{0}); }
    void operator()(const Unary& e) const {
      simpler.push_back(e.operand);
      replaced(e.operand, [&](const Expression& x) { return Expression(Unary{e.operation, x}); });
    }
    void operator()(const Binary& e) const {
      simpler.push_back(e.left);
      simpler.push_back(e.right);
      replaced(e.left, [&](const Expression& x) {
        return Expression(Binary{e.operation, x, e.right});
      });
      replaced(e.right, [&](const Expression& x) {
        return Expression(Binary{e.operation, e.left, x});
      });
    }
    void operator()(const Conditional& e) const {
      for (const Expression& part : {e.condition, e.then, e.otherwise}) simpler.push_back(part);
      replaced(e.condition, [&](const Expression& x) {
        return Expression(Conditional{x, e.then, e.otherwise});
      });
      replaced(e.then, [&](const Expression& x) {
        return Expression(Conditional{e.condition, x, e.otherwise});
      });
      replaced(e.otherwise, [&](const Expression& x) {
        return Expression(Conditional{e.condition, e.then, x});
      });
    }
  };
  expression.visit(Visit{simpler, replace});
  return simpler;
}

inline std::vector<Drawn> simpler_drawn(const Drawn& drawn) {
  std::vector<Drawn> simpler;
  for (Expression& e : simpler_expressions(drawn.expression)) simpler.push_back({std::move(e)});
  return simpler;
}

}  // namespace bankproof::formulas

namespace rc {

template <>
struct Arbitrary<bankproof::formulas::Drawn> {
  static Gen<bankproof::formulas::Drawn> arbitrary() {
    using bankproof::formulas::Drawing;
    using bankproof::formulas::Drawn;
    return bankproof::testing::shrinking_to(gen::exec([] {
                                              const auto seed = *gen::arbitrary<std::uint64_t>();
                                              return Drawn{Drawing(seed, 2).tree(1 + seed % 5)};
                                            }),
                                            &bankproof::formulas::simpler_drawn);
  }
};

}  // namespace rc
