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

std::vector<Touched> touched_since(const Buffer& buffer, WarpNumber first) {
  const std::uint64_t least = ShadowWord::first_of(first);
  std::vector<Touched> all;
  std::vector<Touched> reads;
  for (std::uint64_t word = 0; word < buffer.shadow.writes.size(); ++word) {
    const ShadowWord write = buffer.shadow.writes[word];
    if (write.bits() >= least) {
      const bool watched = write.form() == Form::watched;
      append(all, word, watched ? 15U : write.bytes(),
             write.strong() && !watched ? Use::atomic : Use::write);
    }
    const ShadowWord read = buffer.shadow.reads[word];
    if (read.bits() >= least) {
      append(reads, word, read.bytes(), read.strong() ? Use::atomic : Use::read);
    }
  }
  all.insert(all.end(), reads.begin(), reads.end());
  std::sort(all.begin(), all.end(), [](const Touched& a, const Touched& b) {
    return std::tie(a.begin, a.end, a.use) < std::tie(b.begin, b.end, b.use);
  });
  return all;
}

}  // namespace bankproof::ptx
