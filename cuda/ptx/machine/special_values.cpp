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

using Kind = SpecialKind;

// Each block is a cluster of its own.
constexpr std::array<Name, 25> scalars{{
    {"%laneid", {Kind::lane}},
    {"%warpid", {Kind::warp}},
    {"%nwarpid", {Kind::warps}},
    {"%smid", {Kind::multiprocessor}},
    {"%nsmid", {Kind::constant, 0, multiprocessors}},
    {"%gridid", {Kind::launch, 0, 0, LaneType::b64}},
    {"%is_explicit_cluster", {Kind::constant, 0, 0, LaneType::predicate}},
    {"%cluster_ctarank", {Kind::constant, 0, 0}},
    {"%cluster_nctarank", {Kind::constant, 0, 1}},
    {"%lanemask_eq", {Kind::lanes_equal}},
    {"%lanemask_le", {Kind::lanes_up_to}},
    {"%lanemask_lt", {Kind::lanes_below}},
    {"%lanemask_ge", {Kind::lanes_from}},
    {"%lanemask_gt", {Kind::lanes_above}},
    {"%clock", {Kind::clock}},
    {"%clock_hi", {Kind::clock, 0, 32}},
    {"%clock64", {Kind::clock, 0, 0, LaneType::b64}},
    {"%globaltimer", {Kind::clock, 0, 0, LaneType::b64}},
    {"%globaltimer_lo", {Kind::clock}},
    {"%globaltimer_hi", {Kind::clock, 0, 32}},
    {"%total_smem_size", {Kind::shared_bytes}},
    {"%aggr_smem_size", {Kind::shared_bytes}},
    {"%dynamic_smem_size", {Kind::dynamic_shared_bytes}},
    {"%current_graph_exec", {Kind::constant, 0, 0, LaneType::b64}},
    {"WARP_SZ", {Kind::constant, 0, warp_lanes}},
}};

constexpr std::array<Name, 8> vectors{{
    {"%tid", {Kind::thread_index}},
    {"%ntid", {Kind::block_shape}},
    {"%ctaid", {Kind::block_index}},
    {"%nctaid", {Kind::grid_shape}},
    {"%clusterid", {Kind::block_index}},
    {"%nclusterid", {Kind::grid_shape}},
    {"%cluster_ctaid", {Kind::constant, 0, 0}},
    {"%cluster_nctaid", {Kind::constant, 0, 1}},
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
