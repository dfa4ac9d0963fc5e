// Fuzz target for the .npy reader. A file that the reader accepts has no byte too many or too few.
#include "../readers/npy.hpp"

#include "support.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::cli;
  const auto read = fuzz(read_npy, data, size);
  if (!read) return 0;
  const std::size_t count =
      std::visit([](const auto& values) { return values.size(); }, read->values);
  require(read->element_bytes == 4 || read->element_bytes == 8);
  require(read->first_offset + count * read->element_bytes == size);
  return 0;
}
