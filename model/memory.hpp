// Memories and the typed arrays inside them.
//
// A memory is an array of words, numbered from 0. An array takes consecutive words and starts at a
// multiple of the width, unless it asks for an offset. One element of an array is one word,
// whatever its type: the machines count words, not bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "access.hpp"
#include "fault.hpp"
#include "units.hpp"

namespace bankproof {

class ArrayBase;

enum class MemoryKind : std::uint8_t {
  banks,      ///< DMM, shared memory: a stage serves one word of each bank
  groups,     ///< UMM, global memory: a stage serves one address group
  broadcast,  ///< constant memory: a stage serves one address to all threads (CONV 7.3)
  uniform,    ///< PRAM: each access takes one stage, and no access waits for another
};

/// The choice of the thread that wins when several threads of one access write one address
/// (docs/model.md, rule 6).
enum class WriterPolicy : std::uint8_t { lowest, highest, random };

/// One memory of a machine: its kind, width and latency, which determine the cost of an access, and
/// the words that are in use.
class Memory {
 public:
  /// Capacity in words.
  Memory(std::string name, MemoryKind kind, Width width, Latency latency,
         std::uint64_t capacity = unlimited)
      : name_(std::move(name)),
        kind_(kind),
        width_(width),
        latency_(latency),
        capacity_(capacity) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const std::string& name() const { return name_; }
  MemoryKind kind() const { return kind_; }
  Width width() const { return width_; }
  Latency latency() const { return latency_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t free_words() const { return capacity_ - used_; }

  /// The arrays that live in this memory now.
  const std::vector<ArrayBase*>& arrays() const { return arrays_; }

  /// Allocates `words` words, rounded up to a multiple of the width. Returns the address of the
  /// first word, which is a multiple of the width. Throws a Fault if the memory has too few free
  /// words.
  Address allocate(std::uint64_t words) {
    const std::uint64_t rounded = rounded_up(words);
    if (rounded > free_words()) throw fault::capacity(name_, words, rounded, free_words());
    used_ += rounded;
    return std::exchange(next_, next_ + rounded);
  }

  /// Frees the words of one `allocate(words)`.
  void release(std::uint64_t words) {
    used_ -= rounded_up(words);
    if (used_ == 0) next_ = 0;
  }

  /// Rounds up to a multiple of the width. A fault if no memory is that large.
  std::uint64_t rounded_up(std::uint64_t words) const {
    if (words > unlimited - width_) throw fault::capacity(name_, words, unlimited, free_words());
    return ceil_div(words, width_) * width_;
  }

  std::size_t port = 0;  ///< the machine's number for this memory

 private:
  friend class ArrayBase;

  std::string name_;
  MemoryKind kind_;
  Width width_;
  Latency latency_;
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  Address next_ = 0;
  std::vector<ArrayBase*> arrays_;
};

/// Owns words of a memory, for an array or for the blocks of a launch.
class Region {
 public:
  Region(Memory& memory, std::uint64_t words)
      : memory_(&memory), words_(words), base_(memory.allocate(words)) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() { memory_->release(words_); }

  Address base() const { return base_; }
  std::uint64_t words() const { return words_; }

 private:
  Memory* memory_;
  std::uint64_t words_;
  Address base_;
};

/// An array without its element type, as the machine and its observers see it.
class ArrayBase {
 public:
  ArrayBase(const ArrayBase&) = delete;
  ArrayBase& operator=(const ArrayBase&) = delete;
  virtual ~ArrayBase() { std::erase(memory_->arrays_, this); }

  Memory& memory() const { return *memory_; }
  const std::string& name() const { return name_; }
  /// Address of element 0, and its bank.
  Address base() const { return base_; }
  Address misalignment() const { return misalignment_; }
  std::uint64_t size() const { return size_; }
  /// Distinguishes this array from all other arrays of the process, including destroyed ones.
  std::uint64_t id() const { return id_; }
  /// Whether reading an element that no program wrote is an error.
  bool starts_uninitialized() const { return starts_uninitialized_; }

  /// Carries out a write; all indices are below size().
  virtual void store(const Access& access, WriterPolicy policy, std::mt19937_64& random) = 0;
  /// A hint that an access by all lanes will be carried out soon.
  virtual void prefetch(const Access& access) const = 0;
  /// Whether two lanes of a write store different values; true if values cannot be compared.
  virtual bool writes_differ(const Access& access, Width first, Width second) const = 0;
  /// Forgets all values: every element is uninitialized again.
  virtual void reset() = 0;

 protected:
  ArrayBase(Memory& memory, Address base, std::uint64_t size, std::string name, bool uninitialized)
      : memory_(&memory),
        base_(base),
        misalignment_(base % memory.width()),
        size_(size),
        name_(std::move(name)),
        id_(next_id()),
        starts_uninitialized_(uninitialized) {
    memory.arrays_.push_back(this);
  }
  void mark_uninitialized() { starts_uninitialized_ = true; }
  /// Marks all elements as initialized. From now on, observers take this array for a new one.
  void mark_initialized() {
    starts_uninitialized_ = false;
    id_ = next_id();
  }

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> counter{0};
    return ++counter;
  }

  Memory* memory_;
  Address base_;
  Address misalignment_;
  std::uint64_t size_;
  std::string name_;
  std::uint64_t id_;
  bool starts_uninitialized_;
};

}  // namespace bankproof
