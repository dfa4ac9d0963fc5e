// Compares the formats of the machine's printf with the formats of the host's printf.
#include "../../ptx/isa/print_format.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace bankproof::ptx {
namespace {

/// Arguments in the layout that compilers use.
class Bytes {
 public:
  template <class T>
  Bytes& add(const T& value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  Formatted printed(const std::string& format) const {
    return formatted(format, bytes_, [](std::uint64_t address) {
      return address == 1 ? std::string("one") : std::string("text");
    });
  }

 private:
  std::vector<std::byte> bytes_;
};

template <class T>
std::string of_host(const std::string& format, T value) {
  std::string text(512, '\0');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int count = std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  return text.substr(0, static_cast<std::size_t>(count));
}

const std::vector<std::string> flags = {"", "-", "+", " ", "0", "#", "-+", "+0"};
const std::vector<std::string> widths = {"", "1", "7", "20"};
const std::vector<std::string> precisions = {"", ".0", ".3"};

RC_GTEST_PROP(PrintFormat, prints_integers_as_the_host_does, (std::uint32_t bits)) {
  const auto spec = "%" + *rc::gen::elementOf(flags) + *rc::gen::elementOf(widths);
  const Bytes bytes = Bytes().add(bits);
  RC_ASSERT(bytes.printed(spec + "d").text == of_host(spec + "d", static_cast<int>(bits)));
  for (const char* const letter : {"u", "x", "X", "o"}) {
    RC_ASSERT(bytes.printed(spec + letter).text == of_host(spec + letter, bits));
  }
}

RC_GTEST_PROP(PrintFormat, prints_wide_integers_as_the_host_does, (std::uint64_t bits)) {
  const auto spec = "%" + *rc::gen::elementOf(flags) + *rc::gen::elementOf(widths);
  const Bytes bytes = Bytes().add(std::int32_t{1}).add(bits);
  for (const char* const length : {"l", "ll"}) {
    RC_ASSERT(bytes.printed("%d " + spec + length + "d").text ==
              "1 " + of_host(spec + "lld", static_cast<long long>(bits)));
    RC_ASSERT(bytes.printed("%d " + spec + length + "x").text ==
              "1 " + of_host(spec + "llx", static_cast<unsigned long long>(bits)));
  }
}

RC_GTEST_PROP(PrintFormat, prints_numbers_as_the_host_does, (double value)) {
  const auto spec = "%" + *rc::gen::elementOf(flags) + *rc::gen::elementOf(widths) +
                    *rc::gen::elementOf(precisions);
  for (const char* const letter : {"f", "e", "g", "E", "G"}) {
    RC_ASSERT(Bytes().add(value).printed(spec + letter).text == of_host(spec + letter, value));
  }
}

TEST(PrintFormat, takes_arguments_in_turn_and_counts_them) {
  const Formatted all = Bytes()
                            .add(std::int32_t{-5})
                            .add(2.5)
                            .add(std::uint64_t{1})
                            .add(std::int32_t{'c'})
                            .printed("%d %.1f %s%% %c\n");
  EXPECT_EQ(all.text, "-5 2.5 one% c\n");
  EXPECT_EQ(all.arguments, 4);
  EXPECT_EQ(Bytes().add(std::int32_t{6}).add(std::int32_t{2}).add(3.14159).printed("%*.*f|").text,
            "  3.14|");
  EXPECT_EQ(Bytes().add(std::int32_t{-6}).add(std::int32_t{7}).printed("%*d|").text, "7     |");
  EXPECT_EQ(Bytes().add(std::uint64_t{255}).printed("%p").text, "0xff");
  EXPECT_EQ(Bytes().add(std::uint64_t{0}).printed("%7p").text, "  (nil)");
  EXPECT_EQ(Bytes().add(std::uint64_t{0}).printed("%s").text, "(null)");
  EXPECT_EQ(Bytes().add(std::numeric_limits<double>::infinity()).printed("%f").text, "inf");
}

TEST(PrintFormat, is_bounded_and_keeps_what_is_no_conversion) {
  EXPECT_EQ(Bytes().printed("%d %s").text, "0 (null)");
  EXPECT_EQ(Bytes().add(std::int32_t{5}).printed("%99999999999d").text.size(), 4096U);
  EXPECT_EQ(Bytes()
                .add(std::int32_t{std::numeric_limits<std::int32_t>::min()})
                .add(std::int32_t{5})
                .printed("%*d")
                .text.size(),
            4096U);
  EXPECT_EQ(Bytes().printed("%n %y %").text, "%n %y %");
}

}  // namespace
}  // namespace bankproof::ptx
