// Four lanes that are judged at once leave the records that they leave one by one.
#include "../../../ptx/races/judge_four.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace bankproof::ptx {
namespace {

constexpr WarpNumber first_of_block = 8;
constexpr std::uint32_t warps = 4;
constexpr std::size_t lines = 4;

/// A record of any warp of the launch or of an earlier launch, often one that is usual.
SectorRecord some_record(SectorRecord mine) {
  const auto kind = *rc::gen::inRange(0, 20);
  if (kind < 8) return {};
  if (kind < 10) return mine;
  const auto warp = *rc::gen::inRange<WarpNumber>(3, first_of_block + warps + 3);
  const auto epoch = *rc::gen::inRange<Epoch>(1, 4);
  const auto words = *rc::gen::inRange<WordMask>(1, all_words + 1);
  if (kind == 10) return SectorRecord::split(warp, epoch);
  const auto lane = *rc::gen::inRange(0U, warp_lanes);
  const auto form = *rc::gen::element(SectorForm::words, SectorForm::pairs, SectorForm::one);
  const SectorRecord one = SectorRecord::of(warp, epoch, form, lane, words);
  if (kind < 13) return one;
  return one.with_many(kind < 15 ? Form::warps : Form::blocks);
}

template <bool writes>
void expect_same() {
  const Scattering launch{.past = {ShadowWord::first_of(*rc::gen::inRange<WarpNumber>(4, 9)), 0},
                          .first = first_of_block,
                          .warps = warps,
                          .merges = *rc::gen::arbitrary<bool>()};
  const auto words = *rc::gen::element(1U, 2U, 4U);
  const SectorForm form = words == 1   ? SectorForm::words
                          : words == 2 ? SectorForm::pairs
                                       : SectorForm::quads;
  const std::uint32_t first = 4 * *rc::gen::inRange(0U, warp_lanes / 4);
  const WarpNumber warp = first_of_block + *rc::gen::inRange(0U, warps);
  const RecordsOfLanes records(warp, 2, form, words);
  SectorLine::Four at;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto sector = *rc::gen::inRange<std::uint64_t>(0, 12) * SectorLine::sectors + k;
    const auto word = *rc::gen::inRange(0U, words_of_sector / words) * words;
    at[k] = sector % (SectorLine::sectors * lines) * sector_bytes + std::uint64_t{word} * 4;
  }
  if (*rc::gen::inRange(0, 8) == 0) at[*rc::gen::inRange(0U, 4U)] = at[*rc::gen::inRange(0U, 4U)];
  SectorLine::Four mine;
  records.of(first, at, mine);
  std::array<SectorLine, lines> one_by_one{};
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint64_t sector = at[k] / sector_bytes;
    const auto word = static_cast<std::uint32_t>(at[k] % sector_bytes / 4);
    const auto lane = static_cast<std::uint32_t>(first + k);
    RC_ASSERT(mine[k] == SectorRecord::of(warp, 2, form, SectorRecord::first_lane(form, lane, word),
                                          ((1U << words) - 1U) << word)
                             .bits());
    SectorLine& line = one_by_one[sector / SectorLine::sectors];
    line.writes[sector % SectorLine::sectors] = some_record(SectorRecord(mine[k]));
    line.reads[sector % SectorLine::sectors] = some_record(SectorRecord(mine[k]));
  }
  const std::array<SectorLine, lines> before = one_by_one;
  std::array<SectorLine, lines> at_once = one_by_one;
  bool usual = true;
  bool apart = true;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint64_t sector = at[k] / sector_bytes;
    SectorLine& line = one_by_one[sector / SectorLine::sectors];
    usual &= judge_usual<writes, false>(
        {line.writes[sector % SectorLine::sectors], line.reads[sector % SectorLine::sectors]},
        launch, SectorRecord(mine[k]));
    for (std::size_t j = 0; j < k; ++j) apart &= at[j] / sector_bytes != sector;
  }
  const bool judged = judge_four<writes>(at_once.data(), at, launch, mine);
  RC_CLASSIFY(judged, "judged");
  RC_CLASSIFY(!apart, "two in a sector");
  RC_ASSERT(judged == (usual && apart));
  const auto& expected = judged ? one_by_one : before;
  RC_ASSERT(std::memcmp(&at_once, &expected, sizeof at_once) == 0);
}

RC_GTEST_PROP(FourLanes, are_judged_as_one_by_one, ()) {
  for (int k = 0; k < 20; ++k) {
    expect_same<true>();
    expect_same<false>();
  }
}

}  // namespace
}  // namespace bankproof::ptx
