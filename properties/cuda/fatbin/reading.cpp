// Fat binaries made by hand, and what is read from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../../testing/property.hpp"
#include "writer.hpp"

namespace bankproof::cuda {
namespace {

using Compression = FatEntry::Compression;

TEST(FatBinary, keeps_what_nvcc_says_of_each_entry) {
  const std::string bytes = container_bytes(
      {{.target = 80, .name = "a.cu", .options = "--compile-only  --generate-line-info "},
       {.target = 100, .flags = 0x200013, .text = "f"},
       {.kind = 2,
        .target = 90,
        .flags = 0x100011,
        .text = "\x7f"
                "ELF"},
       {.kind = 8, .target = 80}});
  const std::vector<FatEntry> entries = read_fat_binary(bytes_of(bytes));
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].kind, FatEntry::Kind::ptx);
  EXPECT_EQ(entries[0].name, "a.cu");
  EXPECT_EQ(entries[0].options, "--compile-only  --generate-line-info ");
  EXPECT_TRUE(entries[0].relocatable);
  EXPECT_FALSE(entries[0].debug);
  EXPECT_EQ(target_name(entries[0]), "sm_80");
  EXPECT_EQ(entries[0].offset, 16U);
  EXPECT_EQ(text_of(entries[0]), ".version 9.0\n");
  EXPECT_EQ(target_name(entries[1]), "sm_100f");
  EXPECT_TRUE(entries[1].debug);
  EXPECT_FALSE(entries[1].relocatable);
  EXPECT_EQ(entries[2].kind, FatEntry::Kind::machine_code);
  EXPECT_EQ(target_name(entries[2]), "sm_90a");
  EXPECT_EQ(entries[3].kind, FatEntry::Kind::other);
}

TEST(FatBinary, of_a_linked_program_that_holds_ptx_alone_is_empty) {
  EXPECT_TRUE(read_fat_binary(bytes_of(container_bytes({}))).empty());
}

TEST(FatBinary, ends_where_its_header_says_and_another_may_follow) {
  const std::string one = container_bytes({{.target = 75}, {.target = 80}});
  const std::string both = one + container_bytes({{.target = 90}});
  EXPECT_EQ(extent(both.data()).size(), one.size());
  const std::vector<FatEntry> entries = read_fat_binary(bytes_of(both));
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].target, 90U);
  EXPECT_EQ(entries[2].offset, one.size() + 16);
}

BANKPROOF_PROPERTY(FatBinary, gives_back_each_text_however_it_is_compressed,
                   (const std::vector<std::string>& words, unsigned repeats)) {
  std::string text;
  for (unsigned k = 0; k <= repeats % 50; ++k) {
    for (const std::string& word : words) text += word;
  }
  text += '}';  // PTX does not end with a zero byte
  for (const Compression how : {Compression::none, Compression::lz4, Compression::zstd}) {
    const std::string bytes = container_bytes({{.compression = how, .text = text}, {}});
    const std::vector<FatEntry> entries = read_fat_binary(bytes_of(bytes));
    RC_ASSERT(entries.size() == 2U);
    RC_ASSERT(entries[0].compression == how);
    RC_ASSERT(text_of(entries[0]) == text);
  }
}

// ---- The PTX that a machine runs

std::string best_of(const std::vector<Written>& written, std::uint32_t highest) {
  const std::string bytes = container_bytes(written);
  const std::vector<FatEntry> entries = read_fat_binary(bytes_of(bytes));
  const FatEntry* const best = best_ptx(entries, highest);
  return best == nullptr ? "none" : target_name(*best);
}

TEST(BestPtx, has_the_highest_target_that_the_machine_runs) {
  const std::vector<Written> three = {{.target = 75}, {.target = 90}, {.target = 80}};
  EXPECT_EQ(best_of(three, 80), "sm_80");
  EXPECT_EQ(best_of(three, 89), "sm_80");
  EXPECT_EQ(best_of(three, 120), "sm_90");
  EXPECT_EQ(best_of(three, 70), "none");
  EXPECT_EQ(best_of({}, 80), "none");
}

TEST(BestPtx, is_no_machine_code) {
  EXPECT_EQ(best_of({{.kind = 2, .target = 80}, {.target = 75}}, 80), "sm_75");
}

TEST(BestPtx, of_one_chip_runs_on_no_other_and_of_a_family_on_the_family) {
  const Written chip{.target = 90, .flags = 0x100011};
  EXPECT_EQ(best_of({chip}, 90), "sm_90a");
  EXPECT_EQ(best_of({chip}, 100), "none");
  const Written family{.target = 100, .flags = 0x200011};
  EXPECT_EQ(best_of({family}, 103), "sm_100f");
  EXPECT_EQ(best_of({family}, 120), "none");
  EXPECT_EQ(best_of({family}, 90), "none");
  EXPECT_EQ(best_of({chip, {.target = 90}}, 90), "sm_90");
  EXPECT_EQ(best_of({{.target = 90}, chip}, 90), "sm_90");
}

}  // namespace
}  // namespace bankproof::cuda
