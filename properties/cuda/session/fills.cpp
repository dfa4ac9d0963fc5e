// Filled bytes of buffers against a plain copy of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../cuda/session/session.hpp"

namespace bankproof::cuda {
namespace {

// A fill copies pieces of about 2^16 bytes.
constexpr std::uint64_t size = 3 * (std::uint64_t{1} << 16) + 11;

RC_GTEST_PROP(Fills, repeat_the_pattern_and_define_these_bytes_alone, ()) {
  Session session;
  const std::uint32_t buffer = session.add_buffer("filled", size);
  std::vector<std::byte> expected(size);
  std::vector<bool> defined(size);
  for (int k = *rc::gen::inRange(1, 4); k > 0; --k) {
    const auto begin =
        *rc::gen::oneOf(rc::gen::just(std::uint64_t{0}), rc::gen::inRange<std::uint64_t>(0, size));
    const auto end =
        *rc::gen::oneOf(rc::gen::just(size), rc::gen::inRange<std::uint64_t>(begin, size));
    const auto numbers = *rc::gen::container<std::vector<std::uint8_t>>(
        *rc::gen::inRange<std::size_t>(1, 17), rc::gen::arbitrary<std::uint8_t>());
    std::vector<std::byte> pattern;
    pattern.reserve(numbers.size());
    for (const std::uint8_t number : numbers) pattern.push_back(std::byte{number});
    session.fill(buffer, begin, end - begin, pattern);
    for (std::uint64_t at = begin; at < end; ++at) {
      expected[at] = pattern[(at - begin) % pattern.size()];
      defined[at] = true;
    }
  }
  const auto got = static_cast<const Session&>(session).data(buffer);
  RC_ASSERT(std::equal(got.begin(), got.end(), expected.begin(), expected.end()));
  for (std::uint64_t begin = 0; begin < size; begin += size / 16) {
    const auto first =
        std::find(defined.begin() + static_cast<std::ptrdiff_t>(begin), defined.end(), false);
    const auto missing = session.first_undefined(buffer, begin, size - begin);
    RC_ASSERT(missing.has_value() == (first != defined.end()));
    if (missing) RC_ASSERT(*missing == static_cast<std::uint64_t>(first - defined.begin()));
  }
}

}  // namespace
}  // namespace bankproof::cuda
