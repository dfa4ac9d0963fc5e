// Reads a format from left to right and takes the arguments of each conversion.
#include "print_format.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace bankproof::ptx {

namespace {

// The largest width and precision. This number replaces a larger one, so that no output fills the
// memory.
constexpr std::uint64_t longest_field = 4096;

/// Hands out the arguments of a printf in order; after the last argument, hands out zeros.
class PrintArguments {
 public:
  explicit PrintArguments(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T next() {
    ++count_;
    T value{};
    at_ = (at_ + sizeof value - 1) / sizeof value * sizeof value;
    if (at_ + sizeof value <= bytes_.size()) std::memcpy(&value, &bytes_[at_], sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::int32_t count() const { return count_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::int32_t count_ = 0;
};

/// One conversion of a format: "%-5.2lf".
struct Conversion {
  std::string flags;
  std::string width;      // digits or nothing
  std::string precision;  // with its dot
  std::string length;
  char letter = 0;

  template <class T>
  std::string print(const char* letters, T value) const {
    const std::string spec = "%" + flags + width + precision + letters;
// The caller chooses letters that fit the type of the value; the kernel's format gives only flags
// and numbers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int count = std::snprintf(nullptr, 0, spec.c_str(), value);
    std::string text(count < 0 ? 0 : static_cast<std::size_t>(count), '\0');
    std::snprintf(text.data(), text.size() + 1, spec.c_str(), value);
#pragma GCC diagnostic pop
    return text;
  }
};

std::string digits_of(std::string_view& format, PrintArguments& arguments, std::string& flags) {
  if (format.starts_with('*')) {
    format.remove_prefix(1);
    const auto number = static_cast<std::int64_t>(arguments.next<std::int32_t>());
    if (number < 0) flags += '-';
    return std::to_string(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(std::abs(number)), longest_field));
  }
  std::uint64_t number = 0;
  std::size_t count = 0;
  for (; count < format.size() && format[count] >= '0' && format[count] <= '9'; ++count) {
    number = std::min(10 * number + static_cast<std::uint64_t>(format[count] - '0'), longest_field);
  }
  format.remove_prefix(count);
  return count == 0 ? "" : std::to_string(number);
}

std::string_view taken(std::string_view& format, std::string_view letters) {
  const std::size_t count = std::min(format.find_first_not_of(letters), format.size());
  const std::string_view result = format.substr(0, count);
  format.remove_prefix(count);
  return result;
}

/// Takes the conversion from the beginning of `format`, which begins after the percent sign.
Conversion next_conversion(std::string_view& format, PrintArguments& arguments) {
  Conversion conversion;
  conversion.flags = taken(format, "-+ #0");
  conversion.width = digits_of(format, arguments, conversion.flags);
  if (format.starts_with('.')) {
    format.remove_prefix(1);
    std::string ignored;
    conversion.precision = "." + digits_of(format, arguments, ignored);
  }
  conversion.length = taken(format, "hlLqjzt");
  if (!format.empty()) {
    conversion.letter = format.front();
    format.remove_prefix(1);
  }
  return conversion;
}

std::string integer(const Conversion& conversion, PrintArguments& arguments) {
  const std::string& length = conversion.length;
  const bool is_signed = conversion.letter == 'd' || conversion.letter == 'i';
  const std::string letter(1, conversion.letter);
  if (!length.empty() && length.front() != 'h') {
    const auto bits = arguments.next<std::uint64_t>();
    if (is_signed) {
      return conversion.print(("ll" + letter).c_str(), static_cast<long long>(bits));
    }
    return conversion.print(("ll" + letter).c_str(), static_cast<unsigned long long>(bits));
  }
  const auto bits = arguments.next<std::uint32_t>();
  if (is_signed) return conversion.print((length + letter).c_str(), static_cast<int>(bits));
  return conversion.print((length + letter).c_str(), static_cast<unsigned>(bits));
}

std::string printed_conversion(const Conversion& conversion, PrintArguments& arguments,
                               const TextAt& text_at) {
  const std::string letter(1, conversion.letter);
  switch (conversion.letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return integer(conversion, arguments);
    case 'c':
      return conversion.print("c", static_cast<int>(arguments.next<std::uint32_t>()));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return conversion.print(letter.c_str(), arguments.next<double>());
    case 's': {
      const auto address = arguments.next<std::uint64_t>();
      return conversion.print("s", (address == 0 ? "(null)" : text_at(address)).c_str());
    }
    case 'p': {
      const auto address = arguments.next<std::uint64_t>();
      if (address == 0) return conversion.print("s", "(nil)");
      Conversion number;
      number.flags = conversion.flags + "#";
      number.width = conversion.width;
      return number.print("llx", static_cast<unsigned long long>(address));
    }
    default:
      break;
  }
  // CUDA has no such conversion: it is copied unchanged.
  return "%" + conversion.flags + conversion.width + conversion.precision + conversion.length +
         (conversion.letter == 0 ? "" : letter);
}

}  // namespace

Formatted formatted(std::string_view format, std::span<const std::byte> bytes,
                    const TextAt& text_at) {
  PrintArguments arguments(bytes);
  std::string text;
  while (!format.empty()) {
    const std::size_t percent = std::min(format.find('%'), format.size());
    text += format.substr(0, percent);
    format.remove_prefix(percent);
    if (format.empty()) break;
    format.remove_prefix(1);
    if (format.starts_with('%')) {
      text += '%';
      format.remove_prefix(1);
      continue;
    }
    text += printed_conversion(next_conversion(format, arguments), arguments, text_at);
  }
  return {std::move(text), arguments.count()};
}

}  // namespace bankproof::ptx
