// Sizes in words, and the refusal of more memory than the machine has.
#include "../support/memory.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(SizeText, has_binary_units) {
  EXPECT_EQ(size_text(0), "0 bytes");
  EXPECT_EQ(size_text(1), "1 byte");
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(std::uint64_t{1} << 43), "8.0 TiB");
  EXPECT_EQ(size_text(most), "16.0 EiB");
}

TEST(RequireMemory, knows_the_limit_of_the_machine) {
  const std::uint64_t bytes = physical_memory();
  EXPECT_GT(bytes, std::uint64_t{1} << 20);
  EXPECT_NO_THROW(require_memory("p", 1, 8));
  EXPECT_NO_THROW(require_memory("p", bytes / 8, 8));
  EXPECT_EQ(message_of<InputError>([&] { require_memory("p", bytes / 8 + 1, 8); }),
            "p: " + std::to_string(bytes / 8 + 1) + " elements need " + size_text(bytes) +
                " of memory, more than the " + size_text(bytes) + " of this machine");
  EXPECT_EQ(message_of<InputError>([] { require_memory("p", most, 4); }),
            "p: " + std::to_string(most) + " elements need 16.0 EiB of memory, more than the " +
                size_text(bytes) + " of this machine");
}

TEST(WithinMemory, turns_what_allocations_throw_into_words) {
  EXPECT_EQ(within_memory([] { return 7; }, [] { refuse_for_memory("p"); }), 7);
  EXPECT_EQ(message_of<InputError>([] {
              within_memory([]() -> int { throw std::bad_alloc(); },
                            [] { refuse_for_memory("p", 1, 8); });
            }),
            "p: 1 element needs 8 bytes of memory, more than is available");
  EXPECT_EQ(message_of<InputError>([] {
              within_memory([]() -> int { throw std::length_error("vector"); },
                            [] { refuse_for_memory("p"); });
            }),
            "p: needs more memory than is available");
}

}  // namespace
}  // namespace bankproof::cli
