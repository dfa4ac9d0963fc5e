// The output of kernels, block by block.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bankproof::ptx {

/// A launch keeps at most this many bytes of output: the default size of CUDA's printf buffer.
inline constexpr std::uint64_t most_printed_bytes = std::uint64_t{1} << 20U;

/// The texts that one worker's blocks printed. If the limit is exceeded, the texts of the blocks
/// with the lowest numbers are kept. Which texts are kept depends neither on the order in which
/// blocks take turns nor on the number of workers.
class PrintedTexts {
 public:
  void add(std::uint64_t block, std::string text);

 private:
  friend std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);
  std::map<std::uint64_t, std::vector<std::string>> texts_;
  std::uint64_t kept_ = 0;  // bytes
  std::uint64_t all_ = 0;
  // The lowest block of which a text was dropped. Later texts of this block, and all texts of
  // higher blocks, are dropped too.
  std::uint64_t cut_ = std::numeric_limits<std::uint64_t>::max();
};

/// All texts, block after block. If bytes were dropped, a last line says how many.
std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);

}  // namespace bankproof::ptx
