// The shape of a launch, and the state of a block while the block runs (docs/model.md, rule 8).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fault.hpp"
#include "memory.hpp"

namespace bankproof {

template <class T>
class Array;

/// The shape of a launch: `blocks` blocks of `threads` threads, each with `shared_words` words of
/// its DMM's shared memory, rounded up to the width. A block's arrays start at multiples of the
/// width.
struct Launch {
  std::uint64_t blocks = 1;
  std::uint64_t threads = 1;
  std::uint64_t shared_words = 0;
  std::string name = {};       ///< for faults and traces
  std::string reproduce = {};  ///< the command that repeats this run, for faults
};

/// A slot of a DMM and the block that runs in it.
class BlockState {
 public:
  const Launch* shape = nullptr;
  std::uint64_t index = 0;  ///< number in the launch
  std::uint64_t dmm = 0;
  std::uint64_t slot = 0;
  std::uint64_t phase = 0;    ///< barriers passed
  std::uint64_t live = 0;     ///< warps that have not ended
  std::uint64_t waiting = 0;  ///< warps at the barrier
  Time began = 0;
  std::uint64_t began_after = 0;  ///< in lockstep: the rounds before the block began
  std::uint64_t turn = 0;         ///< blocks that began and ended in this slot at time `began`
  Time latest = 0;                ///< the latest end or arrival at the barrier so far

  /// The words of shared memory that the blocks of this slot use in turn; null if there are none.
  Memory* memory = nullptr;
  std::unique_ptr<Region> region;

  /// The `number`-th array that the warps of the block declare. A slot keeps its arrays for the
  /// next block, which finds the arrays uninitialized.
  template <class T>
  Array<T>& array(std::uint64_t number, std::uint64_t size, const std::string& name);

  /// Begins a new block: resets the arrays that the previous block of this slot declared.
  template <class F>
  void forget_arrays(F forgotten) {
    declared_ = 0;
    for (const Declared& known : arrays_) {
      known.array->reset();
      forgotten(*known.array);
    }
  }

 private:
  struct Declared {
    std::unique_ptr<ArrayBase> array;
    std::uint64_t end;  ///< the first word after the array, in the region
  };
  std::vector<Declared> arrays_;
  std::uint64_t declared_ = 0;  ///< arrays that the current block has declared
};

template <class T>
Array<T>& BlockState::array(std::uint64_t number, std::uint64_t size, const std::string& name) {
  if (number < arrays_.size()) {
    auto* known = dynamic_cast<Array<T>*>(arrays_[number].array.get());
    const bool fits = known != nullptr && known->size() == size && known->name() == name;
    if (fits) {
      declared_ = std::max(declared_, number + 1);
      return *known;
    }
    if (number < declared_) {
      const ArrayBase& other = *arrays_[number].array;
      throw fault::impossible(FaultKind::launch,
                              "block " + std::to_string(index) + ", array " + name + " of " +
                                  std::to_string(size) +
                                  " words: another warp of the block declared " + other.name() +
                                  " of " + std::to_string(other.size()) +
                                  " words here, expected the same arrays (name, type and size) in "
                                  "the same order");
    }
    arrays_.resize(number);  // an earlier block of this slot declared other arrays
  }
  const Address base = region ? region->base() : 0;
  const std::uint64_t words = region ? memory->rounded_up(region->words()) : 0;
  const std::uint64_t start = arrays_.empty() ? 0 : memory->rounded_up(arrays_.back().end);
  if (start > words || size > words - start) {
    throw fault::impossible(
        FaultKind::capacity,
        "block " + std::to_string(index) + ", array " + name + " of " + std::to_string(size) +
            " words does not fit: Launch::shared_words gives a block " + std::to_string(words) +
            " words, of which " + std::to_string(std::min(start, words)) + " are taken");
  }
  auto array = std::make_unique<Array<T>>(*memory, base + start, size, name);
  Array<T>& result = *array;
  arrays_.push_back({std::move(array), start + size});
  declared_ = arrays_.size();
  return result;
}

}  // namespace bankproof
