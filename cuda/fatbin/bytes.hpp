// Reads numbers and parts of a range of bytes that may be damaged: nothing is read beyond its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "fat_binary.hpp"

namespace bankproof::cuda {

/// A part of a fat binary, which knows where it begins in the whole.
class Bytes {
 public:
  Bytes(std::span<const std::byte> bytes, std::uint64_t begin) : bytes_(bytes), begin_(begin) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::uint64_t begin() const { return begin_; }
  std::span<const std::byte> all() const { return bytes_; }

  /// `what` says what the part would be, for the message if it does not fit.
  Bytes part(std::uint64_t at, std::uint64_t size, const std::string& what) const {
    if (at > bytes_.size() || size > bytes_.size() - at) {
      throw FatBinaryError(what + " has " + std::to_string(size) + " bytes, of which " +
                               std::to_string(at > bytes_.size() ? 0 : bytes_.size() - at) +
                               " are there",
                           begin_ + at);
    }
    return {bytes_.subspan(at, size), begin_ + at};
  }

  template <class Number>
  Number number(std::uint64_t at, const std::string& what) const {
    Number value{};
    std::memcpy(&value, part(at, sizeof value, what).all().data(), sizeof value);
    return value;
  }

  std::string text(std::uint64_t at, std::uint64_t size, const std::string& what) const {
    const std::span<const std::byte> bytes = part(at, size, what).all();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t begin_;
};

}  // namespace bankproof::cuda
