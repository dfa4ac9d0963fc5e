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

/// The texts that one worker's blocks printed. Over the limit, the texts of the lowest blocks are
/// kept. The order in which blocks take turns, and the number of workers, do not change which texts
/// are kept.
class PrintedTexts {
 public:
  void add(std::uint64_t block, std::string text);

 private:
  friend std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);
  std::map<std::uint64_t, std::vector<std::string>> texts_;
  std::uint64_t kept_ = 0;  // bytes
  std::uint64_t all_ = 0;
  // A text of this block was dropped. Later texts of this block and of higher blocks are not kept.
  std::uint64_t cut_ = std::numeric_limits<std::uint64_t>::max();
};

/// All texts, block after block. If bytes were dropped, a last line says how many.
std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);

}  // namespace bankproof::ptx
