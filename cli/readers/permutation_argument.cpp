// Distinguishes names from files, reads the values, and checks that they are a permutation.
#include "permutation_argument.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <string>
#include <utility>

#include "../../algorithms/permutation/named.hpp"
#include "../../algorithms/permutation/validate.hpp"
#include "../support/errors.hpp"
#include "../support/memory.hpp"
#include "../support/shown.hpp"
#include "binary.hpp"
#include "npy.hpp"
#include "text.hpp"

namespace bankproof::cli {
namespace {

/// Indices of at most 2^32 elements fit 32 bits.
constexpr std::uint64_t most_narrow_elements = std::uint64_t{1} << 32;

bool is_known_name(std::string_view name) {
  return std::any_of(named_permutations.begin(), named_permutations.end(),
                     [&](const NamedEntry& entry) { return entry.name == name; });
}

/// Whether the text before a colon looks like a name: true for transpose:32x32, and for a misspelt
/// tranpose:32x32.
bool looks_named(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         text.substr(0, colon).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
             std::string_view::npos;
}

bool exists(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

template <class Index>
Values generated(const NamedPermutation& named) {
  const auto bytes = static_cast<std::uint64_t>(sizeof(Index));
  require_memory(named.specification(), named.size(), bytes);
  return within_memory([&] { return Values(named.generate<Index>()); },
                       [&] { refuse_for_memory(named.specification(), named.size(), bytes); });
}

PermutationArgument load_named(std::string_view text, const PermutationOptions& options) {
  try {
    const NamedPermutation named = parse_named(text);
    if (options.before_made) options.before_made(named.size());
    PermutationArgument result;
    result.name = named.specification();
    if (options.force_64_bit || named.size() > most_narrow_elements) {
      result.values = generated<std::uint64_t>(named);
    } else {
      result.values = generated<std::uint32_t>(named);
    }
    return result;
  } catch (const SpecificationError& error) {
    throw UsageError(error.what());
  }
}

/// The position of an element in the input, as the beginning of a message: "file:3:5" or "file:
/// element 2 (byte 8)".
std::string place(const std::string& input, const Source& source, std::uint64_t element) {
  if (const auto position = source.position(element)) {
    return input + ":" + std::to_string(position->line) + ":" + std::to_string(position->column);
  }
  return input + ": element " + std::to_string(element) + " (byte " +
         std::to_string(source.bytes(element)->offset) + ")";
}

std::string describe_argument(const Defect& defect, const std::string& input,
                              const Source& source) {
  std::string text = place(input, source, defect.index) + ": value " + std::to_string(defect.value);
  if (defect.kind != Defect::Kind::repeated) {
    text += " is too large";
  } else if (const auto first = source.position(defect.first_index)) {
    text += " repeats that of line " + std::to_string(first->line) + ", column " +
            std::to_string(first->column);
  } else {
    text += " repeats that of element " + std::to_string(defect.first_index);
  }
  if (defect.size == 1) return text + "; a permutation of 1 element has just 0";
  const std::string size = std::to_string(defect.size);
  text += "; a permutation of " + size + " elements has each of 0 … " +
          std::to_string(defect.size - 1) + " once";
  if (defect.one_based) return text + "; these are 1 … " + size + ": subtract 1 from each";
  return text + ", and " + std::to_string(*defect.missing) + " is missing";
}

/// Whether the number of words is even and every second word is 0, as in a .bin file of 64-bit
/// integers.
bool looks_64_bit(const Values& values) {
  return std::visit(
      [](const auto& words) {
        bool high_words_are_0 = words.size() % 2 == 0;
        for (std::size_t i = 1; i < words.size(); i += 2) high_words_are_0 &= words[i] == 0;
        return high_words_are_0;
      },
      values);
}

/// Refuses the zip archives of .npy files that numpy.savez writes. A .bin file may begin with the
/// same bytes, as an integer.
void refuse_archive(ByteInput& input, Source::Kind kind, std::string_view path) {
  constexpr std::string_view zip_magic = "PK\x03\x04";
  const bool may_be_zip = kind != Source::Kind::binary;
  if (path.ends_with(".npz") || (may_be_zip && input.peek(zip_magic.size()) == zip_magic)) {
    input.fail("is an .npz archive: unpack it and give the .npy inside");
  }
}

InputValues read_as(Source::Kind kind, ByteInput& input, bool force_64_bit) {
  if (kind == Source::Kind::npy) return read_npy(input, force_64_bit);
  if (kind == Source::Kind::binary) return read_binary(input, force_64_bit);
  return read_text(input, force_64_bit);
}

/// Reads a permutation and checks it; reports show `path` as its name.
PermutationArgument load_checked(ByteInput& input, Source::Kind kind, std::string_view path,
                                 bool force_64_bit) {
  InputValues read = read_as(kind, input, force_64_bit);
  PermutationArgument result;
  result.name = shown(path);
  result.source.kind = kind;
  result.source.path = path;
  result.source.text_positions = std::move(read.text_positions);
  result.source.first_offset = read.first_offset;
  result.source.element_bytes = read.element_bytes;
  result.values = std::move(read.values);
  const auto defect = std::visit(
      [](const auto& values) { return validate_permutation(std::span(values)); }, result.values);
  if (defect) {
    const bool wide = kind == Source::Kind::binary && looks_64_bit(result.values);
    throw InputError(describe_argument(*defect, input.name(), result.source) +
                     (wide ? "; these look like 64-bit integers, and a .bin file has 32-bit ones: "
                             "save them as .npy"
                           : ""));
  }
  return result;
}

PermutationArgument load_input(ByteInput& input, Source::Kind kind, std::string_view path,
                               bool force_64_bit) {
  refuse_archive(input, kind, path);
  return within_memory([&] { return load_checked(input, kind, path, force_64_bit); },
                       [&] { refuse_for_memory(input.name()); });
}

}  // namespace

std::optional<TextPosition> Source::position(std::uint64_t element) const {
  if (kind != Kind::text) return std::nullopt;
  return text_positions[element];
}

std::optional<ByteRange> Source::bytes(std::uint64_t element) const {
  if (kind != Kind::npy && kind != Kind::binary) return std::nullopt;
  return ByteRange{first_offset + element * element_bytes, element_bytes};
}

std::size_t PermutationArgument::size() const {
  return std::visit([](const auto& elements) { return elements.size(); }, values);
}

PermutationArgument load_permutation(std::string_view text, const PermutationOptions& options) {
  if (text.empty()) throw UsageError("PERMUTATION is empty; 'bankproof list' shows the names");
  if (text == "-") {
    FileInput input(options.standard_input, "standard input");
    if (input.peek(npy_magic.size()) == npy_magic) {
      input.fail("is an .npy file, but '-' reads text; name the file, or /dev/stdin");
    }
    return load_input(input, Source::Kind::text, text, options.force_64_bit);
  }
  const std::string path(text);
  const bool known = is_known_name(text.substr(0, text.find(':')));
  if ((known && looks_named(text)) || ((known || looks_named(text)) && !exists(path))) {
    return load_named(text, options);
  }
  FileInput input(path);
  Source::Kind kind = Source::Kind::text;
  if (path.ends_with(".npy") || input.peek(npy_magic.size()) == npy_magic) {
    kind = Source::Kind::npy;
  } else if (path.ends_with(".bin")) {
    kind = Source::Kind::binary;
  }
  return load_input(input, kind, text, options.force_64_bit);
}

}  // namespace bankproof::cli
