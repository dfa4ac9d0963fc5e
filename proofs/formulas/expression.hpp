// C integer expressions over unsigned 32-bit values, as trees. Trees are immutable and may share
// parts.
//
// Every value is unsigned and has 32 bits, also numbers and the results (0 or 1) of comparisons, !,
// && and ||. All of C's operators are here except those that assign.
//
// Example: `i ^ ((i & 31) << 5)` is Binary{bit_xor, Name{0}, Binary{shift_left, …}}.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

namespace bankproof::formulas {

enum class UnaryOperator : std::uint8_t { plus, minus, complement, logical_not };

enum class BinaryOperator : std::uint8_t {
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  comma,
};

struct Number;
struct Name;
struct Unary;
struct Binary;
struct Conditional;

class Expression {
 public:
  template <class Kind>
  explicit Expression(Kind kind);

  /// Calls `use` with the node: a Number, a Name, ….
  template <class Use>
  decltype(auto) visit(Use&& use) const;

  /// The deepest nesting of operators.
  std::size_t depth() const;
  /// The number of numbers, names and operators. Shared parts count each time they occur.
  std::size_t size() const;

 private:
  struct Node;
  std::shared_ptr<const Node> node_;
};

struct Number {
  std::uint32_t value;
};

struct Name {
  std::size_t slot;  ///< the index of the name's value in an evaluation
};

struct Unary {
  UnaryOperator operation;
  Expression operand;
};

struct Binary {
  BinaryOperator operation;
  Expression left;
  Expression right;
  std::size_t at = 0;  ///< the operator's position in the text, from 0
};

struct Conditional {
  Expression condition;
  Expression then;
  Expression otherwise;
};

struct Expression::Node {
  std::variant<Number, Name, Unary, Binary, Conditional> kind;
  std::size_t depth;
  std::size_t size;
};

namespace detail {

/// Depth and size of a node.
inline std::pair<std::size_t, std::size_t> measures(const Number&) { return {0, 1}; }
inline std::pair<std::size_t, std::size_t> measures(const Name&) { return {0, 1}; }
inline std::pair<std::size_t, std::size_t> measures(const Unary& e) {
  return {e.operand.depth() + 1, e.operand.size() + 1};
}
inline std::pair<std::size_t, std::size_t> measures(const Binary& e) {
  return {std::max(e.left.depth(), e.right.depth()) + 1, e.left.size() + e.right.size() + 1};
}
inline std::pair<std::size_t, std::size_t> measures(const Conditional& e) {
  return {std::max({e.condition.depth(), e.then.depth(), e.otherwise.depth()}) + 1,
          e.condition.size() + e.then.size() + e.otherwise.size() + 1};
}

}  // namespace detail

template <class Kind>
Expression::Expression(Kind kind) {
  const auto [depth, size] = detail::measures(kind);
  node_ = std::make_shared<const Node>(Node{std::move(kind), depth, size});
}

template <class Use>
decltype(auto) Expression::visit(Use&& use) const {
  return std::visit(std::forward<Use>(use), node_->kind);
}

inline std::size_t Expression::depth() const { return node_->depth; }
inline std::size_t Expression::size() const { return node_->size; }

}  // namespace bankproof::formulas
