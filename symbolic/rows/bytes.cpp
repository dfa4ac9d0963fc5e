// prmt and vabsdiff (PTX ISA, "prmt", "SIMD Video Instructions").
#include <array>
#include <utility>

#include "form.hpp"

namespace bankproof::symbolic {

namespace {

/// The byte that the low three bits of the selector choose; bit 3 repeats its highest bit.
Term chosen_byte(Pool& p, Term bytes, Term selector) {
  const Term place = p.scale(p.zero_extended(p.part(selector, 0, 3), 32), 8);
  const Term byte = p.part(p.shift_right(bytes, place, false), 0, 8);
  return p.choice(p.part(selector, 3, 1), p.sign_extended(p.part(byte, 7, 1), 8), byte);
}

Term permuted(Pool& p, Term a, Term b, Term selectors) {
  const Term bytes = p.joined(b, a);
  Term word = chosen_byte(p, bytes, p.part(selectors, 0, 4));
  for (unsigned i = 1; i < 4; ++i) {
    word = p.joined(chosen_byte(p, bytes, p.part(selectors, 4 * i, 4)), word);
  }
  return word;
}

using Selectors = std::array<std::uint64_t, 4>;

constexpr std::array<std::pair<std::string_view, Selectors>, 6> modes{{
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
    {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
    {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
    {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
}};

Term permuted_by_mode(const Form& form, const Selectors& selectors) {
  Pool& p = form.pool;
  Term result{};
  for (unsigned i = 4; i-- > 0;) {
    const Term word = permuted(p, form.sources[0], form.sources[1], form.number(selectors[i], 32));
    result =
        i == 3 ? word
               : p.choice(p.equal(p.part(form.sources[2], 0, 2), form.number(i, 2)), word, result);
  }
  return result;
}

/// The distances of all parts of `bits` bits, or the sum of these distances and the third source.
Term distances(const Form& form, unsigned bits) {
  Pool& p = form.pool;
  Term word = form.number(0, 32);
  Term sum = form.sources[2];
  for (unsigned at = 0; at < 32; at += bits) {
    const Term x = p.part(form.sources[0], at, bits);
    const Term y = p.part(form.sources[1], at, bits);
    const Term distance =
        p.zero_extended(p.choice(p.below(x, y, false), p.subtract(y, x), p.subtract(x, y)), 32);
    word = p.add(word, p.scale(distance, std::uint64_t{1} << at));
    sum = p.add(sum, distance);
  }
  return form.has("add") ? sum : word;
}

}  // namespace

std::optional<Results> bytes(const Form& form) {
  if (form.base == "vabsdiff2") return Results{distances(form, 16)};
  if (form.base == "vabsdiff4") return Results{distances(form, 8)};
  if (form.base != "prmt") return std::nullopt;
  for (const auto& [name, selectors] : modes) {
    if (form.has(name)) return Results{permuted_by_mode(form, selectors)};
  }
  return Results{permuted(form.pool, form.sources[0], form.sources[1], form.sources[2])};
}

}  // namespace bankproof::symbolic
