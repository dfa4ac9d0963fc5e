// Ranges of addresses that a program reserves, and memory that it maps there (CUDA Driver API,
// "Virtual Memory Management"); cuda/driver/virtual_memory.cpp has the calls.
//
// Memory is an allocation of its own, whose address the program never gets: it has the bytes while
// they are not mapped. A range is a buffer up to the end of its last mapping. Mapping moves the
// bytes there, unmapping moves them back.
#include <fmt/format.h>

#include <algorithm>

#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

std::uint64_t end_of(const Mappings& mappings) {
  return mappings.empty() ? 0 : mappings.rbegin()->second.end;
}

/// The mapping of this byte; null without one.
const Mapping* mapping_at(const Mappings& mappings, std::uint64_t offset) {
  auto next = mappings.upper_bound(offset);
  if (next == mappings.begin()) return nullptr;
  const Mapping& before = std::prev(next)->second;
  return offset < before.end ? &before : nullptr;
}

/// The first byte of [begin, end) whose mapping is missing, or does not satisfy `may`.
template <class May>
std::optional<std::uint64_t> first_without(const Mappings& mappings, std::uint64_t begin,
                                           std::uint64_t end, const May& may) {
  while (begin < end) {
    const Mapping* const mapping = mapping_at(mappings, begin);
    if (mapping == nullptr || !may(*mapping)) return begin;
    begin = mapping->end;
  }
  return {};
}

}  // namespace

bool Allocation::has(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes || size > bytes - offset) return false;
  return !mappings || !first_without(*mappings, offset, offset + size,
                                     [](const Mapping& of) { return !of.access.empty(); });
}

cudaError_t Runtime::reserve(void** range) {
  const std::lock_guard lock(mutex_);
  use_runtime();
  const std::uint32_t buffer = session_->keep_number();
  live_[buffer] = {.device = current_device(), .mappings = Mappings(), .made = host_call()};
  // From now on launches tell what they touch, which require_access() looks at.
  ordering_.use_streams();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine, not of the host.
  *range = reinterpret_cast<void*>(Session::address(buffer));
  return cudaSuccess;
}

void Runtime::release_range(const void* range) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t buffer = Session::place(reinterpret_cast<std::uintptr_t>(range))->first;
  Allocation& allocation = live_.at(buffer);
  allocation.freed = call_in_progress();
  freed_[buffer] = allocation;
  live_.erase(buffer);
}

const Mappings& Runtime::mappings(const void* range) const {
  const std::lock_guard lock(mutex_);
  const std::uint32_t buffer = Session::place(reinterpret_cast<std::uintptr_t>(range))->first;
  return *live_.at(buffer).mappings;
}

void Runtime::set_mappings(const void* range, const Mappings& mappings) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t buffer = Session::place(reinterpret_cast<std::uintptr_t>(range))->first;
  Allocation& allocation = live_.at(buffer);
  const auto buffer_of = [](const Mapping& mapping) {
    return Session::place(reinterpret_cast<std::uintptr_t>(mapping.memory))->first;
  };
  const Mappings before = std::exchange(*allocation.mappings, mappings);
  const auto is_in = [](const Mappings& all, std::uint64_t begin) { return all.count(begin) != 0; };
  const bool moves = end_of(before) != end_of(mappings);
  for (const auto& [begin, mapping] : before) {
    if (!moves && is_in(mappings, begin)) continue;
    session_->copy(buffer_of(mapping), 0, buffer, begin, mapping.end - begin);
  }
  if (moves) {
    if (!before.empty()) session_->release(buffer);
    allocation.bytes = end_of(mappings);
    if (!mappings.empty()) session_->add_buffer(buffer, "reserved addresses", allocation.bytes);
  }
  for (const auto& [begin, mapping] : mappings) {
    if (!moves && is_in(before, begin)) continue;
    session_->copy(buffer, begin, buffer_of(mapping), 0, mapping.end - begin);
  }
}

cudaError_t Runtime::require_mapped(const std::string& kernel, const Allocation& range, int device,
                                    const std::vector<ptx::Touched>& touched) {
  for (const ptx::Touched& part : touched) {
    const auto found = first_without(*range.mappings, part.begin, part.end, [&](const Mapping& of) {
      const auto access = of.access.find(device);
      return access != of.access.end() &&
             (access->second == Permission::write || part.use == ptx::Use::read);
    });
    if (!found) continue;
    const Mapping* const mapping = mapping_at(*range.mappings, *found);
    return fail_with(
        ptx::FaultKind::out_of_bounds, cudaErrorIllegalAddress,
        fmt::format("{} accesses byte {} of the addresses that were reserved at {}, {}", kernel,
                    *found, text_of(place_of(range.made)),
                    mapping == nullptr ? "where no memory is mapped"
                    : mapping->access.count(device) == 0
                        ? fmt::format("whose memory device {} may not access: cuMemSetAccess was "
                                      "not called for it",
                                      device)
                        : fmt::format("which device {} may only read", device)));
  }
  return cudaSuccess;
}

}  // namespace bankproof::cuda
