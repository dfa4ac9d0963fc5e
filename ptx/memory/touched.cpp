// See touched.hpp.
#include "touched.hpp"

#include <algorithm>
#include <tuple>

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t word_bytes = 4;

/// Appends the bytes of a word, and joins them with the bytes before them.
void append(std::vector<Touched>& all, std::uint64_t word, std::uint32_t bytes, Use use) {
  for (std::uint32_t byte = 0; byte < word_bytes; ++byte) {
    if ((bytes >> byte & 1U) == 0) continue;
    const std::uint64_t at = word_bytes * word + byte;
    if (!all.empty() && all.back().end == at && all.back().use == use) {
      ++all.back().end;
    } else {
      all.push_back({at, at + 1, use});
    }
  }
}

}  // namespace

std::vector<Touched> touched_since(Buffer& buffer, WarpNumber first) {
  const std::uint64_t least = ShadowWord::first_of(first);
  std::vector<Touched> all;
  std::vector<Touched> reads;
  for (std::size_t worker = 0; worker < buffer.shadow.of_workers.size(); ++worker) {
    if (!buffer.shadow.of_workers[worker].made()) continue;
    const RaceRecords records = buffer.records(worker);
    for (std::size_t sector = 0; sector < RaceRecords::sectors_for(buffer.bytes); ++sector) {
      const SectorRecords here = records.sector(sector);
      if (here.write.bits() < least && here.read.bits() < least) continue;
      for (std::uint32_t k = 0; k < words_of_sector; ++k) {
        const std::size_t word = words_of_sector * sector + k;
        const auto [write, read] = records_of(records, word, least);
        const bool watched = write.form() == Form::watched;
        append(all, word, watched ? 15U : write.bytes(),
               write.strong() && !watched ? Use::atomic : Use::write);
        append(reads, word, read.bytes(), read.strong() ? Use::atomic : Use::read);
      }
    }
  }
  all.insert(all.end(), reads.begin(), reads.end());
  std::sort(all.begin(), all.end(), [](const Touched& a, const Touched& b) {
    return std::tie(a.begin, a.end, a.use) < std::tie(b.begin, b.end, b.use);
  });
  return all;
}

bool is_touched_since(Buffer& buffer, std::uint64_t page, WarpNumber first) {
  const std::uint64_t least = ShadowWord::first_of(first);
  const std::size_t lines = RaceRecords::lines_for(buffer.bytes);
  constexpr std::size_t of_page = GlobalMemory::page_bytes / RaceRecords::line_bytes;
  for (const WorkerRecords& records : buffer.shadow.of_workers) {
    if (!records.made()) continue;
    for (std::size_t k = page * of_page; k < std::min(lines, (page + 1) * of_page); ++k) {
      const SectorLine& line = records.lines[k];
      for (std::size_t sector = 0; sector < SectorLine::sectors; ++sector) {
        if (line.writes[sector].bits() >= least || line.reads[sector].bits() >= least) return true;
      }
    }
  }
  return false;
}

}  // namespace bankproof::ptx
