// What kernels print, by blocks.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bankproof::ptx {

/// The bytes of a launch that are kept, as many as CUDA's buffer of printf has unless told.
inline constexpr std::uint64_t most_printed_bytes = std::uint64_t{1} << 20U;

/// What one worker's blocks printed. Of what is too much, the first blocks are kept, however blocks
/// took turns: so what is kept does not depend on the workers.
class PrintedTexts {
 public:
  void add(std::uint64_t block, std::string text);

 private:
  friend std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);
  std::map<std::uint64_t, std::vector<std::string>> texts_;
  std::uint64_t kept_ = 0;  // bytes
  std::uint64_t all_ = 0;
  // The block of which a text was dropped. Nothing that comes behind that is kept.
  std::uint64_t cut_ = std::numeric_limits<std::uint64_t>::max();
};

/// All of it, block after block; what is too much is told in a last line.
std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);

}  // namespace bankproof::ptx
