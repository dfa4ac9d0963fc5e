// Reads fixed-width integers in pieces that stay in a cache; see binary.hpp.
#include "binary.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/memory.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are stored");

constexpr std::uint64_t piece_elements = std::uint64_t{1} << 13;

template <std::integral Stored>
class IntegerReader {
 public:
  IntegerReader(ByteInput& input, std::uint64_t first_offset, std::optional<std::uint64_t> count,
                bool force_64_bit)
      : input_(input), first_offset_(first_offset), count_(count), is_wide_(force_64_bit) {}

  InputValues read() {
    std::uint64_t held = 0;  // 0 if the size is unknown
    if (const auto bytes = input_.remaining()) {
      check_size(*bytes);  // before the vector of that size is allocated
      held = *bytes / width;
      require_memory(input_.name(), held, element_bytes());
    }
    within_memory(
        [&] { return read_all(held); },
        [&] { refuse_for_memory(input_.name(), std::max(held, done_), element_bytes()); });
    if (done_ == 0) input_.fail("is empty: there is no element in it");
    InputValues result;
    result.values = is_wide_ ? Values(std::move(wide_)) : Values(std::move(narrow_));
    result.first_offset = first_offset_;
    result.element_bytes = width;
    return result;
  }

 private:
  static constexpr std::uint64_t width = sizeof(Stored);
  using Unsigned = std::make_unsigned_t<Stored>;

  /// Bytes of one element in memory.
  std::uint64_t element_bytes() const { return is_wide_ ? 8 : 4; }

  bool read_all(std::uint64_t held) {
    const auto count = static_cast<std::size_t>(held);
    is_wide_ ? wide_.reserve(count) : narrow_.reserve(count);
    while (read_piece()) {
    }
    return true;
  }

  /// Throws unless `bytes` is the size of whole elements; if `count_` is set, of exactly `count_`
  /// elements.
  void check_size(std::uint64_t bytes) const {
    if (!count_) {
      if (bytes % width == 0) return;
      input_.fail("has " + counted(bytes, "byte") + ", which is not a multiple of " +
                  std::to_string(width) + ", so it is not a file of little-endian 32-bit integers");
    }
    if (bytes / width < *count_) {
      input_.fail("is truncated: its header promises " + counted(*count_, "element") + " of " +
                  std::to_string(width) + " bytes, but only " + counted(bytes, "byte") + " follow");
    }
    if (bytes > *count_ * width) {
      input_.fail("does not end after the " + counted(*count_, "element") +
                  " that its header promises");
    }
  }

  /// Returns whether to go on.
  bool read_piece() {
    const std::uint64_t wanted =
        count_ ? std::min(*count_ - done_, piece_elements) : piece_elements;
    piece_.resize(static_cast<std::size_t>(wanted));
    const std::uint64_t bytes = input_.read(std::as_writable_bytes(std::span(piece_)));
    if (bytes < wanted * width) check_size(done_ * width + bytes);
    append(std::span(piece_).first(static_cast<std::size_t>(bytes / width)));
    done_ += bytes / width;
    if (done_ == count_) {
      std::byte extra{};
      if (input_.read(std::span(&extra, 1)) > 0) check_size(done_ * width + 1);
    }
    return bytes == wanted * width && done_ != count_;
  }

  void append(std::span<const Stored> piece) {
    constexpr std::uint64_t narrow_bits = std::numeric_limits<std::uint32_t>::max();
    Unsigned used = 0;
    for (const Stored value : piece)
      used = static_cast<Unsigned>(used | static_cast<Unsigned>(value));
    if (std::is_signed_v<Stored> && static_cast<Stored>(used) < 0) refuse_negative(piece);
    if (!is_wide_ && used > narrow_bits) {
      is_wide_ = true;
      wide_.assign(narrow_.begin(), narrow_.end());
      narrow_ = {};
    }
    const auto add = [&](auto& values) {
      using Element = typename std::remove_reference_t<decltype(values)>::value_type;
      const std::size_t before = values.size();
      values.resize(before + piece.size());
      std::transform(piece.begin(), piece.end(),
                     values.begin() + static_cast<std::ptrdiff_t>(before),
                     [](Stored value) { return static_cast<Element>(value); });
    };
    is_wide_ ? add(wide_) : add(narrow_);
  }

  [[noreturn]] void refuse_negative(std::span<const Stored> piece) const {
    const auto first = std::find_if(piece.begin(), piece.end(), [](Stored v) { return v < 0; });
    const std::uint64_t element = done_ + static_cast<std::uint64_t>(first - piece.begin());
    input_.fail("element " + std::to_string(element) + " (byte " +
                std::to_string(first_offset_ + element * width) + ") is " + std::to_string(*first) +
                "; a permutation's elements count from 0");
  }

  ByteInput& input_;
  std::uint64_t first_offset_;
  std::optional<std::uint64_t> count_;
  std::uint64_t done_ = 0;
  bool is_wide_;
  std::vector<Stored> piece_;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
};

}  // namespace

InputValues read_binary(ByteInput& input, bool force_64_bit) {
  return IntegerReader<std::uint32_t>(input, 0, std::nullopt, force_64_bit).read();
}

InputValues read_integers(ByteInput& input, StoredInteger stored, std::uint64_t first_offset,
                          std::uint64_t count, bool force_64_bit) {
  const auto read = [&]<class Stored>(Stored) {
    return IntegerReader<Stored>(input, first_offset, count, force_64_bit).read();
  };
  if (stored.bytes == 4) return stored.is_signed ? read(std::int32_t{}) : read(std::uint32_t{});
  return stored.is_signed ? read(std::int64_t{}) : read(std::uint64_t{});
}

}  // namespace bankproof::cli
