// setp and set (PTX ISA, "Comparison and Selection Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

namespace {

std::optional<Term> compared(Pool& p, std::string_view how, Term a, Term b, bool is_signed) {
  if (how == "eq") return p.equal(a, b);
  if (how == "ne") return p.negation(p.equal(a, b));
  if (how == "lt" || how == "lo") return p.below(a, b, is_signed);
  if (how == "le" || how == "ls") return p.at_most(a, b, is_signed);
  if (how == "gt" || how == "hi") return p.below(b, a, is_signed);
  if (how == "ge" || how == "hs") return p.at_most(b, a, is_signed);
  return std::nullopt;
}

}  // namespace

std::optional<Results> comparisons(const Form& form) {
  if (form.base != "setp" && form.base != "set") return std::nullopt;
  Pool& p = form.pool;
  const auto result =
      compared(p, form.modifiers.front(), form.sources[0], form.sources[1], form.is_signed());
  if (!result) return std::nullopt;
  const auto joined = [&](Term a) {
    if (form.has("and")) return p.both(a, form.sources[2]);
    if (form.has("or")) return p.either(a, form.sources[2]);
    return form.has("xor") ? p.bits_exclusive_or(a, form.sources[2]) : a;
  };
  if (form.base == "set") return Results{p.sign_extended(joined(*result), 32)};
  Results results{joined(*result)};
  if (form.destinations == 2) results.push_back(joined(p.negation(*result)));
  return results;
}

}  // namespace bankproof::symbolic
