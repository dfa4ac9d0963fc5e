// cvt between integers (PTX ISA, "cvt"): the low bits, or with .sat the nearest number of the type.
#include <string>

#include "form.hpp"

namespace bankproof::symbolic {

namespace {

struct Range {
  unsigned bits;
  bool is_signed;
};

/// The nearest number of the type `to`, in its bits.
Term nearest(const Form& form, Term a, Range from, Range to) {
  Pool& p = form.pool;
  Term result = p.resized(a, to.bits, from.is_signed);
  const std::uint64_t most = to.is_signed ? mask_of(to.bits - 1) : mask_of(to.bits);
  const std::uint64_t most_of_source = from.is_signed ? mask_of(from.bits - 1) : mask_of(from.bits);
  if (most < most_of_source) {
    const Term above = p.below(form.number(most, from.bits), a, from.is_signed);
    result = p.choice(above, form.number(most, to.bits), result);
  }
  if (from.is_signed && !to.is_signed) {
    result = p.choice(form.is_negative(a), form.number(0, to.bits), result);
  } else if (from.is_signed && to.bits < from.bits) {
    const std::uint64_t least = ~mask_of(to.bits - 1);
    const Term under = p.below(a, form.number(least, from.bits), true);
    result = p.choice(under, form.number(least, to.bits), result);
  }
  return result;
}

/// cvt.pack.sat: two numbers, and what is left of a third word.
Results packed(const Form& form) {
  Pool& p = form.pool;
  const std::string_view type = form.modifiers[2];
  const Range target{static_cast<unsigned>(std::stoul(std::string(type.substr(1)))),
                     type.front() == 's'};
  const Range source{32, true};
  const Term both = p.joined(nearest(form, form.sources[0], source, target),
                             nearest(form, form.sources[1], source, target));
  if (form.sources.size() == 2) return {both};
  return {p.joined(p.part(form.sources[2], 0, 32 - 2 * target.bits), both)};
}

}  // namespace

std::optional<Results> conversions(const Form& form) {
  if (form.base != "cvt") return std::nullopt;
  if (form.has("pack")) return packed(form);
  const ptx::FundamentalType* const from = ptx::find_type(form.type());
  const ptx::FundamentalType* const to = ptx::find_type(form.type(1));
  if (from == nullptr || to == nullptr) return std::nullopt;
  Pool& p = form.pool;
  const Range source{from->bits, form.is_signed()};
  const Range target{to->bits, form.is_signed(1)};
  const Term a = p.part(form.sources[0], 0, source.bits);
  const Term result = form.has("sat") ? nearest(form, a, source, target)
                                      : p.resized(a, target.bits, source.is_signed);
  // Bytes are in registers of 16 bits.
  return Results{p.resized(result, std::max(target.bits, 16U), target.is_signed)};
}

}  // namespace bankproof::symbolic
