// Which bytes of a buffer count as not written, against a plain list of all bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

#include "../../../ptx/memory/buffers.hpp"

namespace bankproof::ptx {
namespace {

RC_GTEST_PROP(UndefinedBytes, are_those_that_nobody_has_written, ()) {
  const auto bytes = *rc::gen::inRange<std::uint64_t>(1, 100);
  GlobalMemory memory;
  const std::uint32_t buffer = memory.add_buffer("b", bytes, *rc::gen::arbitrary<bool>());
  std::vector<bool> written(bytes, memory.undefined(buffer).empty());
  for (int step = *rc::gen::inRange(0, 10); step > 0; --step) {
    const auto begin = *rc::gen::inRange<std::uint64_t>(0, bytes);
    const auto end = *rc::gen::inRange<std::uint64_t>(begin, bytes + 1);
    const bool defines = *rc::gen::arbitrary<bool>();
    if (defines) {
      memory.define(buffer, begin, end - begin);
    } else {
      memory.undefine(buffer, begin, end - begin);
    }
    for (std::uint64_t k = begin; k < end; ++k) written[k] = defines;
  }
  std::vector<bool> told(bytes, true);
  std::uint64_t last = 0;
  for (const ByteRange& range : memory.undefined(buffer)) {
    RC_ASSERT(range.begin < range.end);
    RC_ASSERT(last == 0 || range.begin > last);  // ranges that touch are one range
    last = range.end;
    for (std::uint64_t k = range.begin; k < range.end; ++k) told[k] = false;
  }
  RC_ASSERT(told == written);
}

}  // namespace
}  // namespace bankproof::ptx
