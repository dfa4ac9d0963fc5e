// Members of structures that kernels take: where debug information says that they are, the machine
// finds them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>

#include "../../../cuda/session/session.hpp"
#include "../../../cuda/types/parameter_types.hpp"
#include "../../../symbolic/premises/constants.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

/// Stores each number of its structures as 64 bits, in the order of the declarations.
constexpr const char* source = R"(
enum class Kind : unsigned char { small, large };
namespace shapes {
struct Base { short first; };
template <class T> struct Inner { T values[2][2]; signed char sign; };
struct Outer : Base {
  static constexpr int constant = 3;
  unsigned char flag;
  const float* data;
  Inner<unsigned short> inner;
  union { int whole; unsigned half; };
  unsigned bits : 3;
  char padding[100];
  long long length;
  Kind kind;
  bool is_last;
};
}
using Alias = const shapes::Outer;
template <class T> __global__ void store(T* out, Alias one, int n, shapes::Inner<long> two) {
  int k = 0;
  out[k++] = one.first;
  out[k++] = one.flag;
  for (int i = 0; i < 4; ++i) out[k++] = one.inner.values[i / 2][i % 2];
  out[k++] = one.inner.sign;
  out[k++] = one.whole;
  out[k++] = one.half;
  out[k++] = one.length;
  out[k++] = static_cast<T>(one.kind);
  out[k++] = one.is_last;
  out[k++] = n;
  for (int i = 0; i < 4; ++i) out[k++] = two.values[i / 2][i % 2];
  out[k++] = two.sign;
}
template __global__ void store<long long>(long long*, Alias, int, shapes::Inner<long>);
)";
constexpr std::size_t numbers = 18;

class Source {
 public:
  Source()
      : path_(std::filesystem::temp_directory_path() /
              ("members-" + std::to_string(std::random_device{}()) + ".cu")) {
    std::ofstream(path_) << source;
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::vector<cuda::Compiler> compilers() {
  std::vector<cuda::Compiler> all = cuda::find_clangs(1);
  for (const cuda::Compiler& one : cuda::find_nvcc()) all.push_back(one);
  return all;
}

std::string debug_text(const Source& file, const cuda::Compiler& compiler) {
  return cuda::compile(file.path(),
                       {.compiler = compiler.program, .flags = {}, .headers = {}, .debug = true},
                       compiler)
      .text;
}

/// The number as the value's type has it.
std::int64_t number_at(std::span<const std::byte> bytes, const cuda::ParameterValue& value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.subspan(value.offset, value.bytes).data(), value.bytes);
  const unsigned above = 64 - 8 * value.bytes;
  return value.is_signed ? static_cast<std::int64_t>(bits << above) >> above
                         : static_cast<std::int64_t>(bits);
}

/// PTX without what debug information adds: sections, lines, labels of places, and the target's
/// word.
std::string instructions_of(const std::string& ptx) {
  std::istringstream lines(ptx);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(".section") != std::string::npos) break;
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const auto starts = [&](const char* text) {
      return line.compare(begin, std::strlen(text), text) == 0;
    };
    if (starts(".loc") || starts(".file") || starts(".target") || starts("$L__tmp") ||
        starts("//")) {
      continue;
    }
    all += line.substr(begin, line.find("//", begin) - begin) + "\n";
  }
  return all;
}

// So the kernel that is proved is the one that runs without debug information.
TEST(Members, of_clang_leave_the_instructions_as_they_are) {
  const Source file;
  for (const cuda::Compiler& compiler : cuda::find_clangs(1)) {
    const std::string plain =
        cuda::compile(file.path(), {.compiler = compiler.program, .flags = {}, .headers = {}},
                      compiler)
            .text;
    const std::string debug = debug_text(file, compiler);
    EXPECT_NE(plain, debug);
    EXPECT_THAT(instructions_of(plain), ::testing::HasSubstr("ret;"));
    EXPECT_EQ(instructions_of(plain), instructions_of(debug));
  }
}

TEST(Members, are_where_the_machine_finds_them) {
  const Source file;
  ASSERT_FALSE(compilers().empty());
  std::mt19937_64 random(1);
  for (const cuda::Compiler& compiler : compilers()) {
    const auto kernels = std::make_shared<const cuda::KernelFile>(cuda::load_kernels(
        file.path(), {.compiler = compiler.program, .flags = {}, .headers = {}}));
    const std::string name = kernels->module.functions.front().name;
    const auto types = cuda::parameter_types(debug_text(file, compiler), name);
    ASSERT_EQ(types.size(), 4U) << compiler.program;
    cuda::Session session;
    const std::vector<std::byte> zeros(8 * numbers);
    const std::uint32_t out = session.add_buffer("out", zeros);
    const std::uint64_t address = cuda::Session::address(out);
    std::vector<cuda::ArgumentBytes> arguments;
    std::vector<std::int64_t> expected;
    for (const cuda::ParameterType& type : types) {
      std::vector<std::byte> bytes(type.bytes);
      for (std::byte& one : bytes) one = static_cast<std::byte>(random());
      if (type.name == "out") std::memcpy(bytes.data(), &address, 8);
      for (const cuda::ParameterValue& value : type.values) {
        // A bool has no other bytes.
        if (value.name == "one.is_last") bytes[value.offset] = std::byte{1};
        if (!value.has_known_sign) bytes[value.offset] &= std::byte{0x7f};
        if (!value.is_pointer) expected.push_back(number_at(bytes, value));
      }
      arguments.push_back({bytes, "?"});
    }
    session.launch(kernels, name, {.grid = {1, 1, 1}, .block = {1, 1, 1}}, arguments);
    std::vector<std::int64_t> stored(numbers);
    std::memcpy(stored.data(), session.data(out).data(), 8 * numbers);
    EXPECT_EQ(stored, expected) << compiler.program;
  }
}

