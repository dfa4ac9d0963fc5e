// Runs a kernel for a test: the kernel, its arguments, and the faults of its launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../ptx/exec/launch.hpp"
#include "../../ptx/syntax/parser.hpp"

namespace bankproof::ptx {

/// How the next launch of a test runs: every fifth one on compiled code, every tenth with turns of
/// the interpreter between; after many launches, which a test of tiny kernels makes, fewer of them.
/// Without the plug-in, all are interpreted (the suite CompiledKernels says so).
class CompiledTurns {
 public:
  /// Whether the next launch is on compiled code.
  static bool is_next() { return (launches + 1) % step(launches + 1) == 0; }
  static CompileOptions next() {
    const std::uint64_t launch = ++launches;
    CompileOptions options;
    if (launch % step(launch) == 0) options.when = CompileOptions::When::always;
    if (launch % (2 * step(launch)) == 0) options.mixed = launch;
    return options;
  }

 private:
  static std::uint64_t step(std::uint64_t launch) { return launch < 150 ? 5 : 100; }
  static inline std::uint64_t launches = 0;
};

/// Whether the next launch of a test records races by words and takes no short ways of accesses:
/// every third one.
inline bool is_next_plain() {
  static std::uint64_t launches = 0;
  return ++launches % 3 == 0;
}

class KernelRun {
 public:
  KernelRun(const Module& module, const std::string& entry, Level level = best_level())
      : program_(decode(module, entry, level)) {}
  KernelRun(const std::string& text, const std::string& entry)
      : KernelRun(parse(text, "k.ptx"), entry) {}

  /// Adds a buffer with these values, and its address as the next parameter.
  template <class T>
  std::uint32_t buffer(const std::vector<T>& values) {
    const std::uint32_t index =
        memory_.add_buffer("b" + std::to_string(memory_.size()), values.size() * sizeof(T), true);
    std::memcpy(memory_.data(index).data(), values.data(), values.size() * sizeof(T));
    value(buffer_address(index));
    return index;
  }

  /// Adds the next parameter, aligned to its own size or to a smaller alignment.
  template <class T>
  void value(const T& parameter, std::size_t alignment = alignof(T)) {
    parameters_.resize((parameters_.size() + alignment - 1) / alignment * alignment + sizeof(T));
    std::memcpy(parameters_.data() + parameters_.size() - sizeof(T), &parameter, sizeof(T));
  }

  const LaunchResult& launch(const Extent& grid, const Extent& block, RunOptions options = {},
                             std::uint64_t dynamic_shared_bytes = 0) {
    const bool is_told = options.compile.when != CompileOptions::When::never;
    if (chooses_ && !is_told) options.compile = CompiledTurns::next();
    if (chooses_ && is_next_plain()) {
      options.records = RaceRecording::words;
      options.short_ways = false;
    }
    result_ =
        ptx::launch(program_, {grid, block, dynamic_shared_bytes}, parameters_, memory_, options);
    return result_;
  }

  template <class T>
  std::vector<T> data(std::uint32_t index) {
    const std::span<const std::byte> bytes = memory_.data(index);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

  /// The kinds of the faults; names like "race at st.global.u32" would need the module.
  std::vector<FaultKind> faults() const {
    std::vector<FaultKind> kinds;
    for (const auto& [key, fault] : result_.faults.all()) kinds.push_back(fault.kind);
    return kinds;
  }

  /// A planted bug: the judge assumes that only barriers of all threads order accesses.
  void make_imprecise() { program_.precise = false; }

  /// All launches that are not told otherwise are interpreted.
  void interpret() { chooses_ = false; }

  const Program& program() const { return program_; }
  const LaunchResult& result() const { return result_; }
  GlobalMemory& memory() { return memory_; }

 private:
  Program program_;
  GlobalMemory memory_;
  std::vector<std::byte> parameters_;
  LaunchResult result_;
  bool chooses_ = true;
};

}  // namespace bankproof::ptx
