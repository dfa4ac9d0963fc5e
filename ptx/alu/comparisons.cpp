// setp on integers, f32 and f64 (PTX ISA, "setp").
#include "comparing.hpp"

namespace bankproof::ptx::lanes {

void add_comparisons(Table& table) {
  each_comparison([&](std::string_view comparison, std::string_view ftz, std::string_view type,
                      auto f) { add_setp<true>(table, comparison, joined(ftz, ".", type), f); });
}

}  // namespace bankproof::ptx::lanes
