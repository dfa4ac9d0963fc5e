// Keeps the first bytes of the output. "First" is by the numbers of blocks, although blocks print
// in turns.
#include "printed.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bankproof::ptx {

void PrintedTexts::add(std::uint64_t block, std::string text) {
  all_ += text.size();
  if (text.empty() || block >= cut_) return;
  kept_ += text.size();
  texts_[block].push_back(std::move(text));
  while (kept_ > most_printed_bytes) {
    const auto last = std::prev(texts_.end());
    cut_ = last->first;
    kept_ -= last->second.back().size();
    last->second.pop_back();
    if (last->second.empty()) texts_.erase(last);
  }
}

std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers) {
  std::map<std::uint64_t, const std::vector<std::string>*> blocks;
  std::uint64_t all = 0;
  std::uint64_t cut = std::numeric_limits<std::uint64_t>::max();
  for (const PrintedTexts* const worker : workers) {
    for (const auto& [block, texts] : worker->texts_) blocks[block] = &texts;
    all += worker->all_;
    cut = std::min(cut, worker->cut_);
  }
  std::string result;
  bool full = false;
  for (const auto& [block, texts] : blocks) {
    if (full || block > cut) break;
    for (const std::string& text : *texts) {
      full = full || result.size() + text.size() > most_printed_bytes;
      if (!full) result += text;
    }
  }
  const std::uint64_t more = all - result.size();
  if (more == 0) return result;
  if (!result.empty() && result.back() != '\n') result += "\n";
  return result + "(" + std::to_string(more) + " more bytes were printed)\n";
}

}  // namespace bankproof::ptx
