// Fuzz target for the text reader. Each integer that it accepts is in the input at its position.
#include "../readers/text.hpp"

#include <charconv>

#include "support.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::cli;
  const auto read = fuzz(read_text, data, size);
  if (!read) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::size_t> line_starts = {text.starts_with("\xef\xbb\xbf") ? std::size_t{3} : 0};
  for (std::size_t at = 0; at < size; ++at) {
    if (text[at] == '\n') line_starts.push_back(at + 1);
  }
  std::visit(
      [&](const auto& values) {
        require(read->text_positions.size() == values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
          const TextPosition position = read->text_positions[k];
          const std::size_t at = line_starts.at(position.line - 1) + position.column - 1;
          std::uint64_t value = 0;
          std::from_chars(text.data() + at, text.data() + size, value);
          require(at < size && value == values[k]);
        }
      },
      read->values);
  return 0;
}
