// Prices accesses and adds them up; see cost_log.hpp.
#include "cost_log.hpp"

#include "matrix_words.hpp"

namespace bankproof::ptx {
namespace {

std::uint64_t excess_of(const CostPlace& place, const Cost& cost) {
  return place.shared ? cost.stages - cost.ideal : cost.sectors - cost.ideal_sectors;
}

void add_times(AccessCounts& counts, const Cost& cost, bool shared, std::uint64_t times) {
  if (shared) {
    counts.wavefronts += cost.stages * times;
    counts.ideal_wavefronts += cost.ideal * times;
    return;
  }
  counts.lines += cost.stages * times;
  counts.ideal_lines += cost.ideal * times;
  counts.sectors += cost.sectors * times;
  counts.ideal_sectors += cost.ideal_sectors * times;
}

}  // namespace

void CostLog::add_events(const CostPlace& place, const Cost& cost) {
  const std::uint32_t of_turn = cost.stages / cost.turns;
  for (std::uint32_t turn = 0; turn < cost.turns; ++turn) {
    place.events->push_back(place.shared ? Event::shared(of_turn) : Event::global(of_turn));
  }
}

bool CostLog::is_worst(const CostPlace& place, const Cost& cost) {
  const AccessCounts& counts = counts_of(place.site);
  const KeptPicture& worst = place.shared ? counts.worst_shared : counts.worst_global;
  const std::uint64_t excess = excess_of(place, cost);
  return !worst || worst->excess < excess || (worst->excess == excess && place.warp < worst->warp);
}

const AccessPicture& CostLog::keep_worst(const CostPlace& place, const Priced& access,
                                         const Cost& cost) {
  AccessCounts& counts = counts_of(place.site);
  KeptPicture& worst = place.shared ? counts.worst_shared : counts.worst_global;
  if (is_worst(place, cost)) {
    worst = AccessPicture{.warp = place.warp,
                          .lanes = access.lanes,
                          .element_bytes = access.bytes,
                          .buffer = place.buffer,
                          .addresses = access.at};
    worst->excess = excess_of(place, cost);
  }
  return *worst;
}

void CostLog::begin_rows(const CostPlace& place, std::uint64_t begin, std::uint32_t bytes,
                         const Cost& cost) {
  add_rows(place.site);
  const AccessPicture& worst =
      keep_worst(place, {row_addresses(begin, bytes), all_lanes, bytes}, cost);
  const std::uint64_t excess = excess_of(place, cost);
  rows_[place.site] = {&cost, 1, place.shared, worst.excess == excess ? worst.warp : ThreadName()};
}

void CostLog::add_rows(std::size_t site) {
  Rows& rows = rows_[site];
  if (rows.count == 0) return;
  AccessCounts& counts = counts_of(static_cast<std::uint32_t>(site));
  counts.accesses += rows.count;
  counts.lanes += rows.count * warp_lanes;
  add_times(counts, *rows.cost, rows.shared, rows.count);
  rows.count = 0;
}

const SiteCounts& CostLog::counts() {
  for (const auto& [site, counts] : counts_) add_rows(site);  // whose site has its counts already
  counts_.sort();
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    indices_[counts_.entry(k).first] = static_cast<std::uint32_t>(k) + 1;
  }
  return counts_;
}

const Cost& CostLog::priced(const CostPlace& place, const Priced& access) {
  return place.shared ? prices_.shared(place.site, access.at, access.lanes, access.bytes)
                      : prices_.global(place.site, access.at, access.lanes, access.bytes);
}

void CostLog::add_cost(const CostPlace& place, const Cost& cost) {
  if (place.events != nullptr) add_events(place, cost);
  add_times(counts_of(place.site), cost, place.shared, 1);
}

void CostLog::add_priced(const CostPlace& place, const Priced& access, const Cost& cost) {
  add_cost(place, cost);
  keep_worst(place, access, cost);
}

void CostLog::add(const CostPlace& place, const Footprint& touched, const Cost& cost) {
  AccessCounts& counts = counts_of(place.site);
  ++counts.accesses;
  counts.lanes += static_cast<std::uint32_t>(std::popcount(touched.lanes));
  add_priced(place, {touched.at, touched.lanes, touched.bytes}, cost);
}

void CostLog::add_element(const CostPlace& place, std::uint64_t at, LaneMask lanes,
                          std::uint32_t bytes) {
  AccessCounts& counts = counts_of(place.site);
  ++counts.accesses;
  counts.lanes += static_cast<std::uint32_t>(std::popcount(lanes));
  const Cost* cost = prices_.element(bytes, place.shared);
  if (cost != nullptr && !is_worst(place, *cost)) {
    add_cost(place, *cost);
    return;
  }
  LaneAddresses addresses;
  addresses.fill(at);
  const Priced access{addresses, lanes, bytes};
  add_priced(place, access, cost != nullptr ? *cost : priced(place, access));
}

bool CostLog::add(const CostPlace& place, const Footprint& touched) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(touched.lanes));
  if (!touched.rows_of_matrices) {
    const Cost& cost = price(place, touched);
    add(place, touched, cost);
    return cost.distinct == lanes;
  }
  AccessCounts& counts = counts_of(place.site);
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
