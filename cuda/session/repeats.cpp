// Keeps launches and looks for changes of what they touched; see repeats.hpp.
#include "repeats.hpp"

#include <algorithm>
#include <bit>

namespace bankproof::cuda {

namespace {

constexpr std::size_t most_entries = 1024;
// Looking for accesses to more pages of a buffer costs more than executing a launch again.
constexpr std::uint64_t most_pages = 4096;

std::uint64_t pages_of(const ptx::Buffer& buffer) {
  return (buffer.bytes + ptx::GlobalMemory::page_bytes - 1) / ptx::GlobalMemory::page_bytes;
}

/// Whether warps from `first` on may have touched the buffer.
bool may_be_touched(ptx::Buffer& buffer, ptx::WarpNumber first) {
  const std::uint64_t pages = pages_of(buffer);
  if (pages > most_pages) return true;
  for (std::uint64_t page = 0; page < pages; ++page) {
    if (ptx::is_touched_since(buffer, page, first)) return true;
  }
  return false;
}

}  // namespace

/// Whether all that the kept launch touched is as it was.
bool Repeats::holds(Entry& entry, ptx::GlobalMemory& memory) {
  if (entry.forgotten != memory.forgotten()) return false;
  // printf reads strings without records of the reads, so a launch that prints has read everything.
  const bool prints = !entry.kept->result.printed.empty();
  for (const std::uint32_t number : memory.live()) {
    ptx::Buffer& buffer = memory[number];
    if (buffer.changes.any_time) {
      const bool is_new = entry.opened != memory.opened();
      if (is_new && (prints || may_be_touched(buffer, entry.first))) return false;
      continue;
    }
    if (buffer.changes.last <= entry.unchanged) continue;
    for (std::size_t page = 0; page < buffer.changes.pages.size(); ++page) {
      if (buffer.changes.pages[page] <= entry.unchanged) continue;
      if (prints || ptx::is_touched_since(buffer, page, entry.first)) return false;
    }
  }
  entry.opened = memory.opened();
  entry.unchanged = memory.changes();
  return true;
}

std::shared_ptr<const KeptLaunch> Repeats::find(const LaunchKey& key, ptx::GlobalMemory& memory,
                                                bool needs_touched) {
  if (entries_.size() >= most_entries) entries_.clear();
  current_ = &entries_[key];
  wants_touched_ = false;
  if (current_->kept == nullptr) return nullptr;
  if (!holds(*current_, memory)) {
    current_->kept = nullptr;
    return nullptr;
  }
  wants_touched_ = needs_touched && current_->kept->touched == nullptr;
  if (wants_touched_) return nullptr;
  return current_->kept;
}

std::shared_ptr<const KeptLaunch> Repeats::known(ptx::GlobalMemory& memory, bool needs_touched) {
  Entry& entry = *current_;
  if (entry.checked == nullptr || entry.forgotten != memory.forgotten()) return nullptr;
  if (needs_touched && entry.checked->touched == nullptr) return nullptr;
  for (const std::uint32_t number : memory.live()) {
    ptx::Buffer& buffer = memory[number];
    if (buffer.changes.undefined <= entry.undefinings) continue;
    if (may_be_touched(buffer, entry.first)) return nullptr;
  }
  entry.undefinings = memory.undefinings();
  return entry.checked;
}

// A launch whose memory changes each time is compared ever more rarely.
void Repeats::begin(ptx::GlobalMemory& memory, bool is_known) {
  is_known_ = is_known;
  ++current_->executed;
  compares_ = wants_touched_ || (std::has_single_bit(current_->executed) && current_->executed > 1);
  if (compares_) memory.follow_changes();
  first_ = memory.next_warp();
  changes_ = memory.changes();
  forgotten_ = memory.forgotten();
  undefinings_ = memory.undefinings();
}

void Repeats::end(ptx::GlobalMemory& memory, const std::shared_ptr<const KeptLaunch>& did) {
  memory.mark_stores(compares_);
  Entry& entry = *current_;
  entry.kept = nullptr;
  const bool has_records = memory.forgotten() == forgotten_ && !memory.watches();
  if (!is_known_) {
    entry.checked = has_records && did->result.faults.empty() ? did : nullptr;
    entry.first = first_;
    entry.forgotten = forgotten_;
    entry.undefinings = undefinings_;
  }
  if (!compares_ || entry.checked == nullptr || memory.changes() != changes_) return;
  if (entry.forgotten != memory.forgotten()) return;
  entry.kept = did;
  entry.unchanged = changes_;
  entry.opened = 0;
}

void Repeats::forget(ptx::GlobalMemory& memory) {
  memory.mark_stores(false);
  if (current_ != nullptr) current_->kept = nullptr;
  current_ = nullptr;
}

void Repeats::set_touched(const std::shared_ptr<const TouchedBuffers>& touched) {
  if (current_ != nullptr && current_->checked != nullptr) current_->checked->touched = touched;
}

void Repeats::release(ptx::GlobalMemory& memory, std::uint32_t buffer) {
  for (auto& [key, entry] : entries_) {
    if (entry.checked == nullptr || !may_be_touched(memory[buffer], entry.first)) continue;
    entry.checked = nullptr;
    entry.kept = nullptr;
  }
}

}  // namespace bankproof::cuda
