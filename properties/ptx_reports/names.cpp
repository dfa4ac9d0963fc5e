// The kernel that a user means, and the words for one that there is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../../cuda/ptx/report/function_names.hpp"
#include "../../cuda/ptx/text/parser.hpp"

namespace bankproof::ptx {

namespace {

using ::testing::HasSubstr;

Module kernels(const std::vector<std::string>& names) {
  std::string text = ".version 7.8\n.target sm_80\n.address_size 64\n";
  for (const std::string& name : names) text += ".entry " + name + "()\n{\nret;\n}\n";
  return parse(text, "k.ptx");
}

// scan<int, 256>, scan<float, 256>, a::tile, b::tile, plain, and one in C.
const std::vector<std::string> several = {"_Z4scanIiLi256EEvPT_i", "_Z4scanIfLi256EEvPT_i",
                                          "_ZN1a4tileEPf",         "_ZN1b4tileEPf",
                                          "_Z5plainPfi",           "in_c"};

std::string meant(const std::string& name) { return find_kernel(kernels(several), name).name; }

std::string error(const std::string& name, const std::vector<std::string>& names = several) {
  try {
    find_kernel(kernels(names), name);
  } catch (const KernelNameError& caught) {
    return caught.what();
  }
  return "none";
}

TEST(KernelNames, are_taken_in_every_form) {
  EXPECT_EQ(meant("scan<int,256>"), several[0]);
  EXPECT_EQ(meant("scan<float, 256>"), several[1]);
  EXPECT_EQ(meant("void scan<float, 256>(float*, int)"), several[1]);
  EXPECT_EQ(meant("_Z4scanIiLi256EEvPT_i"), several[0]);
  EXPECT_EQ(meant("a::tile"), several[2]);
  EXPECT_EQ(meant("b::tile(float*)"), several[3]);
  EXPECT_EQ(meant("plain"), several[4]);
  EXPECT_EQ(meant("in_c"), several[5]);
  EXPECT_EQ(find_kernel(kernels({"only"}), "").name, "only");
}

TEST(KernelNames, that_are_wrong_or_ambiguous_list_the_candidates) {
  EXPECT_EQ(error("scan"),
            "kernel 'scan' is ambiguous, k.ptx has: 'void scan<int, 256>(int*, int)', "
            "'void scan<float, 256>(float*, int)'");
  EXPECT_THAT(error("tile"), HasSubstr("'a::tile(float*)', 'b::tile(float*)'"));
  EXPECT_THAT(error("plian"), HasSubstr("did you mean 'plain'? There are: "));
  EXPECT_THAT(error("zzzzzz"), HasSubstr("no kernel 'zzzzzz' in k.ptx; there are: "));
  EXPECT_THAT(error(""), HasSubstr("k.ptx has several kernels, name one: "));
  EXPECT_EQ(error("f", {}), "k.ptx has no kernel");
}

TEST(KernelNames, have_a_plain_part) {
  EXPECT_EQ(plain_name("_ZN1a4tileEPf"), "tile");
  EXPECT_EQ(plain_name("_Z4scanIiLi256EEvPT_i"), "scan");
  EXPECT_EQ(plain_name("f"), "f") << "which demangled would be float";
  // std::vector<std::pair<int, int>> at<void (*)(int)>()
  EXPECT_EQ(plain_name("_ZN3BoxIPFviEE2atEv"), "at");
  EXPECT_EQ(plain_name("_ZN12_GLOBAL__N_11kEPFviE"), "k");
}

}  // namespace

}  // namespace bankproof::ptx
