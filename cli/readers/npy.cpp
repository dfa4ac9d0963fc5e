// Reads the frame of an .npy file, and decides which arrays are acceptable; see npy.hpp.
#include "npy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "../../text/typed.hpp"
#include "../support/errors.hpp"
#include "../support/words.hpp"
#include "binary.hpp"

namespace bankproof::cli {
namespace {

/// A one-dimensional array needs about a hundred bytes; a longer header is hostile or not a header.
constexpr std::uint64_t longest_header = std::uint64_t{1} << 16;

struct Frame {
  std::string header;
  std::uint64_t data_offset;
};

Frame read_frame(ByteInput& input) {
  std::array<std::byte, 8> start;
  const std::size_t got = input.read(start);
  const std::string_view first(reinterpret_cast<const char*>(start.data()), got);
  if (got == 0) input.fail("is empty: there is no .npy header in it");
  if (!first.starts_with(npy_magic.substr(0, got))) {
    input.fail("is not an .npy file: it begins with " + in_quotes(first) +
               "; save it with numpy.save");
  }
  const auto truncated = [&] { input.fail("is truncated: it ends inside its .npy header"); };
  if (got < start.size()) truncated();
  const auto major = std::to_integer<unsigned>(start[6]);
  const auto minor = std::to_integer<unsigned>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    input.fail("has .npy format version " + std::to_string(major) + "." + std::to_string(minor) +
               "; versions 1.0, 2.0 and 3.0 can be read");
  }
  std::array<std::byte, 4> length_bytes{};
  const std::size_t length_size = major == 1 ? 2 : 4;
  if (input.read(std::span(length_bytes).first(length_size)) < length_size) truncated();
  std::uint64_t length = 0;
  for (std::size_t k = length_size; k-- > 0;) {
    length = length << 8 | std::to_integer<std::uint64_t>(length_bytes[k]);
  }
  if (length > longest_header) {
    input.fail("claims an .npy header of " + std::to_string(length) +
               " bytes; the header of an array of integers has about a hundred");
  }
  std::string header(static_cast<std::size_t>(length), '\0');
  if (input.read(std::as_writable_bytes(std::span(header))) < length) truncated();
  return {std::move(header), start.size() + length_size + length};
}

/// Throws unless the dtype is one of the four that the reader takes.
StoredInteger stored_integer(const ByteInput& input, const std::string& descr) {
  if (descr == "<i4") return {4, true};
  if (descr == "<u4") return {4, false};
  if (descr == "<i8") return {8, true};
  if (descr == "<u8") return {8, false};
  const std::string has = "has dtype " + in_quotes(descr);
  const bool plain =
      descr.size() >= 2 && std::string_view("<>|=").find(descr[0]) != std::string::npos;
  const char kind = plain ? descr[1] : '\0';
  if (descr == ">i4" || descr == ">u4" || descr == ">i8" || descr == ">u8") {
    input.fail(has + ", which is big-endian; save p.astype('<" + descr.substr(1) + "')");
  }
  if (kind == 'i' || kind == 'u' || kind == 'b') {
    input.fail(has + "; 32- or 64-bit integers can be read: save p.astype('<i8')");
  }
  if (kind == 'f') {
    input.fail(has + ", which is not an integer; if its values are whole, save p.astype('<i8')");
  }
  input.fail(has + ", which is not an integer; 32- or 64-bit integers can be read, like '<i8'");
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t k = 0; k < shape.size(); ++k) {
    text += (k == 0 ? "" : ", ") + std::to_string(shape[k]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

NpyHeader read_header(ByteInput& input, std::uint64_t& data_offset) {
  const Frame frame = read_frame(input);
  data_offset = frame.data_offset;
  try {
    return parse_npy_header(frame.header);
  } catch (const InputError& error) {
    input.fail(error.what());
  }
}

std::uint64_t elements_in(const ByteInput& input, const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t side : shape) {
    if (side != 0 && count > (std::uint64_t{1} << 55) / side) {
      input.fail("claims more elements than any file can hold");
    }
    count *= side;
  }
  return count;
}

/// Reads the rest of a file, which must hold exactly `count` integers; where Integer is a byte,
/// exactly `count` bytes, of elements of `element_bytes` bytes each.
template <class Integer>
std::vector<Integer> read_rest(ByteInput& input, std::uint64_t count,
                               std::uint32_t element_bytes = sizeof(Integer)) {
  const auto wrong_size = [&] {
    input.fail("is truncated, or longer than its header promises: " +
               counted(count * sizeof(Integer) / element_bytes, "element") + " of " +
               counted(element_bytes, "byte"));
  };
  const auto bytes = input.remaining();
  if (bytes && (*bytes / sizeof(Integer) != count || *bytes % sizeof(Integer) != 0)) wrong_size();
  std::vector<Integer> values;
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;  // a pipe's header may claim any size
  while (values.size() < count) {
    const std::size_t before = values.size();
    values.resize(before + static_cast<std::size_t>(std::min(piece, count - before)));
    const auto wanted = std::as_writable_bytes(std::span(values).subspan(before));
    if (input.read(wanted) < wanted.size()) wrong_size();
  }
  std::byte extra{};
  if (input.read(std::span(&extra, 1)) > 0) wrong_size();
  return values;
}

}  // namespace

NpyLanes read_npy_lanes(ByteInput& input, std::size_t most_dimensions) {
  std::uint64_t data_offset = 0;
  const NpyHeader header = read_header(input, data_offset);
  if (header.fortran_order || header.shape.empty() || header.shape.size() > most_dimensions) {
    input.fail("has shape " + in_quotes(shape_text(header.shape)) +
               (header.fortran_order ? " in Fortran order" : "") + "; expected one " +
               (most_dimensions == 2 ? "or two" : "to three") + " dimensions in C order");
  }
  const std::uint64_t count = elements_in(input, header.shape);
  if (header.descr == "<i2") return {header.shape, read_rest<std::int16_t>(input, count)};
  if (header.descr == "<i4") return {header.shape, read_rest<std::int32_t>(input, count)};
  if (header.descr == "<i8") return {header.shape, read_rest<std::int64_t>(input, count)};
  input.fail("has dtype " + in_quotes(header.descr) +
             "; expected '<i2', '<i4' or '<i8', as after .astype('int64')");
}

NpyBytes read_npy_bytes(ByteInput& input, std::string_view descr, std::uint32_t element_bytes) {
  std::uint64_t data_offset = 0;
  const NpyHeader header = read_header(input, data_offset);
  if (header.descr != descr) {
    input.fail("has dtype " + in_quotes(header.descr) + "; expected " + in_quotes(descr) +
               ", as after .astype(" + in_quotes(descr) + ")");
  }
  if (header.fortran_order && header.shape.size() > 1) {
    input.fail("is in Fortran order; save numpy.ascontiguousarray(a)");
  }
  const std::uint64_t bytes = elements_in(input, header.shape) * element_bytes;
  return {header.descr, header.shape, read_rest<std::byte>(input, bytes, element_bytes)};
}

InputValues read_npy(ByteInput& input, bool force_64_bit) {
  std::uint64_t data_offset = 0;
  const NpyHeader header = read_header(input, data_offset);
  const StoredInteger stored = stored_integer(input, header.descr);
  if (header.shape.size() != 1) {
    input.fail("has shape " + in_quotes(shape_text(header.shape)) +
               "; a permutation has one dimension: save p.ravel()");
  }
  if (header.fortran_order) {
    input.fail(
        "is in Fortran order, which numpy never writes for one dimension; save "
        "numpy.ascontiguousarray(p)");
  }
  const std::uint64_t count = header.shape[0];
  if (count == 0) input.fail("is empty: its shape is (0,)");
  if (count > std::numeric_limits<std::uint64_t>::max() / stored.bytes) {
    input.fail("claims " + counted(count, "element") + ", more than any file can hold");
  }
  return read_integers(input, stored, data_offset, count, force_64_bit);
}

}  // namespace bankproof::cli
