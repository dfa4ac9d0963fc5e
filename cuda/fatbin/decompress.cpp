// The texts of entries. LZ4 payloads are one raw block (LZ4 Block Format Description), zstd
// payloads one frame (RFC 8878).
//
// The size after decompression comes from the file, so it is checked against what the payload can
// hold before the memory for it is taken: a byte of LZ4 stands for at most 255, and a frame of zstd
// gives its own size.
#include <lz4.h>
#include <zstd.h>

#include <string>

#include "fat_binary.hpp"

namespace bankproof::cuda {

namespace {

[[noreturn]] void fail(const FatEntry& entry, const std::string& what) {
  throw FatBinaryError("the PTX for " + target_name(entry) + " " + what, entry.offset);
}

std::string by_lz4(const FatEntry& entry) {
  constexpr std::uint64_t most_of_a_byte = 255;
  if (entry.bytes > most_of_a_byte * entry.payload.size()) {
    fail(entry, "cannot have " + std::to_string(entry.bytes) + " bytes after decompression");
  }
  if (entry.payload.size() > LZ4_MAX_INPUT_SIZE) fail(entry, "is too long for LZ4");
  std::string text(entry.bytes, '\0');
  const int made =
      LZ4_decompress_safe(reinterpret_cast<const char*>(entry.payload.data()), text.data(),
                          static_cast<int>(entry.payload.size()), static_cast<int>(text.size()));
  if (made < 0 || static_cast<std::uint64_t>(made) != entry.bytes) fail(entry, "is damaged (LZ4)");
  return text;
}

std::string by_zstd(const FatEntry& entry) {
  const auto size = ZSTD_getFrameContentSize(entry.payload.data(), entry.payload.size());
  if (size != entry.bytes) fail(entry, "is damaged (zstd: its header gives another size)");
  std::string text(entry.bytes, '\0');
  const std::size_t made =
      ZSTD_decompress(text.data(), text.size(), entry.payload.data(), entry.payload.size());
  if (ZSTD_isError(made) != 0) {
    fail(entry, std::string("is damaged (zstd: ") + ZSTD_getErrorName(made) + ")");
  }
  if (made != entry.bytes) fail(entry, "is damaged (zstd: another size)");
  return text;
}

std::string decompressed(const FatEntry& entry) {
  switch (entry.compression) {
    case FatEntry::Compression::none:
      return {reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size()};
    case FatEntry::Compression::lz4:
      return by_lz4(entry);
    case FatEntry::Compression::zstd:
      return by_zstd(entry);
    case FatEntry::Compression::unknown:
      break;
  }
  fail(entry, "is compressed in a way that is not known: flags " + std::to_string(entry.flags));
}

}  // namespace

std::string text_of(const FatEntry& entry) {
  if (entry.kind != FatEntry::Kind::ptx) {
    throw FatBinaryError("the code for " + target_name(entry) + " is no PTX", entry.offset);
  }
  if (entry.bytes > most_bytes_of_text) {
    fail(entry, "has " + std::to_string(entry.bytes) + " bytes, more than 1 GiB");
  }
  std::string text = decompressed(entry);
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace bankproof::cuda
