// When kernels are compiled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interface.hpp"

namespace bankproof::ptx {

struct CompileOptions {
  enum class When : std::uint8_t {
    never,
    earned,  // in the background, once the kernel has executed `after` instructions
    always   // before the first launch that could use the code
  };
  When when = When::never;
  /// Instructions of threads. The default takes some 50 ms of interpretation, and a kernel is
  /// compiled in about as long.
  std::uint64_t after = std::uint64_t{1} << 28U;
  /// The folder that keeps object files; empty: none does.
  std::string cache{};
  /// Not 0: the seed of a random choice between interpreter and compiled code, for each turn of
  /// each block. For tests.
  std::uint64_t mixed = 0;
  compiled::Mistake mistake = compiled::Mistake::none;
};

/// The options of `auto` (earned), `never` or `always`, with the user's cache. Throws
/// std::invalid_argument for other words.
CompileOptions compile_options(std::string_view when);

/// The same for $BANKPROOF_COMPILED; auto without it, and for words that compile_options() refuses.
CompileOptions compile_options_of_environment();

}  // namespace bankproof::ptx
