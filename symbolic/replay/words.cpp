// Writes launches as words; see words.hpp.
#include "words.hpp"

#include <cstring>

#include "../../cuda/session/elements.hpp"
#include "../../ptx/syntax/layout.hpp"
#include "../../ptx/syntax/types.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint64_t seed = 1;

/// Numbers of 8 to 64 bits, so many.
struct Numbers {
  Numbers(std::uint64_t bytes, std::uint32_t unit)
      : size(bytes % unit == 0 ? unit : 1), count(bytes / size) {}

  std::string type() const { return "u" + std::to_string(8 * size); }
  /// Each number, if all are the same.
  std::uint32_t value(Contents contents) const {
    return size >= 4 ? contents.word : contents.word & ((1U << 8 * size) - 1);
  }

  std::uint32_t size;
  std::uint64_t count;
};

std::string initial(const Numbers& numbers, Contents contents) {
  std::string random = "random:" + std::to_string(seed);
  switch (contents.kind) {
    case Contents::Kind::counting:
      return "iota";
    case Contents::Kind::random:
      return random;
    case Contents::Kind::same: {
      const std::uint64_t value = numbers.value(contents);
      return random + ":" + std::to_string(value) + ":" + std::to_string(value + 1);
    }
    default:
      return "zeros";
  }
}

std::string sides(const std::array<std::uint32_t, 3>& extent) {
  return std::to_string(extent[0]) + "," + std::to_string(extent[1]) + "," +
         std::to_string(extent[2]);
}

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) / 16];
    text += digits[std::to_integer<unsigned>(byte) % 16];
  }
  return text;
}

/// A whole number where the parameter is one; else the bytes.
std::string word_of(const std::vector<std::byte>& bytes, const ptx::Variable& parameter) {
  const ptx::FundamentalType* const type = ptx::find_type(parameter.type);
  const bool is_whole = type != nullptr && parameter.dimensions.empty() &&
                        (type->number == ptx::Number::signed_integer ||
                         type->number == ptx::Number::unsigned_integer);
  if (!is_whole || bytes.size() > 8) return "bytes:" + hexadecimal(bytes);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  return "u" + std::to_string(8 * bytes.size()) + ":" + std::to_string(value);
}

}  // namespace

std::string contents_as_word(std::uint64_t bytes, Contents contents, std::uint32_t unit) {
  const Numbers numbers(bytes, unit);
  return numbers.type() + ":" + std::to_string(numbers.count) + "=" + initial(numbers, contents);
}

std::vector<std::byte> contents_as_bytes(std::uint64_t bytes, Contents contents,
                                         std::uint32_t unit) {
  const Numbers numbers(bytes, unit);
  const cuda::ElementType& type = cuda::find_element_type(numbers.type());
  switch (contents.kind) {
    case Contents::Kind::counting:
      return cuda::iota_bytes(type, numbers.count);
    case Contents::Kind::random:
      return cuda::random_bytes(type, numbers.count, {.seed = seed, .low = {}, .high = {}});
    case Contents::Kind::same: {
      const std::uint32_t value = numbers.value(contents);
      return cuda::random_bytes(type, numbers.count,
                                {.seed = seed, .low = value, .high = value + 1.0});
    }
    default:
      return std::vector<std::byte>(bytes);
  }
}

std::vector<const ptx::Variable*> written_by_hosts(const ptx::Module& module,
                                                   const std::set<std::string>& overwritten) {
  std::vector<const ptx::Variable*> all;
  for (const ptx::Variable& variable : module.variables) {
    const bool is_there =
        variable.space == ptx::Space::constant || variable.space == ptx::Space::global;
    // A program seldom overwrites initial values, so a launch keeps them if nobody says otherwise.
    const bool is_empty = variable.initial.empty() && variable.linkage == ptx::Linkage::visible;
    if (is_there && (is_empty || overwritten.count(variable.name) != 0)) all.push_back(&variable);
  }
  return all;
}

bool has_already(const ptx::Variable& variable, Contents contents) {
  return contents.kind == Contents::Kind::zeros && variable.initial.empty();
}

std::vector<std::string> words_of(const Launch& launch, Contents contents,
                                  const std::vector<const ptx::Variable*>& variables,
                                  const ptx::Function& kernel) {
  std::vector<std::string> words{"--grid", sides(launch.grid), "--block", sides(launch.block)};
  if (launch.shared != 0) {
    words.insert(words.end(), {"--shared", std::to_string(launch.shared)});
  }
  for (const ptx::Variable* const variable : variables) {
    if (has_already(*variable, contents)) continue;
    words.insert(
        words.end(),
        {"--symbol", variable->name + "=" + contents_as_word(ptx::bytes_of(*variable), contents)});
  }
  for (std::size_t k = 0; k < launch.parameters.size(); ++k) {
    const auto buffers = launch.buffers.find(k);
    const auto word = [&](const LaunchBuffer& buffer) {
      return "buffer:" + contents_as_word(buffer.bytes, contents, buffer.unit);
    };
    if (buffers == launch.buffers.end()) {
      words.push_back(word_of(launch.parameters[k], kernel.parameters[k]));
    } else if (launch.parameters[k].size() == 8) {
      words.push_back(word(buffers->second.front()));
    } else {
      words.push_back("bytes:" + hexadecimal(launch.parameters[k]));
      for (const LaunchBuffer& buffer : buffers->second) {
        words.back() += "@" + std::to_string(buffer.offset) + ":" + word(buffer);
      }
    }
  }
  return words;
}

}  // namespace bankproof::symbolic
