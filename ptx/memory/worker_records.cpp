// Makes and compares the records of workers; see worker_records.hpp.
#include "worker_records.hpp"

#include <algorithm>
#include <atomic>

#include "../races/judge.hpp"
#include "launch_memory.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::size_t lines_of_page = GlobalMemory::page_bytes / RaceRecords::line_bytes;

/// Whether the accesses of two records of a word conflict; at least one of them is a write.
bool word_records_conflict(ShadowWord a, ShadowWord b) {
  if ((a.bytes() & b.bytes()) == 0) return false;
  // Atomic accesses to one element do not race, but a strong record may hide a weak access that
  // only the threads of its block know.
  const bool strong =
      detail::same_element(a, b) && a.bound() == Bound::launch && b.bound() == Bound::launch;
  return !strong;
}

bool sectors_conflict(const RaceRecords& a, const RaceRecords& b, std::size_t sector,
                      std::uint64_t quiet) {
  const SectorRecords mine = a.sector(sector);
  const SectorRecords theirs = b.sector(sector);
  const auto words = [quiet](SectorRecord record) -> WordMask {
    return record.bits() < quiet ? 0 : record.words();
  };
  const WordMask write = words(mine.write);
  const WordMask other_write = words(theirs.write);
  const WordMask common = (write & (other_write | words(theirs.read))) |
                          (other_write & words(mine.read)) |
                          // The words of a split sector tell what was read.
                          (mine.write.is_split() || theirs.write.is_split() ? all_words : 0U);
  if (common == 0) return false;
  for (std::uint32_t k = 0; k < words_of_sector; ++k) {
    const std::size_t word = words_of_sector * sector + k;
    const auto [a_write, a_read] = records_of(a, word, quiet);
    const auto [b_write, b_read] = records_of(b, word, quiet);
    if (word_records_conflict(a_write, b_write) || word_records_conflict(a_write, b_read) ||
        word_records_conflict(a_read, b_write)) {
      return true;
    }
  }
  return false;
}

/// Whether both workers have touched a sector of the line, and at least one has written to it.
bool lines_meet(const SectorLine& a, const SectorLine& b, std::uint64_t quiet) {
  bool meet = false;
  for (std::size_t k = 0; k < SectorLine::sectors; ++k) {
    const bool write = a.writes[k].bits() >= quiet;
    const bool other_write = b.writes[k].bits() >= quiet;
    const bool touched = either(write, a.reads[k].bits() >= quiet);
    const bool other_touched = either(other_write, b.reads[k].bits() >= quiet);
    meet = either(meet, either(both(write, other_touched), both(other_write, touched)));
  }
  return meet;
}

bool records_conflict(WorkerRecords& a, WorkerRecords& b, std::uint64_t bytes, WarpNumber launch) {
  const std::uint64_t quiet = ShadowWord::first_of(launch);
  const std::size_t pages = std::min(a.pages.size(), b.pages.size());
  const std::size_t lines = RaceRecords::lines_for(bytes);
  for (std::size_t page = 0; page < pages; ++page) {
    const WorkerRecords::PageUse mine = a.pages[page];
    const WorkerRecords::PageUse theirs = b.pages[page];
    const bool use = mine.written == launch || mine.read == launch;
    const bool other_use = theirs.written == launch || theirs.read == launch;
    const bool writes = mine.written == launch || theirs.written == launch;
    if (!use || !other_use || !writes) continue;
    const std::size_t end = std::min(lines, (page + 1) * lines_of_page);
    for (std::size_t line = page * lines_of_page; line < end; ++line) {
      if (!lines_meet(a.lines[line], b.lines[line], quiet)) continue;
      for (std::size_t k = 0; k < SectorLine::sectors; ++k) {
        const std::size_t sector = line * SectorLine::sectors + k;
        if (sectors_conflict(a.of(bytes), b.of(bytes), sector, quiet)) return true;
      }
    }
  }
  return false;
}

}  // namespace

void WorkerRecords::make(std::uint64_t bytes) {
  lines = ZeroedArray<SectorLine>(RaceRecords::lines_for(bytes), TouchedPages::all);
  split = ZeroedArray<SplitSector>(RaceRecords::sectors_for(bytes), TouchedPages::few);
}

void WorkerRecords::make_pages(std::uint64_t bytes) {
  pages.resize((bytes + GlobalMemory::page_bytes - 1) / GlobalMemory::page_bytes);
}

// An access reads its records before it writes them. If the operating system has provided no memory
// for them yet, it maps a page of zeros at the read and replaces it at the write; then all
// processors that run the program have to forget the page of zeros. So the memory after that of the
// records of `page` is provided by a write, since accesses mostly go on there.
void WorkerRecords::provide_after(std::uint64_t page, std::uint64_t bytes) {
  of(bytes);
  constexpr std::size_t lines_at_once = GlobalMemory::page_bytes / sizeof(SectorLine);
  const std::size_t next = (page * lines_of_page / lines_at_once + 1) * lines_at_once;
  if (next >= lines.size()) return;
  SectorRecord none;
  // Writes, but changes nothing.
  std::atomic_ref(lines[next].writes[0]).compare_exchange_strong(none, none);
}

void WorkerRecords::clear() {
  if (lines.size() != 0) lines = ZeroedArray<SectorLine>(lines.size(), TouchedPages::all);
  pages.clear();
}

void make_records(GlobalMemory& memory, std::size_t workers) {
  if (workers == 1) return;
  memory.expect_workers(workers);
  // A launch may access freed buffers, too.
  memory.each_buffer([workers](Buffer& buffer) {
    std::vector<WorkerRecords>& records = buffer.shadow.of_workers;
    if (records.size() < workers) records.resize(workers);
  });
}

bool workers_conflict(const LaunchMemory& launch) {
  if (launch.records == RaceRecording::none) return false;
  GlobalMemory& memory = *launch.global;
  for (const std::uint32_t k : memory.live()) {
    Buffer& buffer = memory[k];
    std::vector<WorkerRecords>& workers = buffer.shadow.of_workers;
    for (std::size_t b = 1; b < workers.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (records_conflict(workers[a], workers[b], buffer.bytes, launch.first_of_launch))
          return true;
      }
    }
  }
  return false;
}

}  // namespace bankproof::ptx
