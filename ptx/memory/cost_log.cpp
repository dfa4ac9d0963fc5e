// Prices accesses and adds them up; see cost_log.hpp.
#include "cost_log.hpp"

#include "matrix_words.hpp"

namespace bankproof::ptx {
namespace {

/// Whether an access with this excess replaces the picture of the worst access.
bool is_worse(const KeptPicture& worst, const ThreadName& warp, std::uint64_t excess) {
  return !worst || worst->excess < excess || (worst->excess == excess && warp < worst->warp);
}

}  // namespace

template <class Picture>
void CostLog::add_cost(const CostPlace& place, const Cost& cost, const Picture& picture) {
  AccessCounts& counts = counts_[place.site];
  const auto note_worst = [&](KeptPicture& worst, std::uint64_t excess) {
    if (is_worse(worst, place.warp, excess)) {
      worst = picture();
      worst->excess = excess;
    }
  };
  if (place.shared) {
    counts.wavefronts += cost.stages;
    counts.ideal_wavefronts += cost.ideal;
    note_worst(counts.worst_shared, cost.stages - cost.ideal);
  } else {
    counts.lines += cost.stages;
    counts.ideal_lines += cost.ideal;
    counts.sectors += cost.sectors;
    counts.ideal_sectors += cost.ideal_sectors;
    note_worst(counts.worst_global, cost.sectors - cost.ideal_sectors);
  }
  if (place.events != nullptr) {
    const std::uint32_t of_turn = cost.stages / cost.turns;
    for (std::uint32_t turn = 0; turn < cost.turns; ++turn) {
      place.events->push_back(place.shared ? Event::shared(of_turn) : Event::global(of_turn));
    }
  }
}

const Cost& CostLog::priced(const CostPlace& place, const Priced& access) {
  return place.shared ? prices_.shared(place.site, access.at, access.lanes, access.bytes)
                      : prices_.global(place.site, access.at, access.lanes, access.bytes);
}

void CostLog::add_priced(const CostPlace& place, const Priced& access, const Cost& cost) {
  add_cost(place, cost, [&] {
    return AccessPicture{.warp = place.warp,
                         .lanes = access.lanes,
                         .element_bytes = access.bytes,
                         .buffer = place.buffer,
                         .addresses = access.at};
  });
}

void CostLog::add(const CostPlace& place, const Footprint& touched, const Cost& cost) {
  AccessCounts& counts = counts_[place.site];
  ++counts.accesses;
  counts.lanes += static_cast<std::uint32_t>(std::popcount(touched.lanes));
  add_priced(place, {touched.at, touched.lanes, touched.bytes}, cost);
}

void CostLog::add_row(const CostPlace& place, std::uint64_t begin, std::uint32_t bytes) {
  AccessCounts& counts = counts_[place.site];
  ++counts.accesses;
  counts.lanes += warp_lanes;
  add_cost(place, prices_.row(begin, bytes, place.shared), [&] {
    return AccessPicture{.warp = place.warp,
                         .lanes = all_lanes,
                         .element_bytes = bytes,
                         .buffer = place.buffer,
                         .addresses = row_addresses(begin, bytes)};
  });
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
