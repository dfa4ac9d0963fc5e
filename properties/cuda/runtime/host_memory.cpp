// Which bytes of the host's memory can be read, for ranges around a page that cannot.
#include "../../../cuda/runtime/memory/host_memory.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace bankproof::cuda {
namespace {

constexpr std::size_t page = 4096;

/// Pages of which one cannot be read.
class Pages {
 public:
  Pages(std::size_t count, std::size_t closed)
      : bytes_(count * page),
        begin_(static_cast<std::byte*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(begin_ + closed * page, page, PROT_NONE);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { munmap(begin_, bytes_); }
  const std::byte* begin() const { return begin_; }

 private:
  std::size_t bytes_;
  std::byte* begin_;
};

// More pages than one call of the system can read.
RC_GTEST_PROP(HostMemory, ends_at_the_first_page_that_cannot_be_read, ()) {
  const auto count = *rc::gen::element<std::size_t>(1, 2, 3, 1023, 1024, 1025, 2050);
  const auto closed = *rc::gen::inRange<std::size_t>(0, count);
  const Pages pages(count, closed);
  const auto from = *rc::gen::inRange<std::size_t>(0, count * page);
  const auto bytes = *rc::gen::inRange<std::size_t>(1, count * page - from + 1);
  const bool is_before = from + bytes <= closed * page;
  const bool is_behind = from >= (closed + 1) * page;
  std::size_t expected = bytes;
  if (!is_before && !is_behind) expected = from >= closed * page ? 0 : closed * page - from;
  RC_ASSERT(readable_bytes(pages.begin() + from, bytes) == expected);
}

TEST(HostMemory, null_and_the_end_of_all_addresses) {
  EXPECT_EQ(readable_bytes(nullptr, 1), 0U);
  EXPECT_EQ(readable_bytes(nullptr, std::size_t{1} << 40), 0U);
  int number = 0;
  EXPECT_EQ(readable_bytes(&number, sizeof number), sizeof number);
  EXPECT_EQ(readable_bytes(&number, SIZE_MAX), 0U);
}

}  // namespace
}  // namespace bankproof::cuda
