// Prices accesses and adds them up; see cost_log.hpp.
#include "cost_log.hpp"

#include "matrix_words.hpp"

namespace bankproof::ptx {
void CostLog::add_events(const CostPlace& place, const Cost& cost) {
  const std::uint32_t of_turn = cost.stages / cost.turns;
  for (std::uint32_t turn = 0; turn < cost.turns; ++turn) {
    place.events->push_back(place.shared ? Event::shared(of_turn) : Event::global(of_turn));
  }
}

void CostLog::keep(const CostPlace& place, const Priced& access, std::uint64_t excess) {
  AccessCounts& counts = counts_[place.site];
  KeptPicture& worst = place.shared ? counts.worst_shared : counts.worst_global;
  worst = AccessPicture{.warp = place.warp,
                        .lanes = access.lanes,
                        .element_bytes = access.bytes,
                        .buffer = place.buffer,
                        .addresses = access.at};
  worst->excess = excess;
}

void CostLog::keep_row(const CostPlace& place, std::uint64_t begin, std::uint32_t bytes) {
  const Cost& cost = prices_.row(begin, bytes, place.shared);
  keep(place, {row_addresses(begin, bytes), all_lanes, bytes}, excess_of(place, cost));
}

const Cost& CostLog::priced(const CostPlace& place, const Priced& access) {
  return place.shared ? prices_.shared(place.site, access.at, access.lanes, access.bytes)
                      : prices_.global(place.site, access.at, access.lanes, access.bytes);
}

void CostLog::add_priced(const CostPlace& place, const Priced& access, const Cost& cost) {
  if (add_cost(place, cost)) keep(place, access, excess_of(place, cost));
}

void CostLog::add(const CostPlace& place, const Footprint& touched, const Cost& cost) {
  AccessCounts& counts = counts_[place.site];
  ++counts.accesses;
  counts.lanes += static_cast<std::uint32_t>(std::popcount(touched.lanes));
  add_priced(place, {touched.at, touched.lanes, touched.bytes}, cost);
}

bool CostLog::add(const CostPlace& place, const Footprint& touched) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(touched.lanes));
  if (!touched.rows_of_matrices) {
    const Cost& cost = price(place, touched);
    add(place, touched, cost);
    return cost.distinct == lanes;
  }
  AccessCounts& counts = counts_[place.site];
  ++counts.accesses;
  counts.lanes += lanes;
  for (std::uint32_t matrix = 0; matrix < warp_lanes / rows_of_matrix; ++matrix) {
    LaneAddresses words;
    const LaneMask of_matrix = words_of_matrix(touched.at, touched.lanes, matrix, words);
    if (of_matrix == 0) continue;
    const Priced access{words, of_matrix, word_bytes};
    add_priced(place, access, priced(place, access));
  }
  return false;
}

}  // namespace bankproof::ptx
