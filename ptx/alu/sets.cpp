// set on integers, f32 and f64 (PTX ISA, "set"): the result of a comparison as a number.
#include "comparing.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// Adds the rows whose result types exist for every type of compared numbers.
template <class F>
void add_results(Table& table, std::string_view comparison, std::string_view ftz,
                 std::string_view type, F f) {
  add_set<Writes::word>(table, comparison, joined(ftz, ".u32.", type), f);
  add_set<Writes::word>(table, comparison, joined(ftz, ".s32.", type), f);
  add_set<Writes::one_f32>(table, comparison, joined(ftz, ".f32.", type), f);
  add_set<Writes::one_f16>(table, comparison, joined(ftz, ".f16.", type), f);
  add_set<Writes::one_bf16>(table, comparison, joined(ftz, ".bf16.", type), f);
}

}  // namespace

void add_sets(Table& table) {
  each_comparison([&](std::string_view comparison, std::string_view ftz, std::string_view type,
                      auto f) { add_results(table, comparison, ftz, type, f); });
}

}  // namespace bankproof::ptx::lanes
