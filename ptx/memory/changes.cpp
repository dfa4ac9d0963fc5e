// Which pages of global memory have changed. A page changes if one of its bytes does, or whether
// one of its bytes is written; a write of equal bytes changes nothing.
//
// Nothing is kept before somebody asks for it. Launches store too often to be followed one by one,
// but the pages that a launch stores to are saved for undo(), with their old contents.
#include <algorithm>
#include <cstring>
#include <vector>

#include "buffers.hpp"

namespace bankproof::ptx {

namespace {

/// Whether the bytes differ from the old ones, which were zeros unless they were kept.
template <class T>
bool differs(const T* now, const T* old, std::uint64_t count, bool kept) {
  if (kept) return std::memcmp(now, old, count * sizeof(T)) != 0;
  return std::any_of(now, now + count, [](T value) { return value != T{}; });
}

}  // namespace

void GlobalMemory::mark(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
  if (!follows_changes_ || bytes == 0) return;
  PageChanges& changes = buffer.changes;
  changes.pages.resize((buffer.bytes + page_bytes - 1) / page_bytes);
  changes.last = ++changes_;
  const std::uint64_t end = (offset + bytes + page_bytes - 1) / page_bytes;
  for (std::uint64_t page = offset / page_bytes; page < end; ++page) changes.pages[page] = changes_;
}

void GlobalMemory::mark_stores(bool compares) {
  if (!follows_changes_) return;
  each_saved([&](const SavedPage& saved) {
    Buffer& buffer = *saved.buffer;
    const std::uint64_t from = saved.page * page_bytes;
    const std::uint64_t bytes = std::min(page_bytes, buffer.bytes - from);
    const bool changed =
        !compares ||
        differs(buffer.data.data() + from, buffer.saved.data.data() + from, bytes, saved.data) ||
        (!buffer.shadow.defined &&
         differs(buffer.shadow.written.bits().data() + from / 8,
                 buffer.saved.written.data() + from / 8, (bytes + 7) / 8, saved.written));
    if (changed) mark(buffer, from, bytes);
  });
}

void GlobalMemory::store(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes) {
  std::byte* const to = buffer.data.data() + offset;
  if (!follows_changes_) {
    std::copy(bytes.begin(), bytes.end(), to);
    return;
  }
  for (std::uint64_t at = 0; at < bytes.size();) {
    const std::uint64_t count =
        std::min(page_bytes - (offset + at) % page_bytes, bytes.size() - at);
    if (std::memcmp(to + at, bytes.data() + at, count) != 0) {
      mark(buffer, offset + at, count);
      std::memcpy(to + at, bytes.data() + at, count);
    }
    at += count;
  }
}

void GlobalMemory::write(std::uint32_t index, std::uint64_t offset,
                         std::span<const std::byte> bytes) {
  store((*this)[index], offset, bytes);
  define(index, offset, bytes.size());
}

// The pattern is repeated in a piece of memory that stays in the processor's cache.
void GlobalMemory::fill(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes,
                        std::span<const std::byte> pattern) {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  std::vector<std::byte> piece(std::min(bytes, most / pattern.size() * pattern.size()));
  for (std::size_t k = 0; k < piece.size(); ++k) piece[k] = pattern[k % pattern.size()];
  for (std::uint64_t at = 0; at < bytes; at += piece.size()) {
    store((*this)[index], offset + at,
          std::span(piece).first(std::min<std::uint64_t>(piece.size(), bytes - at)));
  }
  define(index, offset, bytes);
}

}  // namespace bankproof::ptx
