// The table of special registers (PTX ISA, "Special Registers").
#include "special_values.hpp"

#include <algorithm>
#include <array>

#include "limits.hpp"

namespace bankproof::ptx {

namespace {

struct Name {
  std::string_view name;
  SpecialValue value;
};

// Each block is its own cluster.
constexpr std::array<Name, 25> scalars{{
    {"%laneid", {SpecialKind::lane}},
    {"%warpid", {SpecialKind::warp}},
    {"%nwarpid", {SpecialKind::warps}},
    {"%smid", {SpecialKind::multiprocessor}},
    {"%nsmid", {SpecialKind::constant, 0, multiprocessors}},
    {"%gridid", {SpecialKind::launch, 0, 0, LaneType::b64}},
    {"%is_explicit_cluster", {SpecialKind::constant, 0, 0, LaneType::predicate}},
    {"%cluster_ctarank", {SpecialKind::constant, 0, 0}},
    {"%cluster_nctarank", {SpecialKind::constant, 0, 1}},
    {"%lanemask_eq", {SpecialKind::lanes_equal}},
    {"%lanemask_le", {SpecialKind::lanes_up_to}},
    {"%lanemask_lt", {SpecialKind::lanes_below}},
    {"%lanemask_ge", {SpecialKind::lanes_from}},
    {"%lanemask_gt", {SpecialKind::lanes_above}},
    {"%clock", {SpecialKind::clock}},
    {"%clock_hi", {SpecialKind::clock, 0, 32}},
    {"%clock64", {SpecialKind::clock, 0, 0, LaneType::b64}},
    {"%globaltimer", {SpecialKind::clock, 0, 0, LaneType::b64}},
    {"%globaltimer_lo", {SpecialKind::clock}},
    {"%globaltimer_hi", {SpecialKind::clock, 0, 32}},
    {"%total_smem_size", {SpecialKind::shared_bytes}},
    {"%aggr_smem_size", {SpecialKind::shared_bytes}},
    {"%dynamic_smem_size", {SpecialKind::dynamic_shared_bytes}},
    {"%current_graph_exec", {SpecialKind::constant, 0, 0, LaneType::b64}},
    {"WARP_SZ", {SpecialKind::constant, 0, warp_lanes}},
}};

constexpr std::array<Name, 8> vectors{{
    {"%tid", {SpecialKind::thread_index}},
    {"%ntid", {SpecialKind::block_shape}},
    {"%ctaid", {SpecialKind::block_index}},
    {"%nctaid", {SpecialKind::grid_shape}},
    {"%clusterid", {SpecialKind::block_index}},
    {"%nclusterid", {SpecialKind::grid_shape}},
    {"%cluster_ctaid", {SpecialKind::constant, 0, 0}},
    {"%cluster_nctaid", {SpecialKind::constant, 0, 1}},
}};

template <class Names>
std::optional<SpecialValue> find(const Names& names, std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const Name& candidate) { return candidate.name == name; });
  if (found == names.end()) return std::nullopt;
  return found->value;
}

}  // namespace

std::optional<SpecialValue> special_value(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return find(scalars, name);
  const std::size_t component = std::string_view("xyzw").find(name.substr(dot + 1));
  std::optional<SpecialValue> value = find(vectors, name.substr(0, dot));
  if (!value || name.size() != dot + 2 || component > 3) return std::nullopt;
  value->component = static_cast<std::uint32_t>(component);
  return value;
}

}  // namespace bankproof::ptx
