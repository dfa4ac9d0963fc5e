// See picture.hpp. The reader first reads the whole file. So it can compare the header's claims
// with the actual bytes before it allocates anything of the claimed size.
#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "../../text/typed.hpp"
#include "../support/memory.hpp"

namespace bankproof::cli {
namespace {

/// Reads in growing pieces, since the size of a pipe is unknown.
std::string rest_of(ByteInput& input) {
  std::string bytes;
  std::size_t filled = 0;
  do {
    bytes.resize(filled + std::max<std::size_t>(filled, 4096));
    require_memory(input.name(), bytes.size(), 1);
    filled += input.read(std::as_writable_bytes(std::span(bytes).subspan(filled)));
  } while (filled == bytes.size());
  bytes.resize(filled);
  return bytes;
}

bool is_blank(char c) { return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos; }

/// The bytes of a value in a raw file.
std::size_t value_bytes(std::uint64_t maximum) { return maximum < 256 ? 1 : 2; }

class PictureParser {
 public:
  PictureParser(const ByteInput& input, std::string_view bytes) : input_(input), bytes_(bytes) {}

  Picture parse() {
    if (bytes_.empty()) input_.fail("is empty: there is no picture in it");
    const std::string_view kind = bytes_.substr(0, 2);
    const bool raw = kind == "P5" || kind == "P6";
    if (!raw && kind != "P2" && kind != "P3") {
      input_.fail("begins with " + in_quotes(kind) +
                  "; pictures are PGM or PPM, which begin with P2, P3, P5 or P6");
    }
    at_ = kind.size();
    Picture picture{};
    picture.channels = kind == "P3" || kind == "P6" ? 3 : 1;
    picture.columns = number("width", widest_side);
    picture.rows = number("height", widest_side);
    picture.maximum = number("greatest value", greatest_maximum);
    if (raw) {
      if (at_ == bytes_.size() || !is_blank(bytes_[at_])) fail_here("a blank before the values");
      ++at_;
    }
    const std::uint64_t count = count_of(picture, raw ? value_bytes(picture.maximum) : 1);
    picture.values.reserve(static_cast<std::size_t>(count));
    raw ? read_raw(picture, count) : read_plain(picture, count);
    if (at_ < bytes_.size()) {
      input_.fail(fmt::format("goes on at byte {}, after its picture; one picture is read", at_));
    }
    return picture;
  }

 private:
  static constexpr std::uint64_t widest_side = std::uint64_t{1} << 32U;  // as for all `run` sizes

  [[noreturn]] void fail_here(std::string_view expected) const {
    const std::string found =
        at_ < bytes_.size() ? "has " + in_quotes(bytes_.substr(at_, 1)) : "is truncated: it ends";
    input_.fail(fmt::format("{} at byte {}, where {} belongs", found, at_, expected));
  }

  void skip_blanks() {
    while (at_ < bytes_.size() && (is_blank(bytes_[at_]) || bytes_[at_] == '#')) {
      at_ =
          bytes_[at_] == '#' ? std::min(bytes_.find_first_of("\n\r", at_), bytes_.size()) : at_ + 1;
    }
  }

  /// Parses a decimal number and sets token_ to its start; messages call the number `what`.
  template <class Name>
  DecimalNumber digits(const Name& what) {
    const std::size_t before = at_;
    skip_blanks();
    if (at_ == before) fail_here("a blank before its " + what());
    token_ = at_;
    while (at_ < bytes_.size() && is_digit(bytes_[at_])) ++at_;
    if (at_ == token_) fail_here("its " + what());
    return parse_decimal(bytes_.substr(token_, at_ - token_));
  }

  /// A number of the header, at least 1.
  std::uint64_t number(const std::string& what, std::uint64_t most) {
    const DecimalNumber number = digits([&] { return what; });
    if (number.value && *number.value >= 1 && *number.value <= most) return *number.value;
    input_.fail(fmt::format("has the {} {} at byte {}; it is a number from 1 to {}", what,
                            in_quotes(bytes_.substr(token_, at_ - token_)), token_, most));
  }

  /// The number of values that the header promises; throws unless the rest of the file has room for
  /// them.
  std::uint64_t count_of(const Picture& picture, std::uint64_t bytes_each) const {
    const std::uint64_t room = (bytes_.size() - at_) / bytes_each / picture.channels;
    if (picture.rows > room / picture.columns) {
      input_.fail(fmt::format(
          "is truncated: its header promises {} x {} pixels of {}, and {} bytes follow",
          picture.columns, picture.rows,
          picture.channels == 1 ? "a value" : fmt::format("{} values", picture.channels),
          bytes_.size() - at_));
    }
    return picture.rows * picture.columns * picture.channels;
  }

  void add(Picture& picture, std::optional<std::uint64_t> value, std::size_t begin) const {
    if (!value || *value > picture.maximum) {
      input_.fail(fmt::format("value {} at byte {} is more than its greatest value, {}",
                              picture.values.size(), begin, picture.maximum));
    }
    picture.values.push_back(static_cast<std::uint16_t>(*value));
  }

  void read_raw(Picture& picture, std::uint64_t count) {
    const std::size_t size = value_bytes(picture.maximum);
    for (; count > 0; --count, at_ += size) {
      std::uint64_t value = 0;
      for (const char byte : bytes_.substr(at_, size)) {
        value = value << 8U | static_cast<unsigned char>(byte);
      }
      add(picture, value, at_);
    }
  }

  void read_plain(Picture& picture, std::uint64_t count) {
    while (picture.values.size() < count) {
      const auto name = [&] { return fmt::format("value {} of {}", picture.values.size(), count); };
      const DecimalNumber number = digits(name);
      add(picture, number.value, token_);
    }
    skip_blanks();
  }

  const ByteInput& input_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t token_ = 0;
};

}  // namespace

bool begins_picture(std::string_view start) {
  return start.size() >= 2 && start[0] == 'P' && start[1] >= '1' && start[1] <= '7';
}

Picture read_picture(ByteInput& input) {
  const std::string bytes = rest_of(input);
  return PictureParser(input, bytes).parse();
}

std::string as_netpbm(const Picture& picture) {
  std::string bytes = fmt::format("P{}\n{} {}\n{}\n", picture.channels == 1 ? 5 : 6,
                                  picture.columns, picture.rows, picture.maximum);
  const std::size_t size = value_bytes(picture.maximum);
  bytes.reserve(bytes.size() + picture.values.size() * size);
  for (const std::uint16_t value : picture.values) {
    if (size == 2) bytes += static_cast<char>(value >> 8U);
    bytes += static_cast<char>(value & 0xffU);
  }
  return bytes;
}

}  // namespace bankproof::cli
