// Watched words, and the records of single words; see race_records.hpp.
#include "race_records.hpp"

namespace bankproof::ptx {

void RaceRecords::watch(std::size_t word) const {
  const std::size_t of = word / words_of_sector;
  const SectorRecords records = sector(of);
  if (records.write.bits() != SectorRecord::split(most_warps, latest_epoch).bits()) {
    split[of] = {};
    records.write = SectorRecord::split(most_warps, latest_epoch);
    records.read = {};
  }
  split[of].words[word % words_of_sector] = {ShadowWord::watched(), {}};
}

void RaceRecords::forget(std::size_t word) const {
  const SectorRecords records = sector(word / words_of_sector);
  records.write = {};
  records.read = {};
}

WordRecords records_of(const RaceRecords& records, std::size_t word, std::uint64_t quiet) {
  const std::size_t of = word / words_of_sector;
  const auto index = static_cast<std::uint32_t>(word % words_of_sector);
  const auto loud = [quiet](ShadowWord record) {
    return record.bits() < quiet ? ShadowWord() : record;
  };
  const SectorRecords sector = records.sector(of);
  if (sector.write.is_split() && sector.write.bits() >= quiet) {
    const SplitSector::Word& here = records.split[of].words[index];
    return {loud(here.write), loud(here.read)};
  }
  const auto word_of = [&](SectorRecord record) {
    return (record.words() >> index & 1U) != 0 ? loud(record.word(index)) : ShadowWord();
  };
  return {word_of(sector.write), word_of(sector.read)};
}

}  // namespace bankproof::ptx
