// The second stage of comparisons; see comparing.hpp.
#include "comparing.hpp"

namespace bankproof::ptx::lanes {

void join(const WarpState& warp, const Op* op, Masks& masks, Joined how) {
  if (how == Joined::alone) return;
  const auto* c = warp.lanes<const U32>(op->s[2]);
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    U32& mask = masks.lanes[lane];
    mask = how == Joined::with_and  ? mask & c[lane]
           : how == Joined::with_or ? mask | c[lane]
                                    : mask ^ c[lane];
  }
}

namespace {

/// Writes the lanes for which the mask is all ones.
template <class W>
void write(const WarpState& warp, Slot to, const std::array<W, warp_lanes>& lanes,
           const Mask& mask) {
  merge(warp.lanes<W>(to), lanes.data(), mask);
}

template <Writes what>
auto written(U32 mask) {
  if constexpr (what == Writes::word) return mask;
  if constexpr (what == Writes::half_word) return static_cast<U16>(mask);
  if constexpr (what == Writes::one_f32) return mask & 0x3f800000U;
  if constexpr (what == Writes::one_f16) return static_cast<U16>(mask & 0x3c00U);
  if constexpr (what == Writes::one_bf16) return static_cast<U16>(mask & 0x3f80U);
  if constexpr (what == Writes::pair_f16) return mask & 0x3c003c00U;
  if constexpr (what == Writes::pair_bf16) return mask & 0x3f803f80U;
}

}  // namespace

template <Joined how, bool both>
const Op* finish_setp(WarpState& warp, const Op* op, const Masks& masks) {
  alignas(slot_alignment) Mask space;
  const Mask& lanes = lanes_of(warp, op, space);
  Masks p = masks;
  join(warp, op, p, how);
  Masks q = masks;
  if constexpr (both) {
    for (U32& mask : q.lanes) mask = ~mask;
    join(warp, op, q, how);
  }
  write(warp, op->d[0], p.lanes, lanes);
  if constexpr (both) write(warp, op->d[1], q.lanes, lanes);
  return op + 1;
}

template <Joined how>
const Op* finish_setp_of_pairs(WarpState& warp, const Op* op, const Masks& masks) {
  alignas(slot_alignment) Mask space;
  const Mask& lanes = lanes_of(warp, op, space);
  Masks p;
  Masks q;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    p.lanes[lane] = 0U - (masks.lanes[lane] & 1U);
    q.lanes[lane] = 0U - (masks.lanes[lane] >> 31U);
  }
  join(warp, op, p, how);
  join(warp, op, q, how);
  write(warp, op->d[0], p.lanes, lanes);
  write(warp, op->d[1], q.lanes, lanes);
  return op + 1;
}

template <Joined how, Writes what>
const Op* finish_set(WarpState& warp, const Op* op, Masks& masks) {
  alignas(slot_alignment) Mask space;
  const Mask& lanes = lanes_of(warp, op, space);
  join(warp, op, masks, how);
  std::array<decltype(written<what>(0)), warp_lanes> results;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    results[lane] = written<what>(masks.lanes[lane]);
  }
  write(warp, op->d[0], results, lanes);
  return op + 1;
}

#define BANKPROOF_INSTANTIATE(how)                                                      \
  template const Op* finish_setp<how, false>(WarpState&, const Op*, const Masks&);      \
  template const Op* finish_setp<how, true>(WarpState&, const Op*, const Masks&);       \
  template const Op* finish_setp_of_pairs<how>(WarpState&, const Op*, const Masks&);    \
  template const Op* finish_set<how, Writes::word>(WarpState&, const Op*, Masks&);      \
  template const Op* finish_set<how, Writes::half_word>(WarpState&, const Op*, Masks&); \
  template const Op* finish_set<how, Writes::one_f32>(WarpState&, const Op*, Masks&);   \
  template const Op* finish_set<how, Writes::one_f16>(WarpState&, const Op*, Masks&);   \
  template const Op* finish_set<how, Writes::one_bf16>(WarpState&, const Op*, Masks&);  \
  template const Op* finish_set<how, Writes::pair_f16>(WarpState&, const Op*, Masks&);  \
  template const Op* finish_set<how, Writes::pair_bf16>(WarpState&, const Op*, Masks&)

BANKPROOF_INSTANTIATE(Joined::alone);
BANKPROOF_INSTANTIATE(Joined::with_and);
BANKPROOF_INSTANTIATE(Joined::with_or);
BANKPROOF_INSTANTIATE(Joined::with_xor);

namespace {

constexpr std::array<std::string_view, 4> joinings{"", ".and", ".or", ".xor"};
constexpr std::array<LaneType, 2> predicates{LaneType::predicate, LaneType::predicate};

/// The row of a comparison. Its sources are two numbers and, if the comparison is joined with a
/// predicate, this predicate.
void put_comparison(Table& table, std::string_view base, std::string_view comparison,
                    std::size_t joining, std::string_view suffix,
                    std::span<const LaneType> destinations, LaneType type, Step step) {
  const std::array<LaneType, 3> sources{type, type, LaneType::predicate};
  table.put(joined(base, comparison, joinings[joining], suffix), step, destinations,
            std::span(sources).first(joining == 0 ? 2 : 3));
}

}  // namespace

void put_setp(Table& table, std::string_view comparison, std::string_view suffix, LaneType type,
              const SetpSteps& steps) {
  const std::span<const LaneType> both(predicates);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    put_comparison(table, "setp.", comparison, (i + 1) % 4, suffix, i < 3 ? both.first(1) : both,
                   type, steps[i]);
  }
}

void put_setp_of_pairs(Table& table, std::string_view comparison, std::string_view suffix,
                       const PairSteps& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    put_comparison(table, "setp.", comparison, i, suffix, predicates, LaneType::b32, steps[i]);
  }
}

void put_set(Table& table, std::string_view comparison, std::string_view suffix, LaneType result,
             LaneType type, const SetSteps& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    put_comparison(table, "set.", comparison, i, suffix, std::span(&result, 1), type, steps[i]);
  }
}

}  // namespace bankproof::ptx::lanes
