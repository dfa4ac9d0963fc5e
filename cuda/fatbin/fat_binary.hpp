// nvcc's fat binaries: the device code of a .cu file, once for each -gencode, as PTX, as machine
// code, or as both. The object file of the .cu file holds its fat binary in the section .nv_fatbin,
// or in __nv_relfatbin after -rdc=true.
//
// NVIDIA does not document the layout. What stands here was found by compiling one file in many
// ways with nvcc 13.0, and by giving one PTX file to its program `fatbinary`. Numbers are
// little-endian. A program finds its containers through wrappers (wrapper.hpp).
//
//   container  0x00 u32 magic 0xba55ed50; 0x04 u16 version 1; 0x06 u16 bytes of this header, 16;
//              0x08 u64 bytes of all entries, which follow the header
//   entry  0x00 u16 kind: 1 PTX, 2 machine code (ELF), 8 the intermediate code of -dlto
//          0x02 u16 version 0x0101; 0x04 u32 bytes of this header, names and options included
//          0x08 u64 bytes of the payload, a multiple of 8, which follows the header
//          0x10 u32 bytes of the payload without the zeros at its end, if it is compressed; else 0
//          0x14 u32 where in the header the options are: u32 place of the text, u32 its length
//          0x18 u16 minor and 0x1a u16 major version, of the PTX: 0 and 9 for PTX 9.0
//          0x1c u32 target: 80 for sm_80 and compute_80
//          0x20 u32 where in the header the identifier is; 0x24 u32 its length. It is the .cu
//          file, as the command line of nvcc names it, and there with -lineinfo and -G
//          0x28 u64 flags: 0x1 64 bits, 0x2 -G, 0x10 made on Linux, 0x2000 LZ4, 0x8000 zstd,
//          0x10000 intermediate code, 0x100000 target sm_…a, 0x200000 target sm_…f
//          0x38 u64 bytes of the payload after decompression, for PTX with a zero byte at its end
//
// nvcc 13 compresses by zstd, with --compress-mode=speed by LZ4, and not at all with --no-compress.
// It leaves PTX without comments. No flag tells -rdc=true, but the options for ptxas, which are
// kept with PTX, contain --compile-only then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace bankproof::cuda {

/// What is wrong with a fat binary, and at which of its bytes.
class FatBinaryError : public std::runtime_error {
 public:
  FatBinaryError(const std::string& what, std::uint64_t offset);
};

struct FatEntry {
  enum class Kind : std::uint8_t { ptx, machine_code, other };
  enum class Compression : std::uint8_t { none, lz4, zstd, unknown };

  Kind kind = Kind::other;
  std::uint32_t target = 0;  // 80 for sm_80
  char suffix = 0;           // 'a' or 'f' for sm_90a and sm_100f
  bool relocatable = false;  // of PTX: compiled with -rdc=true
  bool debug = false;        // compiled with -G
  std::string name;          // the .cu file, as nvcc was told; may be empty
  std::string options;       // of PTX: for ptxas
  Compression compression = Compression::none;
  std::uint64_t flags = 0;
  std::uint64_t bytes = 0;             // after decompression
  std::span<const std::byte> payload;  // without the zeros that pad compressed ones
  std::uint64_t offset = 0;            // of the entry in the fat binary, for messages
};

/// How a container begins.
inline constexpr std::uint32_t container_magic = 0xBA55ED50;

/// The most bytes of PTX that are decompressed.
inline constexpr std::uint64_t most_bytes_of_text = std::uint64_t{1} << 30U;

/// The whole container that a wrapper points to. Another container that follows it in the section
/// belongs to another wrapper. Throws FatBinaryError if there is no container.
std::span<const std::byte> extent(const void* data);

/// The entries of one container, or of several that follow each other as in a section. They refer
/// to `bytes`. Throws FatBinaryError.
std::vector<FatEntry> read_fat_binary(std::span<const std::byte> bytes);

/// The PTX, decompressed, without zero bytes at its end. Throws FatBinaryError.
std::string text_of(const FatEntry& entry);

/// "sm_90a"
std::string target_name(const FatEntry& entry);

/// The PTX of the highest target that a machine of the target `highest` runs; null if there is
/// none. PTX for sm_90a runs on sm_90 alone, and PTX for sm_100f on targets of its family, which
/// differ in the last digit (CUDA Programming Guide, "Compute Capability and Streaming
/// Multiprocessor Versions"). Of PTX for sm_90 and sm_90a, it is that for sm_90.
const FatEntry* best_ptx(std::span<const FatEntry> entries, std::uint32_t highest);

}  // namespace bankproof::cuda
