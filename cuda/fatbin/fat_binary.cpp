// Reads containers and their entries; decompress.cpp has the texts.
#include "fat_binary.hpp"

#include <algorithm>

#include "bytes.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::uint64_t container_header = 16;
constexpr std::uint64_t entry_header = 64;
constexpr std::uint16_t container_version = 1;
constexpr std::uint16_t entry_version = 0x0101;

constexpr std::uint64_t debug_flag = 0x2;
constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t zstd_flag = 0x8000;
constexpr std::uint64_t suffix_a_flag = 0x100000;
constexpr std::uint64_t suffix_f_flag = 0x200000;

struct Container {
  std::uint64_t header_bytes;
  std::uint64_t entry_bytes;
};

Container read_container(const Bytes& bytes) {
  const std::string what = "the header of a fat binary";
  const Bytes header = bytes.part(0, container_header, what);
  if (header.number<std::uint32_t>(0, what) != container_magic) {
    throw FatBinaryError("a fat binary does not begin with 0xba55ed50", header.begin());
  }
  const auto version = header.number<std::uint16_t>(4, what);
  if (version != container_version) {
    throw FatBinaryError("fat binaries of version " + std::to_string(version) + " are not known",
                         header.begin() + 4);
  }
  const Container container{header.number<std::uint16_t>(6, what),
                            header.number<std::uint64_t>(8, what)};
  if (container.header_bytes < container_header) {
    throw FatBinaryError(
        what + " has " + std::to_string(container.header_bytes) + " bytes, less than 16",
        header.begin() + 6);
  }
  return container;
}

FatEntry::Kind kind_of(std::uint16_t number) {
  if (number == 1) return FatEntry::Kind::ptx;
  return number == 2 ? FatEntry::Kind::machine_code : FatEntry::Kind::other;
}

// An entry with a size after decompression is compressed, maybe in a way that came after nvcc 13.0.
FatEntry::Compression compression_of(std::uint64_t flags, std::uint64_t decompressed) {
  const bool lz4 = (flags & lz4_flag) != 0;
  const bool zstd = (flags & zstd_flag) != 0;
  if (lz4 && zstd) return FatEntry::Compression::unknown;
  if (lz4) return FatEntry::Compression::lz4;
  if (zstd) return FatEntry::Compression::zstd;
  return decompressed == 0 ? FatEntry::Compression::none : FatEntry::Compression::unknown;
}

std::string options_of(const Bytes& header) {
  const std::string what = "the text of options";
  const std::uint64_t at = header.number<std::uint32_t>(0x14, what);
  if (at == 0) return {};
  const auto begin = header.number<std::uint32_t>(at, what);
  return header.text(begin, header.number<std::uint32_t>(at + 4, what), what);
}

bool has_word(const std::string& text, const std::string& word) {
  return (" " + text + " ").find(" " + word + " ") != std::string::npos;
}

FatEntry read_entry(const Bytes& header, const Bytes& payload) {
  const std::string what = "the header of an entry";
  const auto u32 = [&](std::uint64_t at) { return header.number<std::uint32_t>(at, what); };
  const auto u64 = [&](std::uint64_t at) { return header.number<std::uint64_t>(at, what); };
  FatEntry entry;
  entry.kind = kind_of(header.number<std::uint16_t>(0, what));
  entry.target = u32(0x1c);
  entry.flags = u64(0x28);
  entry.debug = (entry.flags & debug_flag) != 0;
  if ((entry.flags & suffix_a_flag) != 0) entry.suffix = 'a';
  if ((entry.flags & suffix_f_flag) != 0) entry.suffix = 'f';
  if (u32(0x20) != 0) entry.name = header.text(u32(0x20), u32(0x24), "the name of an entry");
  if (entry.kind == FatEntry::Kind::ptx) entry.options = options_of(header);
  entry.relocatable = has_word(entry.options, "--compile-only");
  entry.compression = compression_of(entry.flags, u64(0x38));
  const bool compressed = entry.compression != FatEntry::Compression::none;
  entry.payload =
      compressed ? payload.part(0, u32(0x10), "a compressed payload").all() : payload.all();
  entry.bytes = compressed ? u64(0x38) : payload.size();
  entry.offset = header.begin();
  return entry;
}

// Appends the entries of a container.
void read_entries(const Bytes& bytes, std::vector<FatEntry>& entries) {
  const std::string what = "the header of an entry";
  for (std::uint64_t at = 0; at < bytes.size();) {
    const Bytes least = bytes.part(at, entry_header, what);
    const auto version = least.number<std::uint16_t>(2, what);
    if (version != entry_version) {
      throw FatBinaryError("entries of version " + std::to_string(version >> 8U) + "." +
                               std::to_string(version & 0xffU) + " are not known",
                           least.begin() + 2);
    }
    const auto header_bytes = least.number<std::uint32_t>(4, what);
    if (header_bytes < entry_header) {
      throw FatBinaryError(what + " has " + std::to_string(header_bytes) + " bytes, less than 64",
                           least.begin() + 4);
    }
    const Bytes header = bytes.part(at, header_bytes, what);
    const auto payload_bytes = header.number<std::uint64_t>(8, what);
    const Bytes payload = bytes.part(at + header_bytes, payload_bytes, "the payload of an entry");
    entries.push_back(read_entry(header, payload));
    at += header_bytes + payload_bytes;
  }
}

bool runs(const FatEntry& entry, std::uint32_t machine) {
  if (entry.suffix == 'a') return entry.target == machine;
  if (entry.suffix == 'f' && entry.target / 10 != machine / 10) return false;
  return entry.target <= machine;
}

}  // namespace

FatBinaryError::FatBinaryError(const std::string& what, std::uint64_t offset)
    : std::runtime_error(what + ", byte " + std::to_string(offset) + " of the fat binary") {}

std::span<const std::byte> extent(const void* data) {
  const auto* const first = static_cast<const std::byte*>(data);
  const Container container = read_container({{first, container_header}, 0});
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  if (container.entry_bytes > most) {
    throw FatBinaryError("the entries have " + std::to_string(container.entry_bytes) + " bytes", 8);
  }
  return {first, container.header_bytes + container.entry_bytes};
}

std::vector<FatEntry> read_fat_binary(std::span<const std::byte> bytes) {
  const Bytes all(bytes, 0);
  std::vector<FatEntry> entries;
  for (std::uint64_t at = 0; at < all.size();) {
    const Container container = read_container(all.part(at, all.size() - at, "a fat binary"));
    at += all.part(at, container.header_bytes, "the header of a fat binary").size();
    read_entries(all.part(at, container.entry_bytes, "the list of entries"), entries);
    at += container.entry_bytes;
  }
  return entries;
}

std::string target_name(const FatEntry& entry) {
  std::string name = "sm_" + std::to_string(entry.target);
  if (entry.suffix != 0) name += entry.suffix;
  return name;
}

const FatEntry* best_ptx(std::span<const FatEntry> entries, std::uint32_t highest) {
  const FatEntry* best = nullptr;
  for (const FatEntry& entry : entries) {
    if (entry.kind != FatEntry::Kind::ptx || !runs(entry, highest)) continue;
    const bool is_better = best == nullptr || entry.target > best->target ||
                           (entry.target == best->target && best->suffix != 0 && entry.suffix == 0);
    if (is_better) best = &entry;
  }
  return best;
}

}  // namespace bankproof::cuda
