// The readers of .npy and .bin files: they read back what was written, in both widths and from
// pieces of any size; they refuse hostile and unsuitable files with one clear line.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../readers/binary.hpp"
#include "../readers/npy.hpp"
#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

using Wide = std::vector<std::uint64_t>;

std::string data(const Wide& values, std::size_t bytes) {
  std::string text;
  for (const std::uint64_t value : values) text += little_endian(value, bytes);
  return text;
}

/// A header with magic, version and length, padded as numpy pads it.
std::string npy(std::string header, int major = 1) {
  const std::size_t length_size = major == 1 ? 2 : 4;
  while ((8 + length_size + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return "\x93NUMPY" + std::string{static_cast<char>(major), '\0'} +
         little_endian(header.size(), length_size) + header;
}

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

InputValues read_npy(const std::string& bytes, bool size_known = true,
                     std::size_t most_at_once = std::string::npos, bool force_64_bit = false) {
  MemoryInput input(bytes, "f.npy", size_known, most_at_once);
  return cli::read_npy(input, force_64_bit);
}

InputValues read_bin(const std::string& bytes, bool size_known = true,
                     std::size_t most_at_once = std::string::npos, bool force_64_bit = false) {
  MemoryInput input(bytes, "f.bin", size_known, most_at_once);
  return read_binary(input, force_64_bit);
}

RC_GTEST_PROP(NpyReader, reads_back_what_was_written, ()) {
  const std::string descr =
      *rc::gen::elementOf(std::vector<std::string>{"<i4", "<u4", "<i8", "<u8"});
  const std::size_t bytes = descr[2] == '4' ? 4 : 8;
  const int bits = static_cast<int>(8 * bytes) - (descr[1] == 'i' ? 1 : 0);
  auto values = *rc::gen::nonEmpty<Wide>();
  const int shift = 64 - *rc::gen::inRange(1, bits + 1);
  for (auto& value : values) value >>= shift;
  const auto major = *rc::gen::inRange(1, 4);
  const std::string file =
      npy(header(descr, "(" + std::to_string(values.size()) + ",)"), major) + data(values, bytes);
  const bool size_known = *rc::gen::arbitrary<bool>();
  const auto most_at_once = *rc::gen::inRange<std::size_t>(1, 200);
  const InputValues got = read_npy(file, size_known, most_at_once);
  RC_ASSERT(widened(got.values) == values);
  const bool wide = std::holds_alternative<Wide>(got.values);
  RC_ASSERT(wide == (*std::max_element(values.begin(), values.end()) >> 32 != 0));
  RC_ASSERT(got.element_bytes == bytes);
  RC_ASSERT(file.substr(got.first_offset) == data(values, bytes));
  const InputValues forced = read_npy(file, size_known, most_at_once, true);
  RC_ASSERT(std::get<Wide>(forced.values) == values);
}

TEST(NpyReader, widens_where_a_late_piece_needs_it) {
  Wide values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
  values[99999] = std::uint64_t{1} << 40;
  EXPECT_EQ(widened(read_npy(npy(header("<u8", "(100000,)")) + data(values, 8)).values), values);
}

TEST(NpyHeader, takes_keys_in_any_order_and_either_quote) {
  for (const std::string text :
       {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }  \n",
        R"({"shape":(3,),"fortran_order":False,"descr":"<i4"})",
        "{ 'fortran_order' : False , 'shape' : ( 3 , ) , 'descr' : '<i4' }"}) {
    const NpyHeader parsed = parse_npy_header(text);
    EXPECT_EQ(parsed.descr, "<i4");
    EXPECT_FALSE(parsed.fortran_order);
    EXPECT_EQ(parsed.shape, (Wide{3}));
  }
  const NpyHeader other = parse_npy_header(
      "{'descr': [('a]', '<i4'), ('b', '<f4', (2,))], 'fortran_order': True, 'shape': (3, 4)}");
  EXPECT_EQ(other.descr, "[('a]', '<i4'), ('b', '<f4', (2,))]");
  EXPECT_TRUE(other.fortran_order);
  EXPECT_EQ(other.shape, (Wide{3, 4}));
  EXPECT_EQ(parse_npy_header("{'descr':'','fortran_order':False,'shape':()}").shape, Wide{});
}

TEST(NpyReader, refuses_unsuitable_files_with_one_clear_line) {
  const std::string good = header("<i4", "(3,)");
  const std::string magic = "\x93NUMPY";
  const auto array = [](const std::string& descr, const std::string& shape,
                        const std::string& order = "False") {
    return npy(header(descr, shape, order)) + std::string(96, '\0');
  };
  const std::vector<Refusal> table = {
      {"", "is empty: there is no .npy header in it"},
      {"0 1 2\n", "is not an .npy file: it begins with '0 1 2\\x0a'; save it with numpy.save"},
      {magic, "is truncated: it ends inside its .npy header"},
      {magic + std::string("\x01\x00\x00", 3), "is truncated: it ends inside its .npy header"},
      {magic + "\x09", "is truncated: it ends inside its .npy header"},
      {npy(good).substr(0, 9), "is truncated: it ends inside its .npy header"},
      {npy(good).substr(0, 60), "is truncated: it ends inside its .npy header"},
      {magic + std::string("\x04\x00\x01\x00", 4),
       "has .npy format version 4.0; versions 1.0, 2.0 and 3.0 can be read"},
      {magic + std::string("\x01\x01\x01\x00", 4),
       "has .npy format version 1.1; versions 1.0, 2.0 and 3.0 can be read"},
      {magic + std::string("\x02\x00\xff\xff\xff\xff", 6),
       "claims an .npy header of 4294967295 bytes; the header of an array of integers has about a "
       "hundred"},
      {array(">i4", "(24,)"), "has dtype '>i4', which is big-endian; save p.astype('<i4')"},
      {array("<i2", "(24,)"),
       "has dtype '<i2'; 32- or 64-bit integers can be read: save p.astype('<i8')"},
      {array("|u1", "(24,)"),
       "has dtype '|u1'; 32- or 64-bit integers can be read: save p.astype('<i8')"},
      {array("|b1", "(24,)"),
       "has dtype '|b1'; 32- or 64-bit integers can be read: save p.astype('<i8')"},
      {array("<i", "(24,)"),
       "has dtype '<i'; 32- or 64-bit integers can be read: save p.astype('<i8')"},
      {array("<", "(24,)"),
       "has dtype '<', which is not an integer; 32- or 64-bit integers can be read, like '<i8'"},
      {array("<f8", "(24,)"),
       "has dtype '<f8', which is not an integer; if its values are whole, save p.astype('<i8')"},
      {array("<c16", "(24,)"),
       "has dtype '<c16', which is not an integer; 32- or 64-bit integers can be read, like '<i8'"},
      {array("", "(24,)"),
       "has dtype '', which is not an integer; 32- or 64-bit integers can be read, like '<i8'"},
      {npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,)}"),
       "has dtype '[('a', '<i4')]', which is not an integer; 32- or 64-bit integers can be read, "
       "like "
       "'<i8'"},
      {array("<i4", "()"), "has shape '()'; a permutation has one dimension: save p.ravel()"},
      {array("<i4", "(4, 6)"),
       "has shape '(4, 6)'; a permutation has one dimension: save p.ravel()"},
      {array("<i4", "(24,)", "True"),
       "is in Fortran order, which numpy never writes for one dimension; save "
       "numpy.ascontiguousarray(p)"},
      {array("<i4", "(0,)"), "is empty: its shape is (0,)"},
      {array("<i8", "(18446744073709551615,)"),
       "claims 18446744073709551615 elements, more than any file can hold"},
      {array("<i8", "(2305843009213693951,)"),
       "is truncated: its header promises 2305843009213693951 elements of 8 bytes, but only 96 "
       "bytes follow"},
      {array("<i4", "(25,)"),
       "is truncated: its header promises 25 elements of 4 bytes, but only 96 bytes follow"},
      {npy(good) + "a",
       "is truncated: its header promises 3 elements of 4 bytes, but only 1 byte follow"},
      {array("<i4", "(23,)"), "does not end after the 23 elements that its header promises"},
      {npy(header("<i4", "(1,)")) + data({5}, 4) + "x",
       "does not end after the 1 element that its header promises"},
      {npy(header("<i4", "(2,)")) + data({1, 0xfffffffd}, 4),
       "element 1 (byte 132) is -3; a permutation's elements count from 0"},
      {npy(header("<i8", "(2,)")) + data({~std::uint64_t{0}, 0}, 8),
       "element 0 (byte 128) is -1; a permutation's elements count from 0"},
      {npy(header("<i4", "(18446744073709551616,)")),
       "its .npy header has a shape that does not fit 64 bits"},
      {npy(header("<i4", "(-1,)")),
       "its .npy header has '-1,), }' at byte 51 where a size belongs"},
      {npy(header("<i4", "(3)")), "its .npy header has '), }' at byte 52 where ',' belongs"},
      {npy(header("<i4", "[3,]")), "its .npy header has '[3,], }' at byte 50 where '(' belongs"},
      {npy(header("<i4", "(3,)", "false")),
       "its .npy header has 'false, 'shape': …' at byte 34 where True or False belongs"},
      {npy("{'descr': '<i4', 'fortran_order': False}"), "its .npy header has no 'shape'"},
      {npy("{'descr': '<i4', 'shape': (3,)}"), "its .npy header has no 'fortran_order'"},
      {npy("{'fortran_order': False, 'shape': (3,)}"), "its .npy header has no 'descr'"},
      {npy("{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (3,)}"),
       "its .npy header has two values for 'descr'"},
      {npy("{'colour': 'red'}"), "its .npy header has an unknown key 'colour'"},
      {npy(good + "{}"), "its .npy header goes on after its dictionary"},
      {npy(""), "its .npy header has its end at byte 0 where '{' belongs"},
      {npy("{'descr: '"), "its .npy header has its end at byte 10 where ':' belongs"},
      {npy("{'descr': '<i4\\''}"),
       "its .npy header has ''<i4\\''}' at byte 10 where a string without escapes "
       "belongs"},
      {npy("{'descr': ['"), "its .npy header has ''' at byte 11 where a whole string belongs"},
      {npy("{'descr': '<i4' 'shape': (3,)}"),
       "its .npy header has ''shape': (3,)}' at byte 16 where '}' belongs"},
  };
  for (const auto& refusal : table) {
    EXPECT_EQ(message_of<InputError>([&] { read_npy(refusal.input); }),
              "f.npy: " + refusal.message);
    // From a pipe, whose size is unknown in advance, the verdict is the same.
    EXPECT_EQ(message_of<InputError>([&] { read_npy(refusal.input, false, 5); }),
              "f.npy: " + refusal.message);
  }
}

