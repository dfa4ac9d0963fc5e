// Finds the family of an opcode.
#include "compute.hpp"

#include "form.hpp"

namespace bankproof::symbolic {

std::optional<std::vector<Term>> compute(Pool& pool, std::string_view opcode,
                                         std::size_t destinations, std::span<const Term> sources) {
  Form form{
      .pool = pool, .base = {}, .modifiers = {}, .sources = sources, .destinations = destinations};
  for (std::size_t begin = 0; begin <= opcode.size();) {
    const std::size_t end = std::min(opcode.find('.', begin), opcode.size());
    const std::string_view part = opcode.substr(begin, end - begin);
    if (begin == 0) {
      form.base = part;
    } else {
      form.modifiers.push_back(part);
    }
    begin = end + 1;
  }
  if (auto results = floats(form)) return results;
  // Every other type that the opcode names has to be one of integers, bits or predicates.
  for (const std::string_view modifier : form.modifiers) {
    const ptx::FundamentalType* const type = ptx::find_type(modifier);
    if (type == nullptr) continue;
    if (type->number == ptx::Number::floating || type->number == ptx::Number::bfloat ||
        type->bits > 64) {
      return std::nullopt;
    }
  }
  for (const auto family :
       {integers, products, carries, bit_fields, logic, bytes, comparisons, moves, conversions}) {
    if (auto results = family(form)) return results;
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
