// mov, selp, slct, packing and unpacking (PTX ISA, "Data Movement and Conversion Instructions",
// "Comparison and Selection Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

std::optional<Results> moves(const Form& form) {
  Pool& p = form.pool;
  if (form.base == "mov") {
    // Bytes are kept in registers of 16 bits, without a sign.
    const bool is_byte = form.type().ends_with("8");
    return Results{is_byte ? p.zero_extended(p.part(form.sources[0], 0, 8), 16) : form.sources[0]};
  }
  if (form.base == "selp") {
    return Results{p.choice(form.sources[2], form.sources[0], form.sources[1])};
  }
  if (form.base == "slct") {
    return Results{p.choice(form.is_negative(form.sources[2]), form.sources[1], form.sources[0])};
  }
  const auto bits_of = [&](std::size_t from_last) {
    return ptx::find_type(form.type(from_last))->bits;
  };
  if (form.base == "pack") {
    Term all = p.part(form.sources[0], 0, bits_of(0));
    for (const Term next : form.sources.subspan(1)) {
      all = p.joined(p.part(next, 0, bits_of(0)), all);
    }
    return Results{all};
  }
  if (form.base == "unpack") {
    Results parts;
    const unsigned bits = bits_of(0);
    for (unsigned at = 0; at < bits_of(1); at += bits) {
      parts.push_back(p.zero_extended(p.part(form.sources[0], at, bits), std::max(bits, 16U)));
    }
    return parts;
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
