// Publications by the address of their element; see publications.hpp.
#include "publications.hpp"

#include <utility>

namespace bankproof::ptx {
namespace {

/// The longest element: .b128.
constexpr std::uint64_t longest = 16;

}  // namespace

void Publication::join(const Publication& next) {
  device = device.joined(next.device);
  sequential = sequential.joined(next.sequential);
  for (const auto& [number, clock] : next.block) block[number] = block[number].joined(clock);
  written_by = next.written_by;
  written_to_device = next.written_to_device;
}

const Publication* Publications::find(std::uint64_t address, std::uint32_t bytes) const {
  const auto found = of_.find(address);
  return found == of_.end() || found->second.bytes != bytes ? nullptr : &found->second;
}

void Publications::put(std::uint64_t address, Publication publication) {
  end(address, publication.bytes);
  of_.insert_or_assign(address, std::move(publication));
}

void Publications::clear() {
  of_.clear();
  arrived_.clear();
}

void Publications::add(std::uint64_t address, const Publication& publication) {
  add_to(of_, address, publication);
}

void Publications::arrive(std::uint64_t address, const Publication& publication, bool completes) {
  add_to(arrived_, address, publication);
  if (!completes) return;
  add_to(of_, address, arrived_.at(address));
  arrived_.erase(address);
}

void Publications::end(std::uint64_t address, std::uint32_t bytes) {
  end_in(of_, address, bytes);
  end_in(arrived_, address, bytes);
}

void Publications::add_to(Elements& elements, std::uint64_t address,
                          const Publication& publication) {
  const auto found = elements.find(address);
  if (found != elements.end() && found->second.bytes == publication.bytes &&
      found->second.reaches(publication.written_by, publication.written_to_device)) {
    found->second.join(publication);
  } else {
    end_in(elements, address, publication.bytes);
    elements.insert_or_assign(address, publication);
  }
}

void Publications::end_in(Elements& elements, std::uint64_t address, std::uint32_t bytes) {
  // Elements are aligned to their size, which is at most 16 bytes. So an element that overlaps
  // these bytes begins in the 16 aligned bytes around `address`, or later.
  for (std::uint64_t from = address / longest * longest; from < address + bytes; ++from) {
    const auto found = elements.find(from);
    if (found != elements.end() && from + found->second.bytes > address) elements.erase(found);
  }
}

}  // namespace bankproof::ptx
