// set on integers, f32 and f64 (PTX ISA, "set"): the result of a comparison as a number.
#include "comparing.hpp"
#include "flush.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// The results that the format of the compared numbers does not matter for.
template <class F>
void add_results(Table& table, std::string_view comparison, std::string_view ftz,
                 std::string_view type, F f) {
  add_set<Writes::word>(table, comparison, joined(ftz, ".u32.", type), f);
  add_set<Writes::word>(table, comparison, joined(ftz, ".s32.", type), f);
  add_set<Writes::one_f32>(table, comparison, joined(ftz, ".f32.", type), f);
  add_set<Writes::one_f16>(table, comparison, joined(ftz, ".f16.", type), f);
  add_set<Writes::one_bf16>(table, comparison, joined(ftz, ".bf16.", type), f);
}

template <class T, class Ops>
void add_family(Table& table, std::string_view type, const Ops& comparisons) {
  each(comparisons, [&](auto op) {
    constexpr Comparison comparison = decltype(op)::value;
    add_results(table, op.name, "", type,
                [](T a, T b) { return predicate(holds<comparison>(a, b)); });
  });
}

template <bool ftz>
void add_f32(Table& table, std::string_view modifier) {
  each(float_orders, [&](auto op) {
    constexpr Comparison comparison = decltype(op)::value;
    add_results(table, op.name, modifier, "f32", [](float a, float b) {
      a = flush<ftz>(a);
      b = flush<ftz>(b);
      return predicate(holds<comparison>(a, b));
    });
  });
}

}  // namespace

void add_sets(Table& table) {
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
