// Damaged and hostile fat binaries: the reader says what is wrong and at which byte, and reads
// nothing outside of them (under the sanitizers, this test would end).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../../testing/property.hpp"
#include "writer.hpp"

namespace bankproof::cuda {
namespace {

using Compression = FatEntry::Compression;

/// The message of the first error in reading all texts; empty if there is none. The bytes are
/// copied, so that they end where their memory ends.
std::string error_of(const std::string& bytes) {
  const std::vector<char> copy(bytes.begin(), bytes.end());
  try {
    for (const FatEntry& entry : read_fat_binary(std::as_bytes(std::span(copy)))) {
      if (entry.kind == FatEntry::Kind::ptx) text_of(entry);
    }
  } catch (const FatBinaryError& error) {
    return error.what();
  }
  return {};
}

/// One entry at byte 16, with a number overwritten at a byte of the whole.
std::string changed(std::size_t at, std::uint64_t value, std::size_t size,
                    Compression compression = Compression::none) {
  std::string bytes = container_bytes({{.name = "a.cu", .compression = compression}});
  set(bytes, at, value, size);
  return bytes;
}

TEST(DamagedFatBinary, says_what_and_where) {
  constexpr std::size_t entry = 16;
  const std::vector<std::pair<std::string, std::string>> table = {
      {"abc", "the header of a fat binary has 16 bytes, of which 3 are there, byte 0"},
      {changed(0, 7, 4), "a fat binary does not begin with 0xba55ed50, byte 0"},
      {changed(4, 2, 2), "fat binaries of version 2 are not known, byte 4"},
      {changed(6, 8, 2), "the header of a fat binary has 8 bytes, less than 16, byte 6"},
      {changed(8, 1000, 8), "the list of entries has 1000 bytes, of which 96 are there, byte 16"},
      {changed(8, 40, 8), "the header of an entry has 64 bytes, of which 40 are there, byte 16"},
      {changed(entry + 2, 0x0203, 2), "entries of version 2.3 are not known, byte 18"},
      {changed(entry + 4, 32, 4), "the header of an entry has 32 bytes, less than 64, byte 20"},
      {changed(entry + 4, 105, 4),
       "the header of an entry has 105 bytes, of which 96 are there, byte 16"},
      {changed(entry + 8, ~std::uint64_t{0}, 8),
       "the payload of an entry has 18446744073709551615 bytes, of which 16 are there, byte 96"},
      {changed(entry + 0x24, 99, 4),
       "the name of an entry has 99 bytes, of which 16 are there, byte 80"},
      {changed(entry + 0x14, 77, 4),
       "the text of options has 4 bytes, of which 3 are there, byte 93"},
      {changed(entry + 0x10, 25, 4, Compression::lz4),
       "a compressed payload has 25 bytes, of which 16 are there, byte 96"},
      {changed(entry + 0x38, 9, 8),
       "the PTX for sm_80 is compressed in a way that is not known: flags 17, byte 16"},
      {changed(entry + 0x28, 0xa011, 8, Compression::lz4),
       "the PTX for sm_80 is compressed in a way that is not known: flags 40977, byte 16"},
      {changed(entry + 0x38, std::uint64_t{1} << 40U, 8, Compression::zstd),
       "the PTX for sm_80 has 1099511627776 bytes, more than 1 GiB, byte 16"},
      {changed(entry + 0x38, std::uint64_t{1} << 30U, 8, Compression::lz4),
       "the PTX for sm_80 cannot have 1073741824 bytes after decompression, byte 16"},
      {changed(entry + 0x38, std::uint64_t{1} << 30U, 8, Compression::zstd),
       "the PTX for sm_80 is damaged (zstd: its header gives another size), byte 16"},
      {changed(entry + 0x38, 15, 8, Compression::lz4),
       "the PTX for sm_80 is damaged (LZ4), byte 16"},
  };
  for (const auto& [bytes, error] : table) {
    EXPECT_EQ(error_of(bytes), error + " of the fat binary");
  }
}

TEST(DamagedFatBinary, names_a_damaged_frame_of_zstd) {
  std::string bytes = container_bytes({{.compression = Compression::zstd, .text = "0123456789"}});
  const std::size_t frame = bytes.find("\x28\xb5\x2f\xfd");
  bytes[frame + 6] = '\x07';  // a block of the reserved type
  EXPECT_EQ(error_of(bytes).find("the PTX for sm_80 is damaged (zstd: "), 0U) << error_of(bytes);
}

TEST(DamagedFatBinary, has_no_extent_without_its_magic_number) {
  EXPECT_THROW(extent("// source: a.cu, and more"), FatBinaryError);
  EXPECT_THROW(extent(changed(8, std::uint64_t{1} << 50U, 8).data()), FatBinaryError);
}

TEST(DamagedFatBinary, machine_code_is_no_text) {
  const std::string bytes = container_bytes({{.kind = 2}});
  EXPECT_THROW(text_of(read_fat_binary(bytes_of(bytes)).at(0)), FatBinaryError);
}

std::string several() {
  std::string text;
  for (int k = 0; k < 40; ++k) text += "mov.u32 %r" + std::to_string(k % 7) + ", %tid.x;\n";
  return container_bytes({{.name = "a.cu", .options = "-g", .text = text},
                          {.compression = Compression::lz4, .text = text},
                          {.kind = 2},
                          {.compression = Compression::zstd, .text = text}}) +
         container_bytes({{.target = 90}});
}

TEST(DamagedFatBinary, is_refused_wherever_it_is_cut_off) {
  const std::string bytes = several();
  const std::size_t second = bytes.rfind("\x50\xed\x55\xba");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_EQ(error_of(bytes.substr(0, size)).empty(), size == second) << size;
  }
}

BANKPROOF_PROPERTY(DamagedFatBinary, with_flipped_bytes_is_read_or_refused,
                   (const std::vector<std::pair<std::uint32_t, unsigned char>>& flips)) {
  std::string bytes = several();
  for (const auto& [at, by] : flips) {
    char& byte = bytes[at % bytes.size()];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ by);
  }
  const std::string error = error_of(bytes);
  RC_ASSERT(error.empty() || error.find(" of the fat binary") != std::string::npos);
}

// Large numbers in the headers, where a sum of them might overflow.
BANKPROOF_PROPERTY(DamagedFatBinary, with_any_numbers_is_read_or_refused,
                   (const std::vector<std::pair<std::uint32_t, std::uint64_t>>& numbers)) {
  std::string bytes = several();
  for (const auto& [at, number] : numbers) {
    set(bytes, at % (bytes.size() / 4) * 4, number << (number % 64), 4);
  }
  const std::string error = error_of(bytes);
  RC_ASSERT(error.empty() || error.find(" of the fat binary") != std::string::npos);
}

}  // namespace
}  // namespace bankproof::cuda
