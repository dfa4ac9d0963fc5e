// Buffers and their bytes; see buffers.hpp.
#include "buffers.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

namespace bankproof::ptx {
namespace {

struct PageRange {
  std::uint64_t from = 0;
  std::uint64_t bytes = 0;
};

PageRange range_of(const Buffer& buffer, std::uint64_t page) {
  const std::uint64_t from = page * GlobalMemory::page_bytes;
  return {from, std::min(GlobalMemory::page_bytes, buffer.bytes - from)};
}

/// The number of a word in its buffer, by its generic address.
std::uint64_t word_of_buffer(std::uint64_t word) {
  return (word & ((std::uint64_t{1} << buffer_shift) - 1)) / 4;
}

/// Keeps for each byte whether it was written, also if all were.
void follow_bytes(Buffer& buffer) {
  if (!buffer.shadow.defined) return;
  buffer.shadow.written = WrittenBytes(buffer.bytes, true);
  buffer.saved.written = ZeroedArray<std::uint8_t>((buffer.bytes + 7) / 8);
  buffer.shadow.defined = false;
}

}  // namespace

SavedPages::SavedPages(std::uint64_t bytes, bool bits)
    : pages((bytes + GlobalMemory::page_bytes - 1) / GlobalMemory::page_bytes), data(bytes) {
  if (bits) written = ZeroedArray<std::uint8_t>((bytes + 7) / 8);
}

Buffer Buffer::of(std::string name, std::uint64_t bytes, bool defined) {
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.bytes = bytes;
  // The array needs no padding behind its end, since all accesses check their bounds first.
  buffer.data = ZeroedArray<std::byte>(bytes, TouchedPages::all);
  buffer.shadow = BufferShadow(bytes, defined);
  buffer.saved = SavedPages(bytes, !defined);
  return buffer;
}

Buffer Buffer::freed(const std::string& name) {
  Buffer buffer;
  buffer.name = name + std::string(freed_ending);
  return buffer;
}

void Buffer::define() {
  shadow.defined = true;
  shadow.written = {};
  saved.written = {};
}

std::uint32_t GlobalMemory::add_buffer(std::string name, std::uint64_t bytes, bool defined) {
  if (bytes > most_buffer_bytes) {
    throw std::length_error("'" + name + "' has more than 2^36 bytes");
  }
  buffers_.push_back(std::make_unique<Buffer>(Buffer::of(std::move(name), bytes, defined)));
  live_.push_back(static_cast<std::uint32_t>(buffers_.size() - 1));
  return live_.back();
}

std::uint32_t GlobalMemory::add_buffer(std::string name, std::uint64_t bytes, std::byte* mapped) {
  const std::uint32_t index = add_buffer(std::move(name), bytes, true);
  buffers_[index]->data = ZeroedArray<std::byte>(mapped, bytes);
  open(*buffers_[index]);
  return index;
}

void GlobalMemory::add_buffer(std::uint32_t kept, std::string name, std::uint64_t bytes,
                              std::byte* mapped) {
  *buffers_[kept] = Buffer::of(std::move(name), bytes, true);
  buffers_[kept]->data = ZeroedArray<std::byte>(mapped, bytes);
  live_.push_back(kept);
  open(*buffers_[kept]);
}

void GlobalMemory::add_buffer(std::uint32_t kept, std::string name, std::uint64_t bytes) {
  *buffers_[kept] = Buffer::of(std::move(name), bytes, false);
  live_.push_back(kept);
}

std::uint32_t GlobalMemory::keep_number() {
  buffers_.push_back(std::make_unique<Buffer>(Buffer::freed("no allocation")));
  return static_cast<std::uint32_t>(buffers_.size() - 1);
}

std::span<std::byte> GlobalMemory::data(std::uint32_t index) {
  Buffer& buffer = (*this)[index];
  open(buffer);
  return {buffer.data.data(), buffer.bytes};
}

void GlobalMemory::define(std::uint32_t index) {
  Buffer& buffer = (*this)[index];
  if (!buffer.shadow.defined) mark(buffer, 0, buffer.bytes);
  buffer.define();
}

std::span<const std::byte> GlobalMemory::data(std::uint32_t index) const {
  const Buffer& buffer = (*this)[index];
  return {buffer.data.data(), buffer.bytes};
}

void GlobalMemory::define(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) {
  Buffer& buffer = (*this)[index];
  if (buffer.shadow.defined) return;
  if (bytes == buffer.bytes) {
    define(index);
    return;
  }
  if (buffer.shadow.written.set_range(offset, offset + bytes)) mark(buffer, offset, bytes);
}

void GlobalMemory::undefine(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) {
  Buffer& buffer = (*this)[index];
  follow_bytes(buffer);
  for (std::uint64_t k = offset; k < offset + bytes; ++k) buffer.shadow.written.put(k, false);
  mark(buffer, offset, bytes);
  buffer.changes.undefined = ++undefinings_;
}

std::optional<std::uint64_t> GlobalMemory::first_undefined(std::uint32_t index,
                                                           std::uint64_t offset,
                                                           std::uint64_t bytes) const {
  const BufferShadow& shadow = (*this)[index].shadow;
  if (shadow.defined) return {};
  constexpr std::uint32_t word = 8;
  for (std::uint64_t at = offset; at < offset + bytes;) {
    const bool whole = at % word == 0 && offset + bytes - at >= word;
    if (whole && shadow.written.all(at, word)) {
      at += word;
      continue;
    }
    if (!shadow.written.all(at, 1)) return at;
    ++at;
  }
  return {};
}

std::vector<ByteRange> GlobalMemory::undefined(std::uint32_t index) const {
  const Buffer& buffer = (*this)[index];
  std::vector<ByteRange> ranges;
  if (buffer.shadow.defined) return ranges;
  for (std::uint64_t k = 0; k < buffer.bytes; ++k) {
    if (buffer.shadow.written.all(k, 1)) continue;
    if (ranges.empty() || ranges.back().end != k) ranges.push_back({k, k});
    ++ranges.back().end;
  }
  return ranges;
}

void GlobalMemory::copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
                        std::uint64_t from_offset, std::uint64_t bytes) {
  Buffer& target = (*this)[to];
  const Buffer& source = (*this)[from];
  std::byte* const there = target.data.data() + to_offset;
  const std::byte* const here = source.data.data() + from_offset;
  if (std::memcmp(there, here, bytes) != 0) {
    mark(target, to_offset, bytes);
    std::memmove(there, here, bytes);
  }
  if (source.shadow.defined) {
    define(to, to_offset, bytes);
    return;
  }
  mark(target, to_offset, bytes);
  target.changes.undefined = ++undefinings_;
  follow_bytes(target);
  std::vector<bool> written(bytes);
  for (std::uint64_t k = 0; k < bytes; ++k)
    written[k] = source.shadow.written.all(from_offset + k, 1);
  for (std::uint64_t k = 0; k < bytes; ++k) target.shadow.written.put(to_offset + k, written[k]);
}

