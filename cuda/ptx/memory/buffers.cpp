// Buffers and their bytes; see buffers.hpp.
#include "buffers.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace bankproof::ptx {

std::uint32_t GlobalMemory::add_buffer(std::string name, std::uint64_t bytes, bool defined) {
  if (bytes > std::uint64_t{1} << 36) {
    throw std::length_error("'" + name + "' has more than 2^36 bytes");
  }
  auto buffer = std::make_unique<Buffer>();
  buffer->name = std::move(name);
  buffer->bytes = bytes;
  // Fast paths move whole accesses of a warp, and check them before.
  buffer->data = ZeroedArray<std::byte>(bytes);
  buffer->records = ZeroedArray<WordRecord>((bytes + 3) / 4);
  buffer->defined = defined;
  if (!defined) buffer->written = WrittenBytes(bytes, false);
  buffer->saved.resize((bytes + page_bytes - 1) / page_bytes);
  buffers_.push_back(std::move(buffer));
  return static_cast<std::uint32_t>(buffers_.size() - 1);
}

std::span<std::byte> GlobalMemory::data(std::uint32_t index) {
  Buffer& buffer = *buffers_[index];
  return {buffer.data.data(), buffer.bytes};
}

std::span<const std::byte> GlobalMemory::data(std::uint32_t index) const {
  const Buffer& buffer = *buffers_[index];
  return {buffer.data.data(), buffer.bytes};
}

WarpNumber GlobalMemory::take_warps(std::uint64_t count) {
  if (count >= most_warps - 1) {
    throw std::length_error("a launch has more than " + std::to_string(most_warps - 2) + " warps");
  }
  if (next_warp_ + count > most_warps) {
    for (const auto& buffer : buffers_) {
      buffer->records = ZeroedArray<WordRecord>(buffer->records.size());
    }
    next_warp_ = 1;
  }
  const auto first = static_cast<WarpNumber>(next_warp_);
  next_warp_ += count;
  return first;
}

void GlobalMemory::watch(const std::vector<std::uint64_t>& words) {
  const auto put = [&](std::uint64_t word, Record record) {
    Buffer& buffer = *buffers_[(word >> buffer_shift) - 1];
    buffer.records[(word & ((std::uint64_t{1} << buffer_shift) - 1)) / 4] = {record, {}};
  };
  for (const std::uint64_t word : watched_) put(word, {});
  watched_ = words;
  for (const std::uint64_t word : watched_) put(word, Record::watched());
}

void GlobalMemory::save(Buffer& buffer, std::uint64_t page) {
  const std::uint64_t from = page * page_bytes;
  const std::uint64_t to = std::min(from + page_bytes, buffer.bytes);
  SavedPage copy{&buffer, page, {buffer.data.data() + from, buffer.data.data() + to}, {}};
  if (!buffer.defined) {
    const auto& bits = buffer.written.bits();
    copy.written.assign(bits.data() + from / 8, bits.data() + (to + 7) / 8);
  }
  const std::lock_guard lock(mutex_);
  saved_.push_back(std::move(copy));
  buffer.saved[page] = 1;
}

void GlobalMemory::undo() {
  for (const SavedPage& page : saved_) {
    const std::uint64_t from = page.page * page_bytes;
    std::copy(page.data.begin(), page.data.end(), page.buffer->data.data() + from);
    std::copy(page.written.begin(), page.written.end(),
              page.buffer->written.bits().data() + from / 8);
  }
  keep();
}

void GlobalMemory::keep() {
  for (const SavedPage& page : saved_) page.buffer->saved[page.page] = 0;
  saved_.clear();
}

}  // namespace bankproof::ptx
