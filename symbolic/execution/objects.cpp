// Splits addresses; see objects.hpp.
#include "objects.hpp"

#include <algorithm>

namespace bankproof::symbolic {

namespace {

/// The begin of an object: an unknown of 64 bits or, of shared and local memory, the lowest 32 bits
/// of one.
std::optional<Term> begin_of(const Pool& pool, const Inputs& inputs, Term term) {
  const Node& node = pool.node(term);
  const bool is_half = node.op == Operator::part && node.value == 0 && node.width == 32;
  const Term whole = is_half ? node.operands[0] : term;
  const Object* const object = inputs.object(whole);
  if (object == nullptr) return std::nullopt;
  const bool is_short = object->space == ptx::Space::shared || object->space == ptx::Space::local;
  return is_half && !is_short ? std::nullopt : std::optional(whole);
}

/// Whether an unknown address may be added in the term: one that is loaded, for example. Numbers of
/// 32 bits and products are none.
bool may_have_an_address(const Pool& pool, const Inputs& inputs, Term term) {
  const Node& node = pool.node(term);
  const auto any_of = [&](std::size_t first) {
    return std::any_of(node.operands.begin() + static_cast<std::ptrdiff_t>(first),
                       node.operands.end(),
                       [&](Term operand) { return may_have_an_address(pool, inputs, operand); });
  };
  switch (node.op) {
    case Operator::unknown:
      return node.width == 64 && !inputs.is_counter(term);
    case Operator::sum:
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const bool is_upper_half = (node.coefficients[k] & 0xffffffffU) == 0;
        const bool is_alone = node.coefficients[k] == 1;
        if (is_upper_half || (is_alone && may_have_an_address(pool, inputs, node.operands[k]))) {
          return true;
        }
      }
      return false;
    case Operator::choice:
      return any_of(1);
    case Operator::bits_and:
      return any_of(0);
    case Operator::bits_or:
    case Operator::bits_exclusive_or:
      return node.width == 64;  // halves that are put together
    default:
      return false;
  }
}

}  // namespace

std::optional<std::vector<Place>> places_of(Pool& pool, const Inputs& inputs, Term address) {
  const Node node = pool.node(address);
  if (const auto begin = begin_of(pool, inputs, address)) {
    return std::vector<Place>{{pool.truth(true), *begin, pool.constant(0, 64)}};
  }
  if (node.op == Operator::zero_extended) {
    auto places = places_of(pool, inputs, node.operands[0]);
    return places;
  }
  if (node.op == Operator::choice) {
    const auto yes = places_of(pool, inputs, node.operands[1]);
    const auto no = places_of(pool, inputs, node.operands[2]);
    if (!yes || !no) return std::nullopt;
    std::vector<Place> all;
    const auto add = [&](const std::vector<Place>& places, Term condition) {
      for (const Place& place : places) {
        all.push_back({pool.both(condition, place.condition), place.object, place.offset});
      }
    };
    add(*yes, node.operands[0]);
    add(*no, pool.negation(node.operands[0]));
    return all;
  }
  if (node.op != Operator::sum) return std::nullopt;
  std::optional<std::vector<Place>> found;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (node.coefficients[i] != 1) continue;
    auto places = places_of(pool, inputs, node.operands[i]);
    if (!places) continue;
    if (found) return std::nullopt;  // two addresses
    const Term rest = pool.subtract(address, node.operands[i]);
    const bool is_certain = std::all_of(places->begin(), places->end(), [&](const Place& place) {
      return inputs.object(place.object)->is_certain;
    });
    if (!is_certain && may_have_an_address(pool, inputs, rest)) return std::nullopt;
    for (Place& place : *places) {
      const Term inner = pool.resized(place.offset, node.width, false);
      place.offset = pool.zero_extended(pool.add(inner, rest), 64);
    }
    found = std::move(places);
  }
  return found;
}

}  // namespace bankproof::symbolic
