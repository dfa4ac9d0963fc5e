// The costs of one instruction's accesses, summed over all warps that executed it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "faults.hpp"
#include "registers.hpp"

namespace bankproof::ptx {

/// One access of a warp, kept for a picture. The address of a lane is the first byte of its
/// element, counted from the start of shared memory or of the buffer.
struct AccessPicture {
  ThreadName warp;  // the first thread of the warp
  LaneMask lanes = 0;
  std::uint32_t element_bytes = 0;
  std::uint32_t buffer = 0;  // for global memory
  std::array<std::uint64_t, warp_lanes> addresses{};
  std::uint64_t excess = 0;
};

/// Like std::optional<AccessPicture>, but small while it has no picture: counts have two of these,
/// and mostly one stays empty.
class KeptPicture {
 public:
  KeptPicture() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a picture is kept where one is asked for
  KeptPicture(const AccessPicture& picture) : kept_(std::make_unique<AccessPicture>(picture)) {}
  KeptPicture(const KeptPicture& other)
      : kept_(other.kept_ ? std::make_unique<AccessPicture>(*other.kept_) : nullptr) {}
  KeptPicture(KeptPicture&&) noexcept = default;
  KeptPicture& operator=(const KeptPicture& other) {
    if (!other.kept_) {
      kept_ = nullptr;
    } else if (this != &other) {
      emplace(*other.kept_);
    }
    return *this;
  }
  KeptPicture& operator=(KeptPicture&&) noexcept = default;
  ~KeptPicture() = default;

  AccessPicture& emplace(const AccessPicture& picture = {}) {
    if (!kept_) {
      kept_ = std::make_unique<AccessPicture>(picture);
    } else {
      *kept_ = picture;
    }
    return *kept_;
  }
  bool has_value() const { return kept_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  AccessPicture& operator*() { return *kept_; }
  const AccessPicture& operator*() const { return *kept_; }
  AccessPicture* operator->() { return kept_.get(); }
  const AccessPicture* operator->() const { return kept_.get(); }

 private:
  std::unique_ptr<AccessPicture> kept_;
};

/// Sums over all accesses of one instruction (or of one source line).
struct AccessCounts {
  std::uint64_t accesses = 0;  // accesses with at least one active lane
  std::uint64_t lanes = 0;     // active lanes of these accesses
  // Shared memory: wavefronts by the machine's rules.
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  // Global memory: lines of 128 bytes (on hmm, address groups) and sectors of 32 bytes.
  std::uint64_t lines = 0;
  std::uint64_t ideal_lines = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;
  // The access with the largest excess. Of several, the first by launch, block and thread.
  KeptPicture worst_shared;
  KeptPicture worst_global;

  void add(const AccessCounts& other) {
    accesses += other.accesses;
    lanes += other.lanes;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    lines += other.lines;
    ideal_lines += other.ideal_lines;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    keep_worse(worst_shared, other.worst_shared);
    keep_worse(worst_global, other.worst_global);
  }

  static void keep_worse(KeptPicture& mine, const KeptPicture& theirs) {
    if (!theirs) return;
    if (!mine || theirs->excess > mine->excess ||
        (theirs->excess == mine->excess && theirs->warp < mine->warp)) {
      mine = theirs;
    }
  }
};

/// The counts of the instructions (sites) of a kernel that made accesses. The others, which are
/// most of a large kernel, take neither room nor time.
class SiteCounts {
 public:
  using Entry = std::pair<std::uint32_t, AccessCounts>;  // a site and its counts

  /// Zeros for a site without accesses.
  const AccessCounts& operator[](std::size_t site) const {
    static const AccessCounts none;
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), site, is_before);
    return found != entries_.end() && found->first == site ? found->second : none;
  }
  // By site.
  std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<Entry>::const_iterator end() const { return entries_.end(); }

  void add(std::uint32_t site, const AccessCounts& counts) {
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), site, is_before);
    if (place != entries_.end() && place->first == site) {
      place->second.add(counts);
    } else {
      entries_.emplace(place, site, counts);
    }
  }
  void add(const SiteCounts& other) {
    if (entries_.empty()) {
      entries_ = other.entries_;
      return;
    }
    for (const auto& [site, counts] : other) add(site, counts);
  }

  // ---- For whoever counts, one access after the other.

  /// Adds an entry for a site that has none, behind all others; returns its index.
  std::size_t append(std::uint32_t site) {
    entries_.emplace_back(site, AccessCounts());
    return entries_.size() - 1;
  }
  Entry& entry(std::size_t index) { return entries_[index]; }
  std::size_t size() const { return entries_.size(); }
  /// Must be called after append(), before anybody else reads the counts.
  void sort() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.first < b.first; });
  }

 private:
  static bool is_before(const Entry& entry, std::size_t site) { return entry.first < site; }
  std::vector<Entry> entries_;
};

}  // namespace bankproof::ptx
