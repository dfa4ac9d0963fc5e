// Launches that repeat: a launch that would do what an earlier launch did is not executed again.
//
// A launch is determined by its kernel, shape, arguments, constants and options, and by the global
// memory that it touches. So it repeats an earlier launch if all these are the same and the earlier
// launch has changed nothing: then it would begin in the same state, do the same, and again change
// nothing. The first launch of a kind mostly fills its results in; the second changes nothing, and
// is kept; the third is not executed.
//
// A kernel that is oblivious (ptx/flow/oblivious.hpp) makes the same accesses whatever its buffers
// contain. So a launch of such a kernel is *known* if an earlier clean launch had the same kernel,
// shape, arguments, constants and options, and nothing that it touched was freed or has become
// undefined. It is executed for its results alone: races are not recorded and accesses not priced.
// Bounds, uninitialized bytes, and lanes that write different values to one place are checked.
//
// The shadow tells what the kept launch touched: each sector that the launch touched has a record
// of one of its warps, or of a later warp (ptx/memory/touched.hpp). So a page that has changed
// since is looked up in the shadow, once for each change. docs/trust.md says what this rests on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "../../ptx/exec/launch.hpp"
#include "../../ptx/memory/touched.hpp"

namespace bankproof::cuda {

using TouchedBuffers = std::map<std::uint32_t, std::vector<ptx::Touched>>;

/// The results of a launch. A launch that repeats it gets the same results.
struct KeptLaunch {
  ptx::LaunchResult result;  // without events
  std::uint64_t time = 0;
  std::uint64_t number = 0;                               // in the session's report
  std::vector<std::uint64_t> objects;                     // textures and surfaces that it used
  mutable std::shared_ptr<const TouchedBuffers> touched;  // null: not computed
};

/// Everything besides global memory that determines a launch.
struct LaunchKey {
  const void* kernel = nullptr;
  ptx::Extent grid{};
  ptx::Extent block{};
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::uint64_t variables = 0;  // ptx::ModuleMemory::version
  // ptx::ImageObjects::version(): a texture or surface that the launch used may be gone
  std::uint64_t objects = 0;
  std::uint64_t resident = 0;
  bool is_reported = true;
  auto operator<=>(const LaunchKey&) const = default;
};

class Repeats {
 public:
  /// Returns what the launch would do, if that is known; null: the launch has to be executed
  /// between begin() and end(). `needs_touched`: only if the kept launch has `touched`.
  std::shared_ptr<const KeptLaunch> find(const LaunchKey& key, ptx::GlobalMemory& memory,
                                         bool needs_touched);

  /// For a launch of an oblivious kernel that find() did not know: the launch that made its
  /// accesses; null if there was none.
  std::shared_ptr<const KeptLaunch> known(ptx::GlobalMemory& memory, bool needs_touched);

  /// The launch that find() did not know begins. `is_known`: without records.
  void begin(ptx::GlobalMemory& memory, bool is_known);
  /// It has ended. Keeps the result if the launch is clean and has changed nothing.
  void end(ptx::GlobalMemory& memory, const std::shared_ptr<const KeptLaunch>& did);
  /// It has ended by an exception, or another launch has ended that is never kept.
  void forget(ptx::GlobalMemory& memory);

  /// Keeps the bytes that the last executed launch touched.
  void set_touched(const std::shared_ptr<const TouchedBuffers>& touched);

  /// Must be called before the buffer is freed.
  void release(ptx::GlobalMemory& memory, std::uint32_t buffer);

 private:
  struct Entry {
    std::uint64_t executed = 0;
    // The latest clean launch with records, and its first warp; null: none.
    std::shared_ptr<const KeptLaunch> checked;
    ptx::WarpNumber first = 0;
    std::uint64_t forgotten = 0;    // GlobalMemory::forgotten()
    std::uint64_t undefinings = 0;  // GlobalMemory::undefinings(): none since concerned it
    // `checked`, if the latest launch has changed nothing; else null.
    std::shared_ptr<const KeptLaunch> kept;
    std::uint64_t unchanged = 0;  // all that it touched has not changed since this change
    std::uint64_t opened = 0;     // GlobalMemory::opened(): it touched none of these buffers
  };

  static bool holds(Entry& entry, ptx::GlobalMemory& memory);

  std::map<LaunchKey, Entry> entries_;
  Entry* current_ = nullptr;    // the launch that find() did not know
  bool wants_touched_ = false;  // find() knew all but `touched`
  bool is_known_ = false;
  bool compares_ = false;  // whether the current launch may be kept
  ptx::WarpNumber first_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t forgotten_ = 0;
  std::uint64_t undefinings_ = 0;
};

}  // namespace bankproof::cuda
