// The input of the readers: a named stream of bytes from a file descriptor or from memory.
//
// A reader may look at the first bytes without taking them (to recognize a format), and may ask how
// many bytes remain, which is known for regular files and memory, but not for pipes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bankproof::cli {

class ByteInput {
 public:
  virtual ~ByteInput() = default;
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;

  /// Fills the buffer; returns less than its size only at the end of the input. Throws InputError.
  std::size_t read(std::span<std::byte> buffer);

  /// The next bytes, at most `longest_peek`; fewer only at the end of input. They stay unread.
  static constexpr std::size_t longest_peek = 16;
  std::string_view peek(std::size_t count);

  /// The number of bytes that remain, if known. A file may still shrink or grow while it is read.
  std::optional<std::uint64_t> remaining() const;

  /// For messages: the path, or "standard input".
  const std::string& name() const { return name_; }

  /// Throws InputError with the name before the text.
  [[noreturn]] void fail(const std::string& text) const;

 protected:
  ByteInput(std::string name, std::optional<std::uint64_t> remaining)
      : name_(std::move(name)), remaining_(remaining) {}

 private:
  /// Reads at least one byte, except at the end of the input. The buffer is not empty.
  virtual std::size_t read_some(std::span<std::byte> buffer) = 0;

  std::string name_;
  std::optional<std::uint64_t> remaining_;
  std::array<std::byte, longest_peek> peeked_;
  std::size_t peeked_begin_ = 0;
  std::size_t peeked_end_ = 0;
};

/// Bytes in memory, which must outlive this object. Tests and fuzz targets can let it return a few
/// bytes at a time, and can hide the number of bytes, as a pipe does.
class MemoryInput final : public ByteInput {
 public:
  explicit MemoryInput(std::string_view bytes, std::string name = "input", bool size_known = true,
                       std::size_t most_at_once = std::numeric_limits<std::size_t>::max());

 private:
  std::size_t read_some(std::span<std::byte> buffer) override;

  std::string_view bytes_;
  std::size_t most_at_once_;
};

/// An open file, device or pipe.
class FileInput final : public ByteInput {
 public:
  /// Opens a path. Throws InputError if it cannot be opened or is a directory.
  explicit FileInput(const std::string& path);

  /// Reads a descriptor that the caller closes.
  FileInput(int descriptor, std::string name);

  ~FileInput() override;

 private:
  FileInput(int descriptor, std::string name, bool owned);
  std::size_t read_some(std::span<std::byte> buffer) override;

  int descriptor_;
  bool owned_;
};

/// Whether the character is a decimal digit, in every locale.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace bankproof::cli
