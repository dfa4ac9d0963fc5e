// See arguments.hpp.
#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "../../ptx/memory/spaces.hpp"
#include "../../text/typed.hpp"

namespace bankproof::cuda {

namespace {

[[noreturn]] void fail(std::string_view text, const std::string& what) {
  throw ArgumentError(in_quotes(text, 120) + ": " + what);
}

std::uint64_t number(std::string_view text, std::string_view whole, const std::string& what) {
  const DecimalNumber parsed = parse_decimal(text);
  if (!parsed.value) fail(whole, what + " is " + in_quotes(text) + ", which is not a whole number");
  return *parsed.value;
}

std::vector<std::uint64_t> parse_dimensions(std::string_view text, std::string_view whole,
                                            std::uint32_t element_bytes) {
  std::vector<std::uint64_t> dimensions;
  std::uint64_t bytes = element_bytes;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('x');
    dimensions.push_back(number(rest.substr(0, end), whole, "the number of elements"));
    if (dimensions.back() == 0) fail(whole, "a buffer has at least one element");
    if (dimensions.back() > ptx::most_buffer_bytes / bytes)
      fail(whole, "a buffer has at most 64 GiB");
    bytes *= dimensions.back();
    if (end == std::string_view::npos) return dimensions;
    rest.remove_prefix(end + 1);
  }
}

double limit(std::string_view text, std::string_view whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(whole, "LOW and HIGH must be finite numbers, not " + in_quotes(text));
  }
  return value;
}

// Parses the text after `random:`, which is SEED or SEED:LOW:HIGH.
RandomNumbers parse_random(std::string_view text, std::string_view whole, const ElementType& type) {
  const std::size_t colon = text.find(':');
  RandomNumbers random{number(text.substr(0, colon), whole, "the seed"), {}, {}};
  if (colon == std::string_view::npos) return random;
  const std::string_view limits = text.substr(colon + 1);
  const std::size_t second = limits.find(':');
  if (second == std::string_view::npos) fail(whole, "expected random:SEED:LOW:HIGH");
  random.low = limit(limits.substr(0, second), whole);
  random.high = limit(limits.substr(second + 1), whole);
  if (!(*random.low < *random.high)) fail(whole, "LOW has to be less than HIGH");
  if (type.kind != NumberKind::floating) {
    for (const double value : {*random.low, *random.high}) {
      const bool whole_number = std::floor(value) == value && std::fabs(value) <= 0x1p53;
      if (!whole_number) fail(whole, "LOW and HIGH of integers are whole numbers up to 2^53");
    }
    const bool is_signed = type.kind == NumberKind::signed_integer;
    const double end = std::ldexp(1.0, static_cast<int>(8 * type.bytes) - (is_signed ? 1 : 0));
    if (*random.low < (is_signed ? -end : 0) || *random.high > end) {
      fail(whole, "not all numbers from LOW to HIGH are of type " + std::string(type.name));
    }
  }
  return random;
}

void set_initial(BufferDescription& buffer, std::string_view text, std::string_view whole) {
  using Initial = BufferDescription::Initial;
  if (text == "zeros") {
    buffer.initial = Initial::zeros;
  } else if (text == "iota") {
    buffer.initial = Initial::iota;
  } else if (text == "undefined") {
    buffer.initial = Initial::undefined;
  } else if (text.starts_with("random:")) {
    buffer.initial = Initial::random;
    buffer.random = parse_random(text.substr(7), whole, *buffer.type);
  } else if (text.ends_with(".npy") || text.ends_with(".bin")) {
    buffer.initial = Initial::file;
    buffer.file = text;
  } else {
    fail(whole, "unknown initial contents " + in_quotes(text) +
                    "; expected zeros, iota, random:SEED, random:SEED:LOW:HIGH, undefined or a "
                    "file whose name ends with .npy, or with .bin for bytes");
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

BytesArgument parse_plain_bytes(std::string_view text, std::string_view whole) {
  if (text.empty()) fail(whole, "expected bytes in hexadecimal, or a file");
  BytesArgument argument;
  for (const char c : text) {
    if (hex_digit(c) < 0) return {.bytes = {}, .file = std::string(text)};
  }
  if (text.size() % 2 != 0) fail(whole, "an odd number of hexadecimal digits");
  argument.bytes.reserve(text.size() / 2);
  for (std::size_t k = 0; k < text.size(); k += 2) {
    argument.bytes.push_back(
        static_cast<std::byte>(hex_digit(text[k]) << 4 | hex_digit(text[k + 1])));
  }
  return argument;
}

BufferReference parse_reference(std::string_view text, std::string_view whole) {
  const std::size_t plus = text.find('+');
  BufferReference reference{std::string(text.substr(0, plus)), 0};
  if (reference.name.empty()) fail(whole, "expected buffer:NAME or buffer:NAME+ELEMENT");
  if (plus != std::string_view::npos) {
    reference.element = number(text.substr(plus + 1), whole, "the element");
  }
  return reference;
}

/// Where the last `@NUMBER:buffer:` of the text begins; its end if there is none.
std::size_t last_pointer(std::string_view text) {
  constexpr std::string_view kind = ":buffer:";
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] != '@') continue;
    const std::size_t end = text.find_first_not_of("0123456789", at + 1);
    if (end != std::string_view::npos && end > at + 1 && text.substr(end).starts_with(kind)) {
      return at;
    }
  }
  return text.size();
}

