// PERMUTATION arguments: names against files, formats by content, and the messages for input that
// is not a permutation. All formats and widths agree.
#include "../readers/permutation_argument.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../readers/bytes.hpp"
#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

using Narrow = std::vector<std::uint32_t>;
using Wide = std::vector<std::uint64_t>;

std::string bytes_of_numbers(const Narrow& values, std::size_t bytes) {
  std::string text;
  for (const std::uint64_t value : values) text += little_endian(value, bytes);
  return text;
}

std::string npy_of_numbers(const Narrow& values, std::size_t bytes) {
  const std::string header = fmt::format(
      "{{'descr': '<i{}', 'fortran_order': False, 'shape': ({},), }}\n", bytes, values.size());
  return std::string("\x93NUMPY\x01\x00", 8) + little_endian(header.size(), 2) + header +
         bytes_of_numbers(values, bytes);
}

std::string usage_error(const std::string& text) {
  return message_of<UsageError>([&] { load_permutation(text); });
}

std::string input_error(const std::string& text) {
  return message_of<InputError>([&] { load_permutation(text); });
}

/// Reads `text` through `-`.
PermutationArgument from_standard_input(const TemporaryFolder& folder, std::string_view text) {
  const int descriptor = open(folder.file("stdin", text).c_str(), O_RDONLY);
  PermutationOptions options;
  options.standard_input = descriptor;
  try {
    PermutationArgument result = load_permutation("-", options);
    close(descriptor);
    return result;
  } catch (...) {
    close(descriptor);
    throw;
  }
}

RC_GTEST_PROP(PermutationArgument, is_the_same_in_every_format_and_width, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(1, 200);
  Narrow values(n);
  std::iota(values.begin(), values.end(), 0u);
  std::mt19937 generator(*rc::gen::arbitrary<std::uint32_t>());
  std::shuffle(values.begin(), values.end(), generator);
  std::string text;
  for (const auto value : values) text += std::to_string(value) + "\n";

  const TemporaryFolder folder;
  for (const std::string& path :
       {folder.file("p.txt", text), folder.file("p.bin", bytes_of_numbers(values, 4)),
        folder.file("p4.npy", npy_of_numbers(values, 4)),
        folder.file("p8.npy", npy_of_numbers(values, 8))}) {
    const PermutationArgument narrow = load_permutation(path);
    RC_ASSERT(std::get<Narrow>(narrow.values) == values);
    RC_ASSERT(narrow.size() == n);
    RC_ASSERT(narrow.name == path);
    PermutationOptions options;
    options.force_64_bit = true;
    const auto wide = std::get<Wide>(load_permutation(path, options).values);
    RC_ASSERT(wide == Wide(values.begin(), values.end()));
  }
  RC_ASSERT(std::get<Narrow>(from_standard_input(folder, text).values) == values);
}

TEST(PermutationArgument, knows_the_positions_of_its_elements) {
  const TemporaryFolder folder;
  const Source named = load_permutation("identity:3").source;
  EXPECT_EQ(named.kind, Source::Kind::name);
  EXPECT_EQ(named.position(0), std::nullopt);
  EXPECT_EQ(named.bytes(0), std::nullopt);

  const Source text = load_permutation(folder.file("p", "0,\n  1 2\n")).source;
  EXPECT_EQ(text.kind, Source::Kind::text);
  EXPECT_EQ(text.position(2), (TextPosition{2, 5}));
  EXPECT_EQ(text.bytes(2), std::nullopt);

  const std::string file = npy_of_numbers({1, 0}, 8);
  const Source array = load_permutation(folder.file("p.npy", file)).source;
  EXPECT_EQ(array.kind, Source::Kind::npy);
  EXPECT_EQ(array.bytes(1), (ByteRange{file.size() - 8, 8}));
  EXPECT_EQ(array.position(1), std::nullopt);

  const Source binary =
      load_permutation(folder.file("p.bin", bytes_of_numbers({1, 0, 2}, 4))).source;
  EXPECT_EQ(binary.kind, Source::Kind::binary);
  EXPECT_EQ(binary.bytes(2), (ByteRange{8, 4}));
}

TEST(PermutationArgument, a_known_name_with_parameters_is_never_a_file) {
  const PermutationArgument named = load_permutation("random:4");
  EXPECT_EQ(named.name, "random:4,seed=0");
  EXPECT_EQ(std::get<Narrow>(named.values).size(), 4u);
  PermutationOptions options;
  options.force_64_bit = true;
  EXPECT_EQ(std::get<Wide>(load_permutation("shuffle:4", options).values), (Wide{0, 2, 1, 3}));
}

TEST(PermutationArgument, describes_bad_specifications) {
  EXPECT_EQ(usage_error(""), "PERMUTATION is empty; 'bankproof list' shows the names");
  EXPECT_EQ(usage_error("tranpose:4x4"),
            "unknown permutation 'tranpose'; did you mean 'transpose'?");
  EXPECT_EQ(usage_error("transpose"),
            "bad permutation 'transpose': it needs parameters, transpose:RxC; for example: "
            "transpose:32x32");
  EXPECT_EQ(usage_error("shuffle:3"),
            "bad permutation 'shuffle:3': N has to be even; for example: shuffle:1024");
}