TEST(NpyLanes, are_as_many_as_a_file_can_hold) {
  const auto message = [](const std::string& shape) {
    const std::string file = npy(header("<i4", shape)) + std::string(96, '\0');
    return message_of<InputError>([&] {
      MemoryInput input(file, "f.npy");
      read_npy_lanes(input, 2);
    });
  };
  const std::string wrong_size = "f.npy: is truncated, or longer than its header promises: ";
  EXPECT_EQ(message("(36028797018963968,)"), wrong_size + "36028797018963968 elements of 4 bytes");
  EXPECT_EQ(message("(2, 18014398509481984)"),
            wrong_size + "36028797018963968 elements of 4 bytes");
  for (const std::string shape : {"(36028797018963969,)", "(2, 18014398509481985)"}) {
    EXPECT_EQ(message(shape), "f.npy: claims more elements than any file can hold");
  }
}

RC_GTEST_PROP(NpyReader, survives_any_damage, ()) {
  std::string file = npy(header("<i8", "(4,)")) + data({3, 1, 0, 2}, 8);
  const auto hits = *rc::gen::inRange(1, 4);
  for (int k = 0; k < hits; ++k) {
    file[*rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, file.size()),
                         rc::gen::inRange<std::size_t>(file.size() - 32, file.size()))] =
        *rc::gen::arbitrary<char>();
  }
  if (*rc::gen::arbitrary<bool>()) file.resize(*rc::gen::inRange<std::size_t>(0, file.size()));
  try {
    RC_ASSERT(widened(read_npy(file).values).size() == 4u);
    RC_TAG("accepted");
  } catch (const InputError& error) {
    RC_TAG("refused");
    RC_ASSERT(std::string(error.what()).find('\n') == std::string::npos);
  }
}