void GlobalMemory::release(std::uint32_t index) {
  keep();
  std::erase_if(watched_, [&](std::uint64_t word) {
    return word >> buffer_shift == std::uint64_t{index} + 1;
  });
  std::erase(live_, index);
  *buffers_[index] = Buffer::freed(buffers_[index]->name);
}

std::optional<std::uint32_t> GlobalMemory::allocate_in_heap(std::uint64_t bytes) {
  const auto index = heap_.allocate(bytes);
  if (!index) return {};
  live_.push_back(*index);
  // The launch may run again because of suspected races at this buffer.
  for (const std::uint64_t word : watched_) {
    if (word >> buffer_shift == std::uint64_t{*index} + 1) watch_word(word);
  }
  return index;
}

WarpNumber GlobalMemory::take_warps(std::uint64_t count) {
  if (count >= most_warps - 1) {
    throw std::length_error("a launch has more than " + std::to_string(most_warps - 2) + " warps");
  }
  need_warps(count);
  const auto first = static_cast<WarpNumber>(next_warp_);
  next_warp_ += count;
  return first;
}

void GlobalMemory::need_warps(std::uint64_t count) {
  if (next_warp_ + count <= most_warps) return;
  for (const std::uint32_t index : live_) {
    for (WorkerRecords& records : (*this)[index].shadow.of_workers) records.clear();
  }
  next_warp_ = 1;
  ++forgotten_;
}

