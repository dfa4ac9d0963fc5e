// Global memory: buffers that live across launches. Each buffer has its bytes, its shadow, and the
// old contents from which undo() restores both.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../races/clock.hpp"
#include "../textures/objects.hpp"
#include "heap.hpp"
#include "shadow.hpp"
#include "spaces.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

/// When the pages of a buffer changed last, by GlobalMemory::changes(); see changes.cpp.
struct PageChanges {
  std::vector<std::uint64_t> pages;  // 0: not since changes are followed; empty: none of them has
  std::uint64_t last = 0;            // the latest of them
  bool any_time = false;             // the host may change the buffer at any time
  std::uint64_t undefined = 0;       // GlobalMemory::undefinings() when bytes became undefined
};

/// The old contents of the pages of a buffer that this launch has written, for undo(). `data` has
/// the old bytes at the offsets of the buffer; the old bytes of a page are not copied if all were
/// zero.
struct SavedPages {
  SavedPages() = default;
  /// `bits`: also makes room for the shadow's bits that say which bytes were written.
  SavedPages(std::uint64_t bytes, bool bits);
  enum State : std::uint8_t { not_saved, being_saved, is_saved };
  /// Whether the page is saved; may be called while another worker saves it.
  bool has(std::uint64_t page) const {
    return state(page).load(std::memory_order_acquire) == is_saved;
  }
  std::atomic_ref<std::uint8_t> state(std::uint64_t page) const {
    return std::atomic_ref(const_cast<std::uint8_t&>(pages[page]));
  }

  std::vector<std::uint8_t> pages;  // the State of each page
  ZeroedArray<std::byte> data;
  ZeroedArray<std::uint8_t> written;
};

struct Buffer {
  std::string name;
  std::uint64_t bytes = 0;
  ZeroedArray<std::byte> data;
  BufferShadow shadow;
  SavedPages saved;
  PageChanges changes;

  /// A buffer of zeros, which count as written if `defined`.
  static Buffer of(std::string name, std::uint64_t bytes, bool defined);
  /// What is left of a freed buffer: no bytes, and its name, which ends so.
  static constexpr std::string_view freed_ending = ", freed";
  static Buffer freed(const std::string& name);
  /// The records that a worker has of the buffer.
  RaceRecords records(std::size_t worker = 0) { return shadow.of_workers[worker].of(bytes); }
  /// A worker of the launch with this first warp reads or writes the page.
  void use(std::uint64_t page, std::size_t worker, WarpNumber launch, bool writes) {
    shadow.of_workers[worker].use(page, launch, writes, bytes);
  }
  /// Marks all bytes as written; from then on `shadow.written` is not used.
  void define();
};

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // the byte after the last one
};

/// The contents of the variables of a module, by their names in PTX.
struct ModuleMemory {
  std::map<std::string, std::uint32_t> globals;  // the buffers of variables in global memory
  std::map<std::string, std::vector<std::byte>> constants;  // constants that the host has written
  std::uint64_t version = 0;  // counts what the host does to the variables
};

class GlobalMemory {
 public:
  static constexpr std::uint64_t page_bytes = WorkerRecords::page_bytes;

  /// Returns the index of the new buffer, which begins at buffer_address(index). Throws
  /// std::length_error for more than 2^36 bytes. The buffer's bytes are zeros; if `defined`, they
  /// count as written.
  std::uint32_t add_buffer(std::string name, std::uint64_t bytes, bool defined);
  /// Likewise for zeros that mmap() has returned, which the buffer takes over. The host may write
  /// them at any time, so they count as written.
  std::uint32_t add_buffer(std::string name, std::uint64_t bytes, std::byte* mapped);
  /// Likewise as buffer `kept`, whose number keep_number() has returned.
  void add_buffer(std::uint32_t kept, std::string name, std::uint64_t bytes, std::byte* mapped);
  /// Likewise for undefined bytes of its own.
  void add_buffer(std::uint32_t kept, std::string name, std::uint64_t bytes);
  /// The number of a buffer that is to come; until then it is like a freed one.
  std::uint32_t keep_number();

  /// The number of the host's buffers, which have the numbers from 0 on.
  std::size_t size() const { return buffers_.size(); }
  /// Whether it is the number of a buffer, of the host or of the heap, that may be freed.
  bool has(std::uint64_t index) const { return index < buffers_.size() || heap_.has(index); }
  /// The numbers of the buffers that are not freed.
  const std::vector<std::uint32_t>& live() const { return live_; }
  /// Calls visit(buffer) for each buffer, freed or not.
  template <class Visit>
  void each_buffer(const Visit& visit) {
    for (const auto& buffer : buffers_) visit(*buffer);
    for (std::uint32_t index = Heap::first; index < heap_.end(); ++index) visit(heap_[index]);
  }
  Buffer& operator[](std::size_t index) {
    return index < buffers_.size() ? *buffers_[index] : heap_[static_cast<std::uint32_t>(index)];
  }
  const Buffer& operator[](std::size_t index) const {
    return index < buffers_.size() ? *buffers_[index] : heap_[static_cast<std::uint32_t>(index)];
  }