PlacedPointer parse_pointer(std::string_view text, std::string_view whole, bool named) {
  const std::size_t colon = text.find(':');
  PlacedPointer pointer{.offset = number(text.substr(0, colon), whole, "the byte"), .to = {}};
  Argument to = parse_argument(text.substr(colon + 1), named);
  if (auto* const buffer = std::get_if<BufferDescription>(&to.value)) {
    pointer.to = std::move(*buffer);
  } else {
    pointer.to = std::get<BufferReference>(std::move(to.value));
  }
  return pointer;
}

BytesArgument parse_bytes(std::string_view text, std::string_view whole, bool named) {
  std::vector<PlacedPointer> pointers;
  for (std::size_t at = 0; (at = last_pointer(text)) != text.size(); text = text.substr(0, at)) {
    pointers.push_back(parse_pointer(text.substr(at + 1), whole, named));
  }
  std::sort(pointers.begin(), pointers.end(),
            [](const auto& a, const auto& b) { return a.offset < b.offset; });
  for (std::size_t k = 0; k + 1 < pointers.size(); ++k) {
    if (pointers[k + 1].offset - pointers[k].offset < 8) {
      fail(whole, "two pointers have bytes in common");
    }
  }
  BytesArgument argument = parse_plain_bytes(text, whole);
  argument.pointers = std::move(pointers);
  return argument;
}

}  // namespace

std::uint64_t BufferDescription::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t dimension : dimensions) product *= dimension;
  return product;
}

std::string name_of_argument(std::size_t number, std::uint64_t byte) {
  const std::string name = "argument " + std::to_string(number);
  return byte == 0 ? name : name + " at byte " + std::to_string(byte);
}

BufferDescription parse_buffer(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view shape = text.substr(0, equals);
  const std::size_t colon = shape.find(':');
  BufferDescription buffer;
  buffer.type = &find_element_type(shape.substr(0, colon));
  if (colon != std::string_view::npos) {
    buffer.dimensions = parse_dimensions(shape.substr(colon + 1), text, buffer.type->bytes);
  }
  if (equals != std::string_view::npos) set_initial(buffer, text.substr(equals + 1), text);
  if (buffer.dimensions.empty() && buffer.initial != BufferDescription::Initial::file) {
    fail(text, "how many elements? A buffer is TYPE:COUNT, as in f32:1024");
  }
  return buffer;
}

Argument parse_argument(std::string_view text, bool named) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    fail(text, "an argument is TYPE:VALUE, buffer:TYPE:COUNT=INITIAL or bytes:HEX|FILE");
  }
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  Argument argument;
  argument.text = text;
  if (kind == "buffer") {
    if (named) {
      argument.value = parse_reference(rest, text);
    } else {
      argument.value = parse_buffer(rest);
    }
  } else if (kind == "bytes") {
    argument.value = parse_bytes(rest, text, named);
  } else {
    const ElementType& type = find_element_type(kind);
    argument.value = ScalarArgument{&type, parse_number(type, rest)};
  }
  return argument;
}

}  // namespace bankproof::cuda
