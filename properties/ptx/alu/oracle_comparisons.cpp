// setp and set (PTX ISA, "Comparison and Selection Instructions", "Half Precision Comparison
// Instructions").
#include <compare>

#include "oracle.hpp"

namespace bankproof::ptx {

namespace {

bool holds(std::string_view op, std::partial_ordering order) {
  const bool unordered = order == std::partial_ordering::unordered;
  if (op == "num") return !unordered;
  if (op == "nan") return unordered;
  if (op.size() == 3 && op.back() == 'u') return unordered || holds(op.substr(0, 2), order);
  if (unordered) return false;
  if (op == "eq") return std::is_eq(order);
  if (op == "ne") return std::is_neq(order);
  if (op == "lt" || op == "lo") return std::is_lt(order);
  if (op == "le" || op == "ls") return std::is_lteq(order);
  if (op == "gt" || op == "hi") return std::is_gt(order);
  if (op == "ge" || op == "hs") return std::is_gteq(order);
  throw std::invalid_argument("no comparison: " + std::string(op));
}

std::partial_ordering order_of(Bits a, Bits b, std::string_view type, bool ftz) {
  if (!is_float(type)) return value_of(a, type) <=> value_of(b, type);
  const Format format = format_of(type);
  const auto number = [&](Bits x) {
    return decoded(flushed(static_cast<std::uint64_t>(low_bits(x, format.bits())), format, ftz),
                   format);
  };
  return compare(number(a), number(b));
}

std::string_view take_first(Spelling& op) {
  // The modifiers that were taken before could have one of these names, too; of the remaining ones,
  // only the comparison can.
  for (const std::string_view name : {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                                      "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
    if (op.take(name)) return name;
  }
  throw std::invalid_argument("no comparison in " + op.left());
}

Bits one(std::string_view type) {
  const Format format = format_of(type);
  return static_cast<Bits>(format.bias()) << format.fraction;
}

}  // namespace

std::optional<Results> comparison_result(Case& a, std::string_view type) {
  const bool is_set = a.op.base() == "set";
  if (!is_set && a.op.base() != "setp") return {};
  const std::string_view result = is_set ? a.op.take_last() : std::string_view{};
  const bool ftz = a.op.take("ftz");
  const bool with_and = a.op.take("and");
  const bool with_or = a.op.take("or");
  const bool with_xor = a.op.take("xor");
  const std::string_view op = take_first(a.op);
  const auto joined = [&](bool holds) {
    const bool c = a.s.size() > 2 && a.s[2] != 0;
    return with_and ? holds && c : with_or ? holds || c : with_xor ? holds != c : holds;
  };
  std::vector<bool> truths;
  if (is_pair(type)) {
    const std::string_view element = type.substr(0, type.size() - 2);
    truths.push_back(holds(op, order_of(a.s[0], a.s[1], element, ftz)));
    truths.push_back(holds(op, order_of(a.s[0] >> 16, a.s[1] >> 16, element, ftz)));
  } else {
    truths.push_back(holds(op, order_of(a.s[0], a.s[1], type, ftz)));
    if (a.destinations == 2) truths.push_back(!truths[0]);
  }
  Results results;
  if (!is_set) {
    for (const bool truth : truths) results.push_back(predicate_bits(joined(truth)));
    return results;
  }
  results.push_back(0);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const std::string_view element = is_pair(result) ? result.substr(0, result.size() - 2) : result;
    const int n = is_pair(type) ? 16 : bits_of(element);
    const Bits truth = is_float(element) ? one(element) : (Bits{1} << n) - 1;
    if (joined(truths[i])) results[0] |= truth << (n * static_cast<int>(i));
  }
  return results;
}

}  // namespace bankproof::ptx