  /// For the host, between launches. Whoever has the bytes may change them at any time.
  std::span<std::byte> data(std::uint32_t index);
  std::span<const std::byte> data(std::uint32_t index) const;
  /// The host writes bytes, which have to fit.
  void write(std::uint32_t index, std::uint64_t offset, std::span<const std::byte> bytes);
  /// Likewise `bytes` bytes that repeat the pattern, which has at most 2^16.
  void fill(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes,
            std::span<const std::byte> pattern);
  /// The host has written the whole buffer.
  void define(std::uint32_t index);
  /// The host has written these bytes of the buffer.
  void define(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes);
  /// These bytes of the buffer count as not written from now on.
  void undefine(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes);
  /// The bytes of the buffer that were not written.
  std::vector<ByteRange> undefined(std::uint32_t index) const;
  /// The first of these bytes that was not written.
  std::optional<std::uint64_t> first_undefined(std::uint32_t index, std::uint64_t offset,
                                               std::uint64_t bytes) const;
  /// The host copies bytes. The copy of a byte counts as written if the original byte counts as
  /// written. The ranges may overlap.
  void copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
            std::uint64_t from_offset, std::uint64_t bytes);
  /// The host frees the buffer: from now on it has no bytes.
  void release(std::uint32_t index);

  /// The texture and surface objects of the context.
  ImageObjects& images() { return images_; }
  const ImageObjects& images() const { return images_; }

  // ---- The heap of kernels. A launch that uses it runs on one worker.

  Heap& heap() { return heap_; }
  const Heap& heap() const { return heap_; }
  /// malloc() of a kernel: the number of the new buffer, or nothing if it gives null.
  std::optional<std::uint32_t> allocate_in_heap(std::uint64_t bytes);

  /// The memory of a module. The caller numbers the modules, since two modules may have variables
  /// of the same name.
  ModuleMemory& module(std::uint32_t number) { return modules_[number]; }

  /// Takes the next `count` numbers of warps and returns the first of them. When the numbers run
  /// out, they start again from the first. Throws std::length_error if `count` exceeds the number
  /// of all warp numbers.
  WarpNumber take_warps(std::uint64_t count);
  /// If fewer than `count` numbers are left, they start again from the first.
  void need_warps(std::uint64_t count);

  /// The number that the next launch's first warp gets.
  WarpNumber next_warp() const { return static_cast<WarpNumber>(next_warp_); }

  /// Watches these words, and stops watching all others.
  void watch(const std::vector<std::uint64_t>& words);

  /// Undoes all stores since the last call of keep().
  void undo();
  /// Makes all stores so far permanent; called between launches. If all bytes of a buffer have been
  /// written, the buffer becomes defined.
  void keep();
  /// Must be called before this worker stores to a page that is not saved.
  void save(Buffer& buffer, std::uint64_t page, std::size_t worker);
  /// Saves the pages of the active lanes that are not saved.
  void save_pages(Buffer& buffer, const Footprint& touched, std::size_t worker) {
    bool are_saved = true;
    for (const std::uint64_t at : touched.at) are_saved &= buffer.saved.has(at / page_bytes);
    if (are_saved) return;
    for (const std::uint64_t at : touched.at) {
      if (!buffer.saved.has(at / page_bytes)) save(buffer, at / page_bytes, worker);
    }
  }
  /// Makes room for what the workers save. None of them may run.
  void expect_workers(std::size_t workers) {
    if (saved_.size() < workers) saved_.resize(workers);
  }

  // ---- Changes of bytes and of what is written, for launches that repeat (changes.cpp)

  /// Keeps for each page when it changed last, from now on.
  void follow_changes() { follows_changes_ = true; }
  /// Grows with each change that is followed.
  std::uint64_t changes() const { return changes_; }
  /// The stores since the last keep() have changed their pages; if `compares`, only those pages
  /// that differ now from what they were.
  void mark_stores(bool compares);
  /// Counts the occasions on which the shadow has forgotten accesses, except those to freed
  /// buffers.
  std::uint64_t forgotten() const { return forgotten_; }
  bool watches() const { return !watched_.empty(); }
  /// Counts the occasions on which written bytes became undefined.
  std::uint64_t undefinings() const { return undefinings_; }
  /// Counts the buffers that the host may have begun to change at any time.
  std::uint64_t opened() const { return opened_; }

 private:
  void forget_saved();
  void keep_defined();
  void watch_word(std::uint64_t word);
  void mark(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes);
  void store(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes);
  void open(Buffer& buffer) {
    opened_ += buffer.changes.any_time ? 0U : 1U;
    buffer.changes.any_time = true;
  }
  struct SavedPage {
    Buffer* buffer;
    std::uint64_t page;
    bool data;  // old bytes were not all zero
    bool written;
  };
  std::vector<std::unique_ptr<Buffer>> buffers_;
  Heap heap_;
  std::vector<std::uint32_t> live_;
  std::map<std::uint32_t, ModuleMemory> modules_;
  ImageObjects images_;
  /// The pages that one worker has saved.
  struct alignas(64) SavedList {
    std::vector<SavedPage> pages;
  };
  template <class F>
  void each_saved(const F& f) const {
    for (const SavedList& list : saved_) {
      for (const SavedPage& page : list.pages) f(page);
    }
  }
  std::vector<SavedList> saved_ = std::vector<SavedList>(1);  // by worker
  std::vector<std::uint64_t> watched_;
  std::uint64_t next_warp_ = 1;
  bool follows_changes_ = false;
  std::uint64_t changes_ = 0;
  std::uint64_t forgotten_ = 0;
  std::uint64_t opened_ = 0;
  std::uint64_t undefinings_ = 0;
};

}  // namespace bankproof::ptx
