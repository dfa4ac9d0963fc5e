// The kernel that a user's name means, and the message if there is no such kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../../../ptx/report/function_names.hpp"
#include "../../../ptx/syntax/parser.hpp"

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

std::string meant(const std::string& name) {
  try {
    return find_kernel(kernels(several), name).name;
  } catch (const KernelNameError& caught) {
    return std::string(caught.what()).find("ambiguous") != std::string::npos ? "ambiguous" : "none";
  }
}

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

// n::f<int, 256u, true>, n::f<int, 512u, true>, g<7ul>: users do not write the u.
TEST(KernelNames, need_no_suffixes_of_numbers) {
  const Module module = kernels(
      {"_ZN1n1fIiLj256ELb1EEEvPT_", "_ZN1n1fIiLj512ELb1EEEvPT_", "_Z1gILm7EEvv", "_Z2x1IiEvv"});
  for (const char* const name :
       {"n::f<int, 512, true>", "f<int,512,true>", "n::f<int,512u,true>"}) {
    EXPECT_EQ(find_kernel(module, name).name, module.functions[1].name) << name;
  }
  EXPECT_EQ(find_kernel(module, "g<7>").name, module.functions[2].name);
  EXPECT_EQ(find_kernel(module, "x1<int>").name, module.functions[3].name);
  EXPECT_THROW(find_kernel(module, "f<int, 128, true>"), KernelNameError);
}

// clang's names for (anonymous namespace)::k(int*) and a static s(int*), in PTX that nvcc made.
TEST(KernelNames, are_taken_as_another_compiler_mangles_them) {
  const Module module = kernels({"_ZN32_GLOBAL__N__10d27dad_4_u_cu_main1kEPi",
                                 "_ZN32_GLOBAL__N__10d27dad_4_u_cu_main1kEPf", "_Z1sPi"});
  EXPECT_EQ(find_kernel(module, "_ZN12_GLOBAL__N_11kEPi").name, module.functions[0].name);
  EXPECT_EQ(find_kernel(module, "_ZN12_GLOBAL__N_11kEPf").name, module.functions[1].name);
  EXPECT_EQ(find_kernel(module, "_ZL1sPi").name, "_Z1sPi");
  EXPECT_THROW(find_kernel(module, "_ZN12_GLOBAL__N_11kEPc"), KernelNameError);
}

TEST(KernelNames, may_leave_parts_out) {
  EXPECT_EQ(meant("scan<...int...>"), several[0]);
  EXPECT_EQ(meant("scan<f...>"), several[1]);
  EXPECT_EQ(meant("...::tile(...)"), "ambiguous");
  EXPECT_EQ(meant("b...tile"), several[3]);
  EXPECT_EQ(meant("pl...ai...n"), several[4]);
  EXPECT_EQ(meant("in_c..."), several[5]);
  EXPECT_EQ(meant("plain...in"), "none") << "a part counts once";
  EXPECT_EQ(meant("lain..."), "none");
  EXPECT_EQ(meant("in_c...x"), "none");
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

TEST(VariableNames, are_taken_in_every_form) {
  const Module module = parse(
      ".version 7.8\n.target sm_80\n.address_size 64\n"
      ".visible .global .align 4 .u32 _ZN2ns5tableE[4];\n"
      ".visible .const .align 4 .u32 factor;\n"
      // Two names as compilers write them: of a static variable that the host also names, and of
      // the variable in namespace ns { namespace { int hidden; } }.
      ".visible .global .u32 _ZL5count__static__0f3a;\n"
      ".global .u32 _ZN31_INTERNAL_7d19a516_4_a_cu_pair_2ns33_GLOBAL__N__7d19a516_4_a_cu_pair_"
      "6hiddenE;\n"
      ".extern .global .u32 elsewhere;\n.shared .u32 tile;\n"
      ".global .b8 $str[1] = {0};\n.global .b8 __unnamed_1[1] = {0};\n",
      "k.ptx");
  const auto meant = [&](const std::string& name) {
    try {
      return find_variable(module, name, "k.cu").name;
    } catch (const KernelNameError& caught) {
      return std::string(caught.what());
    }
  };
  EXPECT_EQ(meant("ns::table"), "_ZN2ns5tableE");
  EXPECT_EQ(meant("table"), "_ZN2ns5tableE");
  EXPECT_EQ(meant("factor"), "factor");
  EXPECT_EQ(meant("count"), "_ZL5count__static__0f3a");
  EXPECT_THAT(meant("ns::hidden"), HasSubstr("6hiddenE"));
  EXPECT_THAT(meant("hidden"), HasSubstr("6hiddenE"));
  const std::string rest =
      " in k.cu; there are: 'ns::table', 'factor', 'count', 'ns::(anonymous namespace)::hidden'";
  for (const std::string name : {"elsewhere", "tile_of", "$str", "__unnamed_1", ""}) {
    EXPECT_EQ(meant(name), "no variable '" + name + "'" + rest);
  }
  EXPECT_THAT([] { find_variable(kernels({"f"}), "x"); },
              ::testing::ThrowsMessage<KernelNameError>(HasSubstr("k.ptx has no variable 'x'")));
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
