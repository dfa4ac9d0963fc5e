// setp on integers, f32 and f64 (PTX ISA, "setp").
#include "comparing.hpp"
#include "flush.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T, class Ops>
void add_family(Table& table, std::string_view type, const Ops& comparisons) {
  each(comparisons, [&](auto op) {
    constexpr Comparison comparison = decltype(op)::value;
    add_setp<true>(table, op.name, joined(".", type),
                   [](T a, T b) { return predicate(holds<comparison>(a, b)); });
  });
}

template <bool ftz>
void add_f32(Table& table, std::string_view modifier) {
  each(float_orders, [&](auto op) {
    constexpr Comparison comparison = decltype(op)::value;
    add_setp<true>(table, op.name, joined(modifier, ".f32"), [](float a, float b) {
      a = flush<ftz>(a);
      b = flush<ftz>(b);
      return predicate(holds<comparison>(a, b));
    });
  });
}

}  // namespace

void add_comparisons(Table& table) {
  each(signed_types,
       [&](auto type) { add_family<typename decltype(type)::Type>(table, type.name, orders); });
  each(unsigned_types, [&](auto type) {
    add_family<typename decltype(type)::Type>(table, type.name, unsigned_orders);
  });
  each(bit_types,
       [&](auto type) { add_family<typename decltype(type)::Type>(table, type.name, equalities); });
  add_family<double>(table, "f64", float_orders);
  optional(".ftz", [&](auto ftz, std::string_view modifier) {
    add_f32<decltype(ftz)::value>(table, modifier);
  });
}

}  // namespace bankproof::ptx::lanes
