// The special registers of PTX (PTX ISA, "Special Registers") and the constant WARP_SZ.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace bankproof::ptx {

/// The special registers with the components x, y, z and w.
inline constexpr std::array<std::string_view, 8> vector_specials{
    "%tid",       "%ntid",       "%ctaid",         "%nctaid",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

inline constexpr std::array<std::string_view, 26> scalar_specials{"%laneid",
                                                                  "%warpid",
                                                                  "%nwarpid",
                                                                  "%smid",
                                                                  "%nsmid",
                                                                  "%gridid",
                                                                  "%is_explicit_cluster",
                                                                  "%cluster_ctarank",
                                                                  "%cluster_nctarank",
                                                                  "%lanemask_eq",
                                                                  "%lanemask_le",
                                                                  "%lanemask_lt",
                                                                  "%lanemask_ge",
                                                                  "%lanemask_gt",
                                                                  "%clock",
                                                                  "%clock_hi",
                                                                  "%clock64",
                                                                  "%globaltimer",
                                                                  "%globaltimer_lo",
                                                                  "%globaltimer_hi",
                                                                  "%total_smem_size",
                                                                  "%aggr_smem_size",
                                                                  "%dynamic_smem_size",
                                                                  "%current_graph_exec",
                                                                  "%reserved_smem_offset_1",
                                                                  "WARP_SZ"};

inline bool is_vector_special(std::string_view name) {
  return std::find(vector_specials.begin(), vector_specials.end(), name) != vector_specials.end();
}

/// %envreg0 … %envreg31, in which a driver tells a program about its launch.
inline bool is_environment(std::string_view name) {
  constexpr std::string_view prefix = "%envreg";
  if (!name.starts_with(prefix)) return false;
  const std::string_view number = name.substr(prefix.size());
  if (number.size() == 1) return number[0] >= '0' && number[0] <= '9';
  return number.size() == 2 && number >= "10" && number <= "31" && number[1] >= '0' &&
         number[1] <= '9';
}

/// Whether the name, which is given without a component, is that of a special register.
inline bool is_special(std::string_view name) {
  return is_vector_special(name) || is_environment(name) ||
         std::find(scalar_specials.begin(), scalar_specials.end(), name) != scalar_specials.end();
}

}  // namespace bankproof::ptx
