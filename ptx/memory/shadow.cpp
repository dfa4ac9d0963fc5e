// Makes shadows; see shadow.hpp.
#include "shadow.hpp"

namespace bankproof::ptx {

void SharedShadow::reset(std::uint32_t bytes, bool follows,
                         const std::vector<std::uint64_t>& watched) {
  const std::size_t words = (std::size_t{bytes} + 3) / 4;
  written.reset(bytes);
  if (follows) {
    for (const auto& [word, list] : history.watched) {
      writes[word / 4] = {};
      reads[word / 4] = {};
    }
  } else {
    writes.assign(words, {});
    reads.assign(words, {});
  }
  history.watched.clear();
  for (const std::uint64_t word : watched) {
    if (word / 4 >= words) continue;
    writes[word / 4] = ShadowWord::watched();
    history.watched.try_emplace(word);
  }
  history.published.clear();
}

BufferShadow::BufferShadow(std::uint64_t bytes, bool all_written)
    : writes((bytes + 3) / 4), reads((bytes + 3) / 4), defined(all_written) {
  if (!all_written) written = WrittenBytes(bytes, false);
}

}  // namespace bankproof::ptx
