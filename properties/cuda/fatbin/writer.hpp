// Writes fat binaries as nvcc does, so that tests can read them; the layout is in fat_binary.hpp.
#pragma once

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "../../../cuda/fatbin/fat_binary.hpp"

namespace bankproof::cuda {

/// An entry to be written; `flags` without those of the compression.
struct Written {
  std::uint16_t kind = 1;
  std::uint32_t target = 80;
  std::uint64_t flags = 0x11;
  std::string name{};
  std::string options{};
  FatEntry::Compression compression = FatEntry::Compression::none;
  std::string text = ".version 9.0\n";
};

inline void put(std::string& bytes, std::uint64_t value, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xffU);
}

/// Writes over bytes that are there.
inline void set(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  std::string number;
  put(number, value, size);
  bytes.replace(at, size, number);
}

inline void pad(std::string& bytes) { bytes.resize((bytes.size() + 7) / 8 * 8); }

inline std::string compressed(const std::string& text, FatEntry::Compression compression) {
  if (compression == FatEntry::Compression::none) return text;
  std::string made(2 * text.size() + 200, '\0');
  if (compression == FatEntry::Compression::lz4) {
    made.resize(static_cast<std::size_t>(LZ4_compress_default(
        text.data(), made.data(), static_cast<int>(text.size()), static_cast<int>(made.size()))));
  } else {
    made.resize(ZSTD_compress(made.data(), made.size(), text.data(), text.size(), 3));
  }
  return made;
}

inline std::uint64_t flag_of(FatEntry::Compression compression) {
  if (compression == FatEntry::Compression::none) return 0;
  return compression == FatEntry::Compression::lz4 ? 0x2000 : 0x8000;
}

inline std::string entry_bytes(const Written& entry) {
  const std::string text = entry.text + '\0';
  std::string payload = compressed(text, entry.compression);
  const bool is_compressed = entry.compression != FatEntry::Compression::none;
  const std::size_t exact = payload.size();
  pad(payload);
  std::string names = entry.name;
  pad(names);
  const std::size_t options_at = 64 + names.size();
  std::string options;
  put(options, options_at + 8, 4);
  put(options, entry.options.size(), 4);
  options += entry.options;
  pad(options);
  std::string bytes;
  put(bytes, entry.kind, 2);
  put(bytes, 0x0101, 2);
  put(bytes, options_at + options.size(), 4);
  put(bytes, payload.size(), 8);
  put(bytes, is_compressed ? exact : 0, 4);
  put(bytes, options_at, 4);
  put(bytes, 0x00090000, 4);
  put(bytes, entry.target, 4);
  put(bytes, entry.name.empty() ? 0 : 64, 4);
  put(bytes, entry.name.size(), 4);
  put(bytes, entry.flags | flag_of(entry.compression), 8);
  put(bytes, 0, 8);
  put(bytes, is_compressed ? text.size() : 0, 8);
  return bytes + names + options + payload;
}

inline std::string container_bytes(const std::vector<Written>& entries) {
  std::string all;
  for (const Written& entry : entries) all += entry_bytes(entry);
  std::string bytes;
  put(bytes, 0xBA55ED50, 4);
  put(bytes, 1, 2);
  put(bytes, 16, 2);
  put(bytes, all.size(), 8);
  return bytes + all;
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace bankproof::cuda
