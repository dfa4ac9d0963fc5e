// Each worker takes its blocks in order, so that what it keeps begins with what comes first.
#include "printed.hpp"

#include <algorithm>

namespace bankproof::ptx {

std::string in_order_of_blocks(std::span<const PrintedTexts* const> workers) {
  std::vector<const PrintedTexts::Text*> texts;
  std::uint64_t all = 0;
  for (const PrintedTexts* const worker : workers) {
    for (const PrintedTexts::Text& text : worker->texts_) texts.push_back(&text);
    all += worker->all_;
  }
  std::stable_sort(texts.begin(), texts.end(),
                   [](const auto* a, const auto* b) { return a->block < b->block; });
  std::string result;
  for (const PrintedTexts::Text* const text : texts) {
    if (result.size() + text->text.size() > most_printed_bytes) break;
    result += text->text;
  }
  if (result.size() == all) return result;
  if (!result.empty() && result.back() != '\n') result += "\n";
  return result + "(" + std::to_string(all - result.size()) + " more bytes were printed)\n";
}

}  // namespace bankproof::ptx
