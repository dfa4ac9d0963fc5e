// The kinds of the program's accesses to memory that it shares with the machine.
#include "../../../cuda/runtime/host_views.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace bankproof::cuda::tests {
namespace {

// Where neither the machine's buffers nor the address sanitizer have anything.
constexpr std::uint64_t place = (std::uint64_t{3} << 44U) + (std::uint64_t{1} << 35U);
constexpr std::size_t page_bytes = 4096;

/// The kinds of accesses that the handler tells while `access` runs on a closed mapping.
template <class Access>
std::vector<AccessKind> told(Access access) {
  static auto* const views = new HostViews;  // the handler may ask it until the program ends
  const auto machine = views->map(place, page_bytes);
  EXPECT_TRUE(machine);
  if (!machine) return {};
  std::vector<AccessKind> kinds;
  views->close(place,
               [&](std::uint64_t, AccessKind kind, std::uintptr_t) { kinds.push_back(kind); });
  // NOLINTNEXTLINE(performance-no-int-to-ptr): where the program sees the memory.
  access(*reinterpret_cast<std::atomic<std::uint64_t>*>(place));
  views->unmap(place);
  munmap(*machine, page_bytes);
  return kinds;
}

using Kinds = std::vector<AccessKind>;
using Word = std::atomic<std::uint64_t>;

TEST(HostViews, tell_what_kind_of_access_the_program_makes) {
  constexpr auto relaxed = std::memory_order_relaxed;
  EXPECT_EQ(told([](Word& word) { word.load(relaxed); }), Kinds{AccessKind::read});
  EXPECT_EQ(told([](Word& word) { *reinterpret_cast<volatile std::uint64_t*>(&word) = 1; }),
            Kinds{AccessKind::write});
  EXPECT_EQ(told([](Word& word) { word.fetch_add(1); }), Kinds{AccessKind::atomic});
  EXPECT_EQ(told([](Word& word) { word.exchange(1); }), Kinds{AccessKind::atomic});
  std::uint64_t expected = 1;
  EXPECT_EQ(told([&](Word& word) { word.compare_exchange_strong(expected, 2); }),
            Kinds{AccessKind::atomic});
}

TEST(HostViews, tell_a_short_exchange_and_a_short_store) {
  const auto as_byte = [](Word& word) {
    return reinterpret_cast<std::atomic<std::uint8_t>*>(&word);
  };
  const auto as_half = [](Word& word) {
    return reinterpret_cast<std::atomic<std::uint16_t>*>(&word);
  };
  EXPECT_EQ(told([&](Word& word) { as_byte(word)->exchange(1); }), Kinds{AccessKind::atomic});
  EXPECT_EQ(told([&](Word& word) { as_half(word)->exchange(1); }), Kinds{AccessKind::atomic});
  EXPECT_EQ(told([&](Word& word) { as_half(word)->fetch_add(1); }), Kinds{AccessKind::atomic});
  EXPECT_EQ(told([&](Word& word) { *reinterpret_cast<volatile std::uint16_t*>(&word) = 1; }),
            Kinds{AccessKind::write});
}

}  // namespace
}  // namespace bankproof::cuda::tests
