// Arguments as text, and the bytes that they give a kernel's parameters.
#include "../../../cuda/session/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../../cuda/session/parameters.hpp"
#include "../../../ptx/syntax/parser.hpp"

namespace bankproof::cuda {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Initial = BufferDescription::Initial;

BufferDescription buffer(const std::string& text) {
  return std::get<BufferDescription>(parse_argument("buffer:" + text).value);
}

std::string error(const std::string& text, bool named = false) {
  try {
    parse_argument(text, named);
  } catch (const ArgumentError& caught) {
    return caught.what();
  }
  return "none";
}

TEST(KernelArguments, are_numbers_buffers_and_bytes) {
  EXPECT_EQ(std::get<ScalarArgument>(parse_argument("i32:-5").value).bits, 0xfffffffbU);
  EXPECT_EQ(buffer("f32:8").initial, Initial::undefined);
  EXPECT_EQ(buffer("f32:8=undefined").initial, Initial::undefined);
  EXPECT_EQ(buffer("f64:8=zeros").initial, Initial::zeros);
  EXPECT_EQ(buffer("u8:8=iota").initial, Initial::iota);
  EXPECT_THAT(buffer("f32:4x5x6=iota").dimensions, ElementsAre(4, 5, 6));
  EXPECT_EQ(buffer("f32:4x5x6=iota").count(), 120U);
  EXPECT_EQ(buffer("f32:8=random:7").random.seed, 7U);
  EXPECT_EQ(buffer("f32:8=random:7:-1:2.5").random.low, -1);
  EXPECT_EQ(buffer("f32:8=random:7:-1:2.5").random.high, 2.5);
  EXPECT_EQ(buffer("f32=a.npy").file, "a.npy");
  EXPECT_EQ(buffer("f32:8=./a=b.npy").file, "./a=b.npy");
  const auto bytes = std::get<BytesArgument>(parse_argument("bytes:0aFF").value);
  EXPECT_THAT(bytes.bytes, ElementsAre(std::byte{10}, std::byte{255}));
  EXPECT_EQ(std::get<BytesArgument>(parse_argument("bytes:./struct.bin").value).file,
            "./struct.bin");
  const auto pointers =
      std::get<BytesArgument>(
          parse_argument("bytes:00@8:buffer:f32:4=iota@0:buffer:u8:3=./a@b.bin").value)
          .pointers;
  ASSERT_EQ(pointers.size(), 2U);
  EXPECT_EQ(pointers[1].offset, 8U);
  EXPECT_EQ(std::get<BufferDescription>(pointers[1].to).count(), 4U);
  const auto named =
      std::get<BytesArgument>(parse_argument("bytes:./a@8.bin@16:buffer:in+2", true).value);
  EXPECT_EQ(named.file, "./a@8.bin");
  EXPECT_EQ(std::get<BufferReference>(named.pointers.at(0).to).element, 2U);
  const auto reference = std::get<BufferReference>(parse_argument("buffer:in+12", true).value);
  EXPECT_EQ(reference.name + std::to_string(reference.element), "in12");
}

TEST(KernelArguments, that_are_wrong_say_what_there_is) {
  EXPECT_THAT(error("5"), HasSubstr("'5': an argument is TYPE:VALUE"));
  EXPECT_THAT(error("int:5"), HasSubstr("unknown type 'int'"));
  EXPECT_THAT(error("i32:five"), HasSubstr("'five' is not a number of type i32"));
  EXPECT_THAT(error("buffer:f32"), HasSubstr("how many elements?"));
  EXPECT_THAT(error("buffer:f32:0"), HasSubstr("at least one element"));
  EXPECT_THAT(error("buffer:f32:4x=iota"), HasSubstr("'', which is not a whole number"));
  EXPECT_THAT(error("buffer:f32:99999999999"), HasSubstr("at most 64 GiB"));
  EXPECT_THAT(error("buffer:f32:4294967296x4294967296"), HasSubstr("at most 64 GiB"));
  EXPECT_THAT(error("buffer:f32:4=one"), HasSubstr("unknown initial contents 'one'; "));
  EXPECT_THAT(error("buffer:f32:4=random:x"), HasSubstr("the seed is 'x'"));
  EXPECT_THAT(error("buffer:f32:4=random:1:2"), HasSubstr("expected random:SEED:LOW:HIGH"));
  EXPECT_THAT(error("buffer:f32:4=random:1:2:2"), HasSubstr("LOW has to be less than HIGH"));
  EXPECT_THAT(error("buffer:f32:4=random:1:nan:2"), HasSubstr("finite numbers, not 'nan'"));
  EXPECT_THAT(error("buffer:u8:4=random:1:0.5:2"), HasSubstr("whole numbers"));
  EXPECT_THAT(error("buffer:u8:4=random:1:0:257"), HasSubstr("are of type u8"));
  EXPECT_THAT(error("buffer:u32:4=random:1:-1:5"), HasSubstr("are of type u32"));
  EXPECT_THAT(error("buffer:i8:4=random:1:-129:5"), HasSubstr("are of type i8"));
  EXPECT_NO_THROW(parse_argument("buffer:i8:4=random:1:-128:128"));
  EXPECT_THAT(error("bytes:"), HasSubstr("expected bytes"));
  EXPECT_THAT(error("bytes:abc"), HasSubstr("odd number"));
  EXPECT_THAT(error("bytes:00@0:buffer:f99:4"), HasSubstr("f99"));
  EXPECT_THAT(error("bytes:00@0:buffer:f32:4@7:buffer:f32:4"), HasSubstr("in common"));
  EXPECT_THAT(error("bytes:@0:buffer:f32:4"), HasSubstr("expected bytes"));
  EXPECT_THAT(error("buffer:", true), HasSubstr("expected buffer:NAME"));
  EXPECT_THAT(error("buffer:a+x", true), HasSubstr("the element is 'x'"));
}

// A pointer, a char, a struct of 24 bytes aligned to 8, and a float.
std::vector<Parameter> parameters() {
  const ptx::Module module = ptx::parse(
      ".version 7.8\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p, .param .u8 c,\n"
      ".param .align 8 .b8 s[24], .param .f32 x)\n{\nret;\n}\n");
  return parameters_of(module.functions.front());
}

ArgumentBytes bytes_of(std::size_t count, const std::string& text) {
  return {std::vector<std::byte>(count, static_cast<std::byte>(count)), text};
}

TEST(KernelParameters, have_places) {
  const auto all = parameters();
  std::vector<std::uint64_t> offsets;
  offsets.reserve(all.size());
  for (const Parameter& one : all) offsets.push_back(one.offset);
  EXPECT_THAT(offsets, ElementsAre(0, 8, 16, 40));
  const auto block = parameter_block(
      "k", all, std::vector{bytes_of(8, ""), bytes_of(1, ""), bytes_of(24, ""), bytes_of(4, "")});
  ASSERT_EQ(block.size(), 44U);
  EXPECT_EQ(block[8], std::byte{1});
  EXPECT_EQ(block[9], std::byte{0});
  EXPECT_EQ(block[16], std::byte{24});
  EXPECT_EQ(block[40], std::byte{4});
}

// An f16x2 has 4 bytes, not 162 bits.
TEST(KernelParameters, have_the_sizes_of_their_types) {
  const ptx::Module module = ptx::parse(
      ".version 7.8\n.target sm_80\n.address_size 64\n.entry k(.param .u8 c, .param .f16x2 h,\n"
      ".param .v4 .f32 v, .param .bf16 b, .param .b128 w)\n{\nret;\n}\n");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  std::vector<std::string> texts;
  for (const Parameter& one : parameters_of(module.functions.front())) {
    places.emplace_back(one.offset, one.bytes);
    texts.push_back(one.text);
  }
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_THAT(places, ElementsAre(Pair{0, 1}, Pair{4, 4}, Pair{16, 16}, Pair{32, 2}, Pair{48, 16}));
  EXPECT_THAT(texts, ElementsAre(".u8", ".f16x2", ".v4 .f32", ".bf16", ".b128"));
}

TEST(KernelParameters, are_as_many_and_as_large_as_arguments) {
  const auto fail = [](const std::vector<ArgumentBytes>& arguments) {
    try {
      parameter_block("k(int)", parameters(), arguments);
    } catch (const ArgumentError& caught) {
      return std::string(caught.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(fail({bytes_of(8, "")}),
            "k(int) takes 4 arguments (.u64, .u8, .align 8 .b8[24], .f32), and is given 1");
  EXPECT_EQ(fail({bytes_of(8, ""), bytes_of(1, ""), bytes_of(24, ""), bytes_of(8, "f64:1")}),
            "argument 3 of k(int), 'f64:1', has 8 bytes; the parameter is .f32 and has 4");
}

}  // namespace

}  // namespace bankproof::cuda
