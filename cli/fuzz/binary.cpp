// Fuzz target for the .bin reader. It accepts exactly the sizes that are a positive multiple of 4.
#include "../readers/binary.hpp"

#include "support.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::cli;
  const auto read = fuzz(read_binary, data, size);
  require(read.has_value() == (size > 0 && size % 4 == 0));
  return 0;
}
