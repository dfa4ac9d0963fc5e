// Makes shadows; see shadow.hpp.
#include "shadow.hpp"

namespace bankproof::ptx {

void SharedShadow::reset(std::uint32_t bytes, bool follows,
                         const std::vector<std::uint64_t>& watched) {
  written.reset(bytes);
  if (follows) {
    for (const auto& [word, list] : history.watched) records().forget(word / 4);
  } else {
    lines.assign(RaceRecords::lines_for(bytes), {});
    split.resize(RaceRecords::sectors_for(bytes));
  }
  history.watched.clear();
  for (const std::uint64_t word : watched) {
    if (word >= bytes) continue;
    records().watch(word / 4);
    history.watched.try_emplace(word);
  }
  history.published.clear();
}

BufferShadow::BufferShadow(std::uint64_t bytes, bool all_written) : defined(all_written) {
  if (!all_written) written = WrittenBytes(bytes, false);
}

}  // namespace bankproof::ptx