TEST(Members, have_the_names_of_the_source) {
  const Source file;
  for (const cuda::Compiler& compiler : compilers()) {
    const auto types = cuda::parameter_types(debug_text(file, compiler),
                                             "_Z5storeIxEvPT_N6shapes5OuterEiNS2_5InnerIlEE");
    ASSERT_EQ(types.size(), 4U) << compiler.program;
    std::vector<std::string> names;
    for (const cuda::ParameterValue& one : types[1].values) names.push_back(one.name);
    EXPECT_THAT(
        names, ::testing::ElementsAre("one.first", "one.flag", "one.data", "one.inner.values[0][0]",
                                      "one.inner.values[0][1]", "one.inner.values[1][0]",
                                      "one.inner.values[1][1]", "one.inner.sign", "one.whole",
                                      "one.half", "one.length", "one.kind", "one.is_last"));
    EXPECT_EQ(types[1].values[2].element_bytes, 4U);
    EXPECT_TRUE(types[1].values[2].is_pointer);
    EXPECT_EQ(types[0].values.at(0).element_bytes, 8U);
    EXPECT_EQ(types[2].values.at(0).name, "n");
  }
}

/// Debug information of version 2 does not say whether an enumeration has a sign.
TEST(Members, of_enumerations_have_a_sign_or_none) {
  const Source file;
  for (const cuda::Compiler& compiler : compilers()) {
    const auto types = cuda::parameter_types(debug_text(file, compiler),
                                             "_Z5storeIxEvPT_N6shapes5OuterEiNS2_5InnerIlEE");
    ASSERT_EQ(types.size(), 4U) << compiler.program;
    for (const cuda::ParameterValue& one : types[1].values) {
      EXPECT_EQ(one.has_known_sign, one.name != "one.kind") << one.name;
    }
  }
}

TEST(Members, have_no_names_without_debug_information) {
  const Source file;
  const std::string text = debug_text(file, compilers().front());
  EXPECT_TRUE(cuda::parameter_types(text, "other").empty());
  EXPECT_TRUE(cuda::parameter_types(text.substr(0, text.find(".section")), "store").empty());
  EXPECT_TRUE(cuda::parameter_types("", "store").empty());
}

/// Damaged debug information has other names or none; reading it ends.
BANKPROOF_PROPERTY(Members, of_damaged_information_are_read_to_an_end, ()) {
  static const std::string whole = debug_text(Source(), compilers().front());
  std::string text = whole;
  const std::size_t begin = text.find(".debug_abbrev");
  const int changes = *rc::gen::inRange(1, 20);
  for (int k = 0; k < changes; ++k) {
    const auto at = *rc::gen::inRange<std::size_t>(begin, text.size());
    text[at] = *rc::gen::elementOf(std::string("0123456789,.b \n{}:+-$"));
  }
  if (*rc::gen::arbitrary<bool>()) text.resize(*rc::gen::inRange<std::size_t>(begin, text.size()));
  const auto types = cuda::parameter_types(text, "_Z5storeIxEvPT_N6shapes5OuterEiNS2_5InnerIlEE");
  for (const cuda::ParameterType& type : types) RC_ASSERT(type.values.size() <= 1024U);
}

// ---- Values that conditions fix

const std::vector<NamedValue> named{
    {.name = "n", .numbered = "arg0", .index = 0, .bytes = 4},
    {.name = "m", .numbered = "arg1", .index = 1, .bytes = 4, .is_signed = false},
    {.name = "a.rows", .numbered = "arg2.rows", .index = 2, .offset = 8, .bytes = 8}};

Shape stated(const std::string& condition) {
  Shape shape;
  add_constants(shape, condition, named);
  return shape;
}

TEST(Constants, are_what_a_condition_says) {
  using ::testing::ElementsAre;
  using ::testing::Pair;
  const auto n = std::tuple{std::size_t{0}, std::uint64_t{0}, std::uint32_t{4}};
  const auto m = std::tuple{std::size_t{1}, std::uint64_t{0}, std::uint32_t{4}};
  const auto rows = std::tuple{std::size_t{2}, std::uint64_t{8}, std::uint32_t{8}};
  EXPECT_THAT(stated("n == 12288").values, ElementsAre(Pair(n, 12288)));
  EXPECT_THAT(stated("1 << 4 == arg0 && m == 3 * 5").values, ElementsAre(Pair(n, 16), Pair(m, 15)));
  EXPECT_THAT(stated("n == -1").values, ElementsAre(Pair(n, ~std::uint64_t{0})));
  EXPECT_THAT(stated("a.rows == 1 << 40").values, ElementsAre(Pair(rows, std::uint64_t{1} << 40)));
  EXPECT_EQ(stated("blockDim.x == 256").block[0], 256U);
  EXPECT_THAT(stated("blockDim.x == 256 && n == 2 * blockDim.x && m == n / 4").values,
              ElementsAre(Pair(n, 512), Pair(m, 128)));
  EXPECT_EQ(stated("gridDim.y == 2").grid[1], 2U);
}

TEST(Constants, are_no_guesses) {
  for (const char* const condition :
       {"n <= 3", "n == m", "n == m - a.rows", "n == 3 || m == 2", "!(n == 3)", "n != 3",
        "(n == 3) == 0", "n + 1 == 3", "m == -1", "n == 1 << 32", "blockDim.x == 0"}) {
    const Shape shape = stated(condition);
    EXPECT_TRUE(shape.values.empty() && !shape.block[0]) << condition;
  }
}

}  // namespace
}  // namespace bankproof::symbolic
