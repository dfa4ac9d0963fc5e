// See contents.hpp.
#include "contents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "../plan/npy_writer.hpp"
#include "../readers/npy.hpp"
#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "../support/memory.hpp"
#include "../support/output.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

/// The bytes of a file that has nothing else.
std::vector<std::byte> raw_contents(RequestedBuffer& buffer) {
  constexpr std::size_t longest = std::size_t{1} << 36;
  cuda::BufferDescription& description = buffer.description;
  const std::string text = whole_file(description.file, longest, "buffer");
  const std::uint64_t elements = text.size() / description.type->bytes;
  if (description.dimensions.empty()) description.dimensions = {elements};
  if (text.empty() || description.count() * description.type->bytes != text.size()) {
    throw InputError(fmt::format("{}: has {}, but {} has {} of {}", description.file,
                                 counted(text.size(), "byte"), buffer.shown,
                                 counted(description.count(), "element"), description.type->name));
  }
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> contents_of_file(RequestedBuffer& buffer) {
  cuda::BufferDescription& description = buffer.description;
  if (description.file.ends_with(".bin")) return raw_contents(buffer);
  FileInput input(description.file);
  NpyBytes file = read_npy_bytes(input, description.type->npy, description.type->bytes);
  const std::uint64_t elements = file.bytes.size() / description.type->bytes;
  if (elements == 0) input.fail("is empty: a buffer has at least one element");
  if (description.dimensions.empty()) {
    description.dimensions = file.shape;
  } else if (description.count() != elements) {
    input.fail(fmt::format("has {}, but {} has {}", counted(elements, "element"), buffer.shown,
                           description.count()));
  }
  return std::move(file.bytes);
}

}  // namespace

std::vector<std::byte> initial_contents(RequestedBuffer& buffer) {
  using Initial = cuda::BufferDescription::Initial;
  const cuda::BufferDescription& description = buffer.description;
  const std::uint64_t count = description.count();
  if (description.initial != Initial::file) {
    require_memory(buffer.shown, count, description.type->bytes);
  }
  switch (description.initial) {
    case Initial::undefined:
      return {};
    case Initial::zeros:
      return std::vector<std::byte>(count * description.type->bytes);
    case Initial::iota:
      return cuda::iota_bytes(*description.type, count);
    case Initial::random:
      return cuda::random_bytes(*description.type, count, description.random);
    case Initial::file:
      break;
  }
  return contents_of_file(buffer);
}

std::vector<std::byte> contents_of(const cuda::BytesArgument& argument) {
  if (argument.file.empty()) return argument.bytes;
  constexpr std::size_t longest = 32764;  // the parameters of a kernel; PTX ISA, since 8.1
  const std::string text = whole_file(argument.file, longest, "kernel's parameter");
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void save_buffer(const RequestedBuffer& buffer, std::span<const std::byte> bytes,
                 const std::string& file) {
  const cuda::BufferDescription& description = buffer.description;
  std::string content = npy_header(description.type->npy, description.dimensions);
  content += std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  write_output(file, content);
}

}  // namespace bankproof::cli
