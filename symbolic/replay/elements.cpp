// Evaluates conditions; see elements.hpp.
#include "elements.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "words.hpp"

namespace bankproof::symbolic {

namespace {

using formulas::BinaryOperator;
using formulas::UnaryOperator;

constexpr std::uint64_t most_tries = std::uint64_t{1} << 21U;

/// The number in so many bytes, from a place in more of them.
std::int64_t number_at(const std::vector<std::byte>& bytes, std::uint64_t at, std::uint32_t size,
                       bool is_signed) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &bytes.at(at), size);
  const unsigned above = 64 - 8 * size;
  return is_signed ? static_cast<std::int64_t>(bits << above) >> above
                   : static_cast<std::int64_t>(bits);
}

class Trying {
 public:
  Trying(const ElementCondition& condition, const Launch& launch, Contents contents)
      : condition_(condition), launch_(launch) {
    for (const ElementCondition::Use& use : condition.uses) {
      arrays_.push_back(contents_of(buffer_of(use.pointer), contents));
    }
  }

  bool hold_all() {
    const auto& variables = condition_.variables;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    std::uint64_t tries = 1;
    for (std::size_t v = 0; v < variables.size(); ++v) {
      ranges.push_back(range_of(v));
      const auto [first, end] = ranges.back();
      if (first >= end) return true;
      const auto count = static_cast<std::uint64_t>(end - first);
      if (count > most_tries / tries) return false;
      tries *= count;
      values_[variables[v]] = first;
    }
    for (;;) {
      if (!holds_here()) return false;
      std::size_t v = 0;
      while (v < variables.size() && ++values_[variables[v]] == ranges[v].second) {
        values_[variables[v]] = ranges[v].first;
        ++v;
      }
      if (v == variables.size()) return true;
    }
  }

 private:
  /// Of no bytes if the kernel does not access it: then nothing is allocated.
  LaunchBuffer buffer_of(const NamedValue& pointer) const {
    const auto all = launch_.buffers.find(pointer.index);
    if (all == launch_.buffers.end()) return {};
    const auto found =
        std::find_if(all->second.begin(), all->second.end(),
                     [&](const LaunchBuffer& one) { return one.offset == pointer.offset; });
    return found == all->second.end() ? LaunchBuffer{} : *found;
  }

  std::int64_t count_of(std::size_t use) const {
    const std::uint32_t bytes = condition_.uses[use].pointer.element_bytes.value_or(1);
    return static_cast<std::int64_t>(arrays_[use].size() / bytes);
  }

  /// The values for which the elements are there of which it is the plain subscript.
  std::pair<std::int64_t, std::int64_t> range_of(std::size_t variable) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    for (std::size_t u = 0; u < condition_.uses.size(); ++u) {
      const auto& plain = condition_.uses[u].plain;
      if (!plain || plain->variable != variable) continue;
      first = std::max(first, -plain->plus);
      end = std::min(end, count_of(u) - plain->plus);
    }
    return {first, end};
  }

  /// Whether it holds for these values of the variables, or an element is not there.
  bool holds_here() {
    for (std::size_t u = 0; u < condition_.uses.size(); ++u) {
      const ElementCondition::Use& use = condition_.uses[u];
      const auto index = value(use.subscript);
      if (!index) return false;
      if (*index < 0 || *index >= count_of(u)) return true;
      const std::uint32_t bytes = use.pointer.element_bytes.value_or(1);
      values_[use.slot] = number_at(arrays_[u], static_cast<std::uint64_t>(*index) * bytes, bytes,
                                    use.pointer.is_signed);
    }
    return value(condition_.condition).value_or(0) != 0;
  }

  // ---- Values of 64 bits, with a sign; nothing where C has none.

  using Value = std::optional<std::int64_t>;

  Value value(const formulas::Expression& e) {
    return e.visit([&](const auto& node) { return this->of(node); });
  }

  static Value of(const formulas::Number& e) { return e.value; }

  Value of(const formulas::Name& e) {
    const auto known = values_.find(e.slot);
    if (known != values_.end()) return known->second;
    const Names::Meaning& meaning = condition_.names.meaning(e.slot);
    std::int64_t number = 0;
    if (meaning.value) {
      const NamedValue& one = *meaning.value;
      number = number_at(launch_.parameters.at(one.index), one.offset, one.bytes, one.is_signed);
    } else {
      const auto& sizes =
          meaning.special[1] == 't' || meaning.special[2] == 't' ? launch_.block : launch_.grid;
      number = sizes.at(static_cast<std::size_t>(meaning.special.back() - 'x'));
    }
    return values_[e.slot] = number;
  }

  Value of(const formulas::Unary& e) {
    const Value x = value(e.operand);
    if (!x) return x;
    switch (e.operation) {
      case UnaryOperator::minus:
        return static_cast<std::int64_t>(-static_cast<std::uint64_t>(*x));
      case UnaryOperator::complement:
        return ~*x;
      case UnaryOperator::logical_not:
        return *x == 0 ? 1 : 0;
      default:
        return x;
    }
  }

  Value of(const formulas::Conditional& e) {
    const Value condition = value(e.condition);
    if (!condition) return condition;
    return value(*condition != 0 ? e.then : e.otherwise);
  }

  Value of(const formulas::Binary& e) {
    const Value a = value(e.left);
    if (!a) return a;
    if (e.operation == BinaryOperator::logical_and && *a == 0) return 0;
    if (e.operation == BinaryOperator::logical_or && *a != 0) return 1;
    const Value b = value(e.right);
    return b ? result(e.operation, *a, *b) : b;
  }

  static Value result(BinaryOperator operation, std::int64_t a, std::int64_t b) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    const bool wraps = b == -1 && a == std::numeric_limits<std::int64_t>::min();
    const bool divides = b != 0 && !wraps;
    switch (operation) {
      case BinaryOperator::multiply:
        return static_cast<std::int64_t>(x * y);
      case BinaryOperator::divide:
        return divides ? Value(a / b) : Value();
      case BinaryOperator::remainder:
        return divides ? Value(a % b) : Value();
      case BinaryOperator::add:
        return static_cast<std::int64_t>(x + y);
      case BinaryOperator::subtract:
        return static_cast<std::int64_t>(x - y);
      case BinaryOperator::shift_left:
        return y < 64 ? Value(static_cast<std::int64_t>(x << y)) : Value();
      case BinaryOperator::shift_right:
        return y < 64 ? Value(a >> y) : Value();
      case BinaryOperator::less:
        return a < b ? 1 : 0;
      case BinaryOperator::less_or_equal:
        return a <= b ? 1 : 0;
      case BinaryOperator::greater:
        return a > b ? 1 : 0;
      case BinaryOperator::greater_or_equal:
        return a >= b ? 1 : 0;
      case BinaryOperator::equal:
        return a == b ? 1 : 0;
      case BinaryOperator::not_equal:
        return a != b ? 1 : 0;
      case BinaryOperator::bit_and:
        return a & b;
      case BinaryOperator::bit_xor:
        return a ^ b;
      case BinaryOperator::bit_or:
        return a | b;
      case BinaryOperator::logical_and:
      case BinaryOperator::logical_or:
        return b != 0 ? 1 : 0;
      default:
        return b;
    }
  }

  const ElementCondition& condition_;
  const Launch& launch_;
  std::vector<std::vector<std::byte>> arrays_;  // of each use
  std::map<std::size_t, std::int64_t> values_;  // by slot
};

}  // namespace

bool holds(const ElementCondition& condition, const Launch& launch, Contents contents) {
  return Trying(condition, launch, contents).hold_all();
}

}  // namespace bankproof::symbolic