void GlobalMemory::watch(const std::vector<std::uint64_t>& words) {
  if (!words.empty() || !watched_.empty()) ++forgotten_;
  for (const std::uint64_t word : watched_) {
    const std::uint64_t index = (word >> buffer_shift) - 1;
    if (has(index)) (*this)[index].records().forget(word_of_buffer(word));
  }
  watched_ = words;
  for (const std::uint64_t word : watched_) {
    if (has((word >> buffer_shift) - 1)) watch_word(word);
  }
}

void GlobalMemory::watch_word(std::uint64_t word) {
  (*this)[(word >> buffer_shift) - 1].records().watch(word_of_buffer(word));
}

void GlobalMemory::save(Buffer& buffer, std::uint64_t page, std::size_t worker) {
  // The list grows first: whoever has begun to save a page must not fail, since others wait for it.
  std::vector<SavedPage>& mine = saved_[worker].pages;
  mine.push_back({&buffer, page, false, false});
  const std::atomic_ref<std::uint8_t> state = buffer.saved.state(page);
  std::uint8_t before = SavedPages::not_saved;
  if (!state.compare_exchange_strong(before, SavedPages::being_saved)) {
    mine.pop_back();
    // A worker stores to a page only when the page is saved.
    while (!buffer.saved.has(page)) std::this_thread::yield();
    return;
  }
  const PageRange range = range_of(buffer, page);
  const auto keep_unless_zero = [](auto* to, const auto* from, std::uint64_t count) {
    const bool zero = std::all_of(from, from + count, [](auto x) { return x == decltype(x){}; });
    if (!zero) std::copy_n(from, count, to);
    return !zero;
  };
  SavedPage& copy = mine.back();
  copy.data = keep_unless_zero(buffer.saved.data.data() + range.from,
                               buffer.data.data() + range.from, range.bytes);
  if (!buffer.shadow.defined) {
    copy.written = keep_unless_zero(buffer.saved.written.data() + range.from / 8,
                                    buffer.shadow.written.bits().data() + range.from / 8,
                                    (range.bytes + 7) / 8);
  }
  state.store(SavedPages::is_saved, std::memory_order_release);
}

void GlobalMemory::undo() {
  const auto give_back = [](auto* to, const auto* from, std::uint64_t count, bool was_kept) {
    if (was_kept) {
      std::copy_n(from, count, to);
    } else {
      std::fill_n(to, count, std::remove_cvref_t<decltype(*to)>{});
    }
  };
  each_saved([&](const SavedPage& page) {
    Buffer& buffer = *page.buffer;
    const PageRange range = range_of(buffer, page.page);
    give_back(buffer.data.data() + range.from, buffer.saved.data.data() + range.from, range.bytes,
              page.data);
    if (buffer.shadow.defined) return;
    give_back(buffer.shadow.written.bits().data() + range.from / 8,
              buffer.saved.written.data() + range.from / 8, (range.bytes + 7) / 8, page.written);
  });
  forget_saved();
  heap_.undo();
  std::erase_if(live_, [&](std::uint32_t index) { return !has(index); });
  keep_defined();
}

void GlobalMemory::keep() {
  forget_saved();
  if (!heap_.settle().empty()) {
    const auto is_freed = [&](std::uint64_t index) {
      return heap_.has_freed(static_cast<std::uint32_t>(index));
    };
    std::erase_if(live_, is_freed);
    std::erase_if(watched_,
                  [&](std::uint64_t word) { return is_freed((word >> buffer_shift) - 1); });
    ++forgotten_;
  }
  keep_defined();
}

void GlobalMemory::forget_saved() {
  each_saved(
      [](const SavedPage& page) { page.buffer->saved.pages[page.page] = SavedPages::not_saved; });
  for (SavedList& list : saved_) list.pages.clear();
}

void GlobalMemory::keep_defined() {
  for (const std::uint32_t index : live_) {
    Buffer& buffer = (*this)[index];
    if (buffer.shadow.defined) continue;
    // A byte that was missing the last time tells at once that one still is.
    if (!buffer.shadow.written.all(buffer.shadow.missing, 1)) continue;
    const std::uint64_t missing = buffer.shadow.written.first_missing(buffer.bytes);
    if (missing == buffer.bytes) {
      buffer.define();
    } else {
      buffer.shadow.missing = missing;
    }
  }
}

}  // namespace bankproof::ptx
