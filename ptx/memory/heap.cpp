// Allocations as buffers; see heap.hpp.
#include "heap.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "buffers.hpp"

namespace bankproof::ptx {
namespace {

std::uint64_t counted(std::uint64_t bytes) {
  return (bytes + Heap::alignment - 1) / Heap::alignment * Heap::alignment;
}

}  // namespace

Heap::Heap() = default;
Heap::~Heap() = default;
Heap::Heap(Heap&&) noexcept = default;
Heap& Heap::operator=(Heap&&) noexcept = default;

bool Heap::has_freed(std::uint32_t index) const {
  return has(index) && (*this)[index].bytes == 0;  // no allocation has 0 bytes
}

std::optional<std::uint32_t> Heap::allocate(std::uint64_t bytes) {
  const std::uint64_t left = most_bytes - std::min(bytes_, most_bytes);
  if (bytes == 0 || bytes > most_buffer_bytes || counted(bytes) > left) return {};
  if (items_.size() == most_allocations) return {};
  const std::uint32_t index = end();
  items_.push_back(std::make_unique<Buffer>(
      Buffer::of("heap allocation " + std::to_string(index - first), bytes, false)));
  bytes_ += counted(bytes);
  return index;
}

void Heap::free(std::uint32_t index, std::uint32_t site) {
  std::unique_ptr<Buffer>& item = items_[index - first];
  bytes_ -= counted(item->bytes);
  auto after = std::make_unique<Buffer>(Buffer::freed(item->name));
  freed_.push_back({index, site, std::exchange(item, std::move(after))});
}

std::uint32_t Heap::site_of_free(std::uint32_t index) const {
  const auto found = std::find_if(freed_.begin(), freed_.end(),
                                  [&](const Freed& freed) { return freed.index == index; });
  return found == freed_.end() ? no_site : found->site;
}

std::vector<std::uint32_t> Heap::settle() {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(freed_.size());
  for (const Freed& freed : freed_) numbers.push_back(freed.index);
  freed_.clear();
  settled_items_ = items_.size();
  settled_bytes_ = bytes_;
  return numbers;
}

void Heap::undo() {
  for (Freed& freed : freed_) items_[freed.index - first] = std::move(freed.contents);
  freed_.clear();
  items_.resize(settled_items_);
  bytes_ = settled_bytes_;
}

}  // namespace bankproof::ptx
