// A launch keeps only a part of its printed text: the first part of all text in the order of
// blocks.
#include "../../ptx/isa/printed.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::ptx {
namespace {

using Printed = std::vector<std::pair<std::uint64_t, std::string>>;  // block and text, by time

/// The text that a launch with `workers` workers keeps; block b runs on worker b mod `workers`.
std::string kept_of(const Printed& printed, std::uint64_t workers) {
  std::vector<PrintedTexts> of(workers);
  for (const auto& [block, text] : printed) of[block % workers].add(block, text);
  std::vector<const PrintedTexts*> all;
  all.reserve(of.size());
  for (const PrintedTexts& one : of) all.push_back(&one);
  return in_order_of_blocks(all);
}

/// All texts in the order of blocks, up to the first text that does not fit.
std::string beginning_of(Printed printed) {
  std::stable_sort(printed.begin(), printed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  std::size_t all = 0;
  bool full = false;
  for (const auto& [block, more] : printed) {
    all += more.size();
    full = full || text.size() + more.size() > most_printed_bytes;
    if (!full) text += more;
  }
  if (text.size() == all) return text;
  return text + "\n(" + std::to_string(all - text.size()) + " more bytes were printed)\n";
}

TEST(Printed, comes_block_after_block) {
  const Printed printed{{1, "b"}, {0, "a"}, {1, "c"}, {0, "d\n"}};
  EXPECT_EQ(kept_of(printed, 1), "ad\nbc");
  EXPECT_EQ(kept_of(printed, 2), "ad\nbc");
}

RC_GTEST_PROP(Printed, keeps_the_first_blocks_however_they_took_turns, ()) {
  // In half of the cases there is more text than the launch keeps.
  const auto up_to = [](std::uint64_t most) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, most));
  };
  const std::uint64_t texts = up_to(40);
  Printed printed;
  for (std::size_t k = 0; k < texts; ++k) {
    const std::uint64_t size = up_to(most_printed_bytes / 8);
    printed.emplace_back(up_to(6), std::string(size, static_cast<char>('a' + k % 26)));
  }
  const std::string expected = beginning_of(printed);
  for (const std::uint64_t workers : {1U, 2U, 3U}) {
    const std::string kept = kept_of(printed, workers);
    const bool same = kept == expected;  // a mebibyte, too long to print
    RC_ASSERT(same);
  }
  RC_CLASSIFY(expected.ends_with("printed)\n"), "too much");
}

}  // namespace
}  // namespace bankproof::ptx
