// Names of parameters, sizes of elements, and formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../../proofs/formulas/parser.hpp"
#include "../../../symbolic/premises/formula.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"
#include "../proving/kernels.hpp"

namespace bankproof::symbolic {
namespace {

TEST(Signatures, have_the_names_of_the_source_and_the_types_of_the_mangled_name) {
  const auto named = signature_of("_Z4scanIiEvPKT_PdjPf", 4, R"(
// __global__ void scan(wrong)
template <class T>
__global__ void __launch_bounds__(256) scan(const T* __restrict__ in, double out[], /* c */ unsigned n,
                     float* const sums = nullptr) {}
void f() { scan<<<1, 1>>>(a, b, c, d); }
)");
  ASSERT_EQ(named.size(), 4U);
  EXPECT_EQ(named[0].name, "in");
  EXPECT_EQ(named[0].element_bytes, 4U);
  EXPECT_EQ(named[1].name, "out");
  EXPECT_EQ(named[1].element_bytes, 8U);
  EXPECT_EQ(named[2].name, "n");
  EXPECT_FALSE(named[2].is_pointer);
  EXPECT_FALSE(named[2].is_signed);
  EXPECT_EQ(named[3].name, "sums");
  EXPECT_TRUE(named[3].is_pointer);
}

TEST(Signatures, of_names_that_are_not_mangled_are_those_of_the_source) {
  const auto named = signature_of(
      "f", 3, R"(extern "C" __global__ void f(float4* out, long long n, size_t m) {})");
  EXPECT_EQ(named[0].element_bytes, 16U);
  EXPECT_TRUE(named[1].is_signed);
  EXPECT_FALSE(named[2].is_signed);
}

// A proof about one kernel is none about the other.
TEST(Signatures, of_which_the_source_declares_several_are_numbered) {
  for (const char* const source :
       {"namespace a { __global__ void k(float* out, int n, int m) {} }\n"
        "namespace b { __global__ void k(float* out, int m, int n) {} }",
        "#if 0\n__global__ void k(float* out, int n, int m) {}\n#else\n"
        "__global__ void k(float* out, int m, int n) {}\n#endif",
        "template <class T> __global__ void k(T* out, int n, int m) {}\n"
        "template <> __global__ void k<float>(float* out, int m, int n) {}"}) {
    EXPECT_TRUE(has_several_declarations("_Z1kPfii", 3, source)) << source;
    const auto named = signature_of("_Z1kPfii", 3, source);
    EXPECT_EQ(named[1].name, "arg1") << source;
    EXPECT_FALSE(named[1].is_pointer);
    EXPECT_TRUE(named[0].is_pointer);
    const std::vector<cuda::ParameterType> types = {{"out", 8, {}}, {"m", 4, {}}, {"n", 4, {}}};
    EXPECT_EQ(signature_of("_Z1kPfii", 3, source, types)[1].name, "m") << source;
  }
  const char* const one =
      "__global__ void k(float* out, int n, int m);\nvoid k(int, int, int);\n"
      "__global__ void k(float* out, int n, int m) {}";
  EXPECT_FALSE(has_several_declarations("_Z1kPfii", 3, one));
  EXPECT_EQ(signature_of("_Z1kPfii", 3, one)[1].name, "n");
}

TEST(Signatures, of_types_with_other_names_have_no_known_sign) {
  const auto named =
      signature_of("k", 3, R"(extern "C" __global__ void k(index_t n, unsigned m, U* out) {})");
  EXPECT_FALSE(named[0].has_known_sign);
  EXPECT_TRUE(named[1].has_known_sign);
  EXPECT_TRUE(named[2].is_pointer);
  EXPECT_FALSE(signature_of("_Z1k1EDs", 2, "")[0].has_known_sign);  // an enumeration, a char16_t
  EXPECT_FALSE(signature_of("_Z1k1EDs", 2, "")[1].has_known_sign);
}

TEST(Signatures, without_a_source_are_numbered) {
  const auto named = signature_of("f", 2, "");
  EXPECT_EQ(named[0].name, "arg0");
  EXPECT_EQ(named[1].name, "arg1");
}

TEST(BufferSizes, may_begin_with_a_type) {
  EXPECT_EQ(buffer_size("f64:n").element_bytes, 8U);
  EXPECT_EQ(buffer_size("12:n * n").element_bytes, 12U);
  EXPECT_EQ(buffer_size("12:n * n").count, "n * n");
  EXPECT_EQ(buffer_size("n > 5 ? n : 5").element_bytes, std::nullopt);
  EXPECT_EQ(buffer_size("n > 5 ? n : 5").count, "n > 5 ? n : 5");
}

/// The value of a formula for these n and gridDim.x.
std::int64_t value_of(const std::string& formula, std::uint32_t n, std::uint32_t grid) {
  const Request request = request_for(strided_copy);
  Pool pool;
  Execution execution(pool, request.file->module, *request.kernel);
  Subject subject{pool, execution};
  Formulas formulas(subject, values_of(*request.kernel, signature_of("copy", 3, "")));
  Values values(pool, [&](Term unknown) -> std::uint64_t {
    return pool.name(unknown) == "nctaid.x" ? grid : n;
  });
  return static_cast<std::int64_t>(values(formulas.value(formula)));
}

BANKPROOF_PROPERTY(FormulasOfLaunches, are_computed_with_64_bits_and_a_sign,
                   (std::int32_t n, std::uint32_t grid)) {
  const auto bits = static_cast<std::uint32_t>(n);
  const std::int64_t g = grid;
  const std::int64_t divisor = g == 0 ? 1 : g;
  RC_ASSERT(value_of("arg2 * gridDim.x + 1", bits, grid) == n * g + 1);
  RC_ASSERT(value_of("-arg2 - gridDim.x", bits, grid) == -static_cast<std::int64_t>(n) - g);
  RC_ASSERT(value_of("arg2 <= gridDim.x && arg2 != 7", bits, grid) == (n <= g && n != 7 ? 1 : 0));
  RC_ASSERT(value_of("arg2 / gridDim.x", bits, static_cast<std::uint32_t>(divisor)) == n / divisor);
  RC_ASSERT(value_of("arg2 % gridDim.x", bits, static_cast<std::uint32_t>(divisor)) == n % divisor);
  RC_ASSERT(value_of("arg2 > gridDim.x ? arg2 >> 2 : gridDim.x << 3", bits, grid) ==
            (n > g ? n >> 2 : g * 8));
}

TEST(FormulasOfLaunches, name_what_they_do_not_know) {
  EXPECT_THROW(value_of("m + 1", 0, 0), formulas::ParseError);
  EXPECT_THROW(value_of("threadIdx.x", 0, 0), formulas::ParseError);
}

TEST(FormulasOfLaunches, divide_by_none) {
  EXPECT_THROW(value_of("arg2 % 0", 5, 1), std::domain_error);
  EXPECT_THROW(value_of("arg2 / (3 - 3)", 5, 1), std::domain_error);
  Request request = request_for(reversal);
  request.claims = {Claim::barriers};
  request.where.emplace_back("gridDim.x % gridDim.y == 0");
  const KernelProof proof = prove(request);
  EXPECT_THAT(proof.assumptions,
              ::testing::Contains("nothing is divided by 0 in 'gridDim.x % gridDim.y == 0'"));
}

}  // namespace
}  // namespace bankproof::symbolic