RC_GTEST_PROP(BinaryReader, reads_back_what_was_written, ()) {
  const auto values = *rc::gen::nonEmpty<std::vector<std::uint32_t>>();
  const Wide wide(values.begin(), values.end());
  const bool size_known = *rc::gen::arbitrary<bool>();
  const auto most_at_once = *rc::gen::inRange<std::size_t>(1, 20);
  const InputValues got = read_bin(data(wide, 4), size_known, most_at_once);
  RC_ASSERT(std::get<std::vector<std::uint32_t>>(got.values) == values);
  RC_ASSERT(got.first_offset == 0u);
  RC_ASSERT(got.element_bytes == 4u);
  RC_ASSERT(std::get<Wide>(read_bin(data(wide, 4), size_known, most_at_once, true).values) == wide);
}

TEST(BinaryReader, reads_more_than_one_piece) {
  Wide values(200001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
  EXPECT_EQ(widened(read_bin(data(values, 4)).values), values);
  EXPECT_EQ(widened(read_bin(data(values, 4), false, 4097).values), values);
}

TEST(BinaryReader, refuses_empty_files_and_odd_sizes) {
  const std::vector<Refusal> table = {
      {"", "f.bin: is empty: there is no element in it"},
      {"abc",
       "f.bin: has 3 bytes, which is not a multiple of 4, so it is not a file of little-endian "
       "32-bit integers"},
      {std::string(200001, 'x'),
       "f.bin: has 200001 bytes, which is not a multiple of 4, so it is not a file of "
       "little-endian 32-bit integers"},
  };
  for (const auto& refusal : table) {
    EXPECT_EQ(message_of<InputError>([&] { read_bin(refusal.input); }), refusal.message);
    EXPECT_EQ(message_of<InputError>([&] { read_bin(refusal.input, false, 1000); }),
              refusal.message);
  }
}

}  // namespace
}  // namespace bankproof::cli