TEST(PermutationArgument, describes_unreadable_files) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error("/no/such/file"),
            "/no/such/file: cannot be opened: No such file or directory");
  EXPECT_EQ(input_error("no-such-file.txt"),
            "no-such-file.txt: cannot be opened: No such file or directory");
  EXPECT_EQ(input_error(folder / ""), folder / "" + ": is a directory, not a file");
  EXPECT_EQ(input_error(folder.file("a:b", "x")), folder / "a:b" + ":1:1: 'x' is not an integer");
}

TEST(PermutationArgument, describes_values_that_are_not_a_permutation) {
  const TemporaryFolder folder;
  const std::string tail = "; a permutation of 3 elements has each of 0 … 2 once";
  const std::string text = folder / "p.txt";
  const std::vector<Refusal> table = {
      {"0 2\n 2", ":2:2: value 2 repeats that of line 1, column 3" + tail + ", and 1 is missing"},
      {"0,9\n,0", ":1:3: value 9 is too large" + tail + ", and 1 is missing"},
      {"0 1 3", ":1:5: value 3 is too large" + tail + ", and 2 is missing"},
      {"3 1 2", ":1:1: value 3 is too large" + tail + "; these are 1 … 3: subtract 1 from each"},
      {"0 4294967296 2", ":1:3: value 4294967296 is too large" + tail + ", and 1 is missing"},
      {"7", ":1:1: value 7 is too large; a permutation of 1 element has just 0"},
  };
  for (const auto& refusal : table) {
    folder.file("p.txt", refusal.input);
    EXPECT_EQ(input_error(text), text + refusal.message);
    EXPECT_EQ(message_of<InputError>([&] { from_standard_input(folder, refusal.input); }),
              "standard input" + refusal.message);
  }
  const std::string binary = folder.file("p.bin", bytes_of_numbers({0, 1, 1}, 4));
  EXPECT_EQ(input_error(binary), binary +
                                     ": element 2 (byte 8): value 1 repeats that of element 1" +
                                     tail + ", and 2 is missing");
  const std::string array = folder.file("p.npy", npy_of_numbers({0, 5, 1}, 8));
  EXPECT_EQ(input_error(array),
            array + ": element 1 (byte 76): value 5 is too large" + tail + ", and 2 is missing");
}

TEST(PermutationArgument, knows_formats_by_content_and_name) {
  const TemporaryFolder folder;
  EXPECT_EQ(load_permutation(folder.file("a.dat", npy_of_numbers({1, 0}, 4))).source.kind,
            Source::Kind::npy);
  EXPECT_EQ(load_permutation(folder.file("a.bin", npy_of_numbers({1, 0}, 4))).source.kind,
            Source::Kind::npy);
  const std::string text = folder.file("a.npy", "1 0");
  EXPECT_EQ(input_error(text),
            text + ": is not an .npy file: it begins with '1 0'; save it with numpy.save");
  EXPECT_EQ(message_of<InputError>([&] {
              from_standard_input(folder, npy_of_numbers({1, 0}, 4));
            }),
            "standard input: is an .npy file, but '-' reads text; name the file, or /dev/stdin");
  for (const auto& [name, content] : {std::pair<std::string, std::string>{"a.npz", "anything"},
                                      {"zip.dat", "PK\x03\x04..."},
                                      {"zip.npy", "PK\x03\x04..."}}) {
    const std::string path = folder.file(name, content);
    EXPECT_EQ(input_error(path), path + ": is an .npz archive: unpack it and give the .npy inside");
  }
  EXPECT_TRUE(input_error(folder.file("zip.bin", "PK\x03\x04")).find("value 67324752 is") !=
              std::string::npos);
  EXPECT_EQ(load_permutation(folder.file("\u202Ename", "0")).name, folder / "\\xe2\\x80\\xaename");
  EXPECT_EQ(load_permutation(folder.file("odd\nname", "0")).name, folder / "odd\\x0aname");
}

TEST(PermutationArgument, reads_pipes_with_names) {
  const TemporaryFolder folder;
  for (const auto& [name, content] : {std::pair<std::string, std::string>{"f.txt", "2 0 1"},
                                      {"f.bin", bytes_of_numbers({2, 0, 1}, 4)},
                                      {"f.npy", npy_of_numbers({2, 0, 1}, 8)}}) {
    const std::string path = folder / name;
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&path, &content = content] { std::ofstream(path) << content; });
    const PermutationArgument read = load_permutation(path);
    writer.join();
    EXPECT_EQ(std::get<Narrow>(read.values), (Narrow{2, 0, 1})) << name;
  }
}

TEST(PermutationArgument, starts_where_standard_input_stands) {
  const TemporaryFolder folder;
  const int descriptor = open(folder.file("p", "header\n1 0\n").c_str(), O_RDONLY);
  ASSERT_EQ(lseek(descriptor, 7, SEEK_SET), 7);
  EXPECT_EQ(FileInput(descriptor, "p").remaining(), 4u);
  PermutationOptions options;
  options.standard_input = descriptor;
  EXPECT_EQ(std::get<Narrow>(load_permutation("-", options).values), (Narrow{1, 0}));
  close(descriptor);
}

}  // namespace
}  // namespace bankproof::cli
