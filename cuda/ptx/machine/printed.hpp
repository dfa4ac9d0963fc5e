// What kernels print, by blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::ptx {

/// The bytes of a launch that are kept, as many as CUDA's buffer of printf has unless told.
inline constexpr std::uint64_t most_printed_bytes = std::uint64_t{1} << 20U;

/// What one worker's blocks printed, in turn.
class PrintedTexts {
 public:
  void add(std::uint64_t block, std::string text) {
    all_ += text.size();
    if (!text.empty() && all_ <= most_printed_bytes) texts_.push_back({block, std::move(text)});
  }

 private:
  friend std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);
  struct Text {
    std::uint64_t block = 0;
    std::string text;
  };
  std::vector<Text> texts_;
  std::uint64_t all_ = 0;  // bytes, with those that were not kept
};

/// All of it, block after block; what is too much is told in a last line.
std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers);

}  // namespace bankproof::ptx
