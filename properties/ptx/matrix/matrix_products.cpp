// mma against plain matrix products, for each row of its table.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../../../ptx/matrix/forms.hpp"
#include "../kernel_run.hpp"
#include "fragment_oracle.hpp"

namespace bankproof::ptx {
namespace {

using Bits = std::uint64_t;

// The parts of an opcode between its dots.
struct Spelled {
  explicit Spelled(const std::string& opcode) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at != std::string::npos;) {
      const std::size_t dot = opcode.find('.', at);
      parts.push_back(opcode.substr(at, dot - at));
      at = dot == std::string::npos ? dot : dot + 1;
    }
    saturates = parts.at(6) == "satfinite";
    const std::size_t types = saturates ? 7 : 6;
    sum = parts.at(types);
    a = parts.at(types + 1);
    b = parts.at(types + 2);
    const std::string& shape = parts.at(3);
    m = static_cast<std::uint32_t>(std::stoul(shape.substr(1)));
    k = static_cast<std::uint32_t>(std::stoul(shape.substr(shape.find('k') + 1)));
  }
  std::uint32_t m = 0;
  std::uint32_t k = 0;
  std::string a, b, sum;
  bool saturates = false;
};

// The bits of elements, row by row.
struct Matrices {
  std::vector<Bits> a, b, c;
};

// The opcodes of mma; matrix_tiles.cpp tests those of wmma, whose fragments have no documented
// layout.
std::vector<std::string> opcodes() {
  std::vector<std::string> found;
  for (const MultiplyForm& form : multiply_forms()) {
    if (form.opcode.rfind("mma.", 0) == 0) found.push_back(form.opcode);
  }
  return found;
}

constexpr std::uint32_t n = 8;

// The registers of all lanes, indexed by register and lane. A lane's elements fill its first
// register, then its second, and so on.
class Registers {
 public:
  Registers(std::string type, std::size_t elements)
      : type_(std::move(type)),
        width_(fragment_oracle::element_width(type_)),
        bits_(type_ == "f64" ? 64 : 32),
        each_(elements / 32),
        words_(each_ * width_ / bits_ * 32) {}

  std::size_t count() const { return words_.size() / 32; }
  std::size_t each() const { return each_; }  // elements of a lane
  const std::string& type() const { return type_; }
  std::vector<Bits>& words() { return words_; }

  void set(std::size_t lane, std::size_t i, Bits element) {
    words_[i * width_ / bits_ * 32 + lane] |= element << (i * width_ % bits_);
  }
  Bits get(std::size_t lane, std::size_t i) const {
    return words_[i * width_ / bits_ * 32 + lane] >> (i * width_ % bits_);
  }

 private:
  std::string type_;
  std::size_t width_, bits_, each_;
  std::vector<Bits> words_;
};

// A kernel that loads the registers of all lanes from the first buffer, multiplies, and stores to
// the second.
std::string kernel_text(const std::string& opcode,
                        const std::array<const Registers*, 4>& fragments) {
  std::string text =
      ".version 8.3\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .b32 %x<40>;\n.reg .f32 %f<40>;\n"
      ".reg .f64 %fd<40>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n";
  std::string operands;
  std::string stores;
  std::size_t place = 0;
  std::size_t number = 0;
  for (const Registers* const fragment : fragments) {
    const bool is_result = fragment == fragments.front();
    const bool wide = fragment->type() == "f64";
    const std::string name = wide ? "%fd" : fragment->type() == "f32" ? "%f" : "%x";
    const std::string type = wide ? "f64" : fragment->type() == "f32" ? "f32" : "b32";
    operands += is_result ? " {" : ", {";
    for (std::size_t r = 0; r < fragment->count(); ++r, ++number) {
      const std::string one = name + std::to_string(number);
      operands += (r == 0 ? "" : ", ") + one;
      if (is_result) {
        stores += "st.global." + type + " [%rd2+" + std::to_string(r * 256) + "], " + one + ";\n";
      } else {
        text +=
            "ld.global." + type + " " + one + ", [%rd1+" + std::to_string(place++ * 256) + "];\n";
      }
    }
    operands += "}";
  }
  return text + opcode + operands + ";\n" + stores + "ret;\n}\n";
}

/// The elements of d, row by row.
std::vector<Bits> multiplied(const std::string& opcode, const Matrices& matrices) {
  const Spelled spelled(opcode);
  namespace oracle = fragment_oracle;
  const std::uint32_t m = spelled.m;
  const std::uint32_t k = spelled.k;
  Registers a(spelled.a, std::size_t{m} * k);
  Registers b(spelled.b, std::size_t{k} * n);
  Registers c(spelled.sum, std::size_t{m} * n);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t i = 0; i < a.each(); ++i) {
      const auto at = oracle::place_of_a(oracle::element_width(spelled.a), m, k, lane, i);
      a.set(lane, i, matrices.a.at(at.row * k + at.column));
    }
    for (std::uint32_t i = 0; i < b.each(); ++i) {
      const auto at = oracle::place_of_b(oracle::element_width(spelled.b), k, lane, i);
      b.set(lane, i, matrices.b.at(at.row * n + at.column));
    }
    for (std::uint32_t i = 0; i < c.each(); ++i) {
      const auto at = oracle::place_of_c(lane, i);
      c.set(lane, i, matrices.c.at(at.row * n + at.column));
    }
  }
  Registers d(spelled.sum, std::size_t{m} * n);
  KernelRun run(kernel_text(opcode, {&d, &a, &b, &c}), "k");
  std::vector<Bits> in;
  for (Registers* const fragment : {&a, &b, &c}) {
    in.insert(in.end(), fragment->words().begin(), fragment->words().end());
  }
  run.buffer(in);
  const std::uint32_t out = run.buffer(d.words());
  run.launch({1, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(run.faults().empty()) << opcode;
  d.words() = run.data<Bits>(out);
  const Bits mask = ~Bits{0} >> (64 - oracle::element_width(spelled.sum));
  std::vector<Bits> result(std::size_t{m} * n);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t i = 0; i < d.each(); ++i) {
      const auto at = oracle::place_of_c(lane, i);
      result.at(at.row * n + at.column) = d.get(lane, i) & mask;
    }
  }
  return result;
}

// Fills each matrix with the values of fill(type).
template <class Fill>
Matrices filled(const Spelled& spelled, const Fill& fill) {
  Matrices result;
  result.a.resize(std::size_t{spelled.m} * spelled.k);
  result.b.resize(std::size_t{spelled.k} * n);
  result.c.resize(std::size_t{spelled.m} * n);
  for (Bits& bits : result.a) bits = fill(spelled.a);
  for (Bits& bits : result.b) bits = fill(spelled.b);
  for (Bits& bits : result.c) bits = fill(spelled.sum);
  return result;
}

struct Expected {
  long double sum = 0;
  long double magnitudes = 0;  // the sum of the addends without their signs
};

Expected expected(const Spelled& spelled, const Matrices& matrices, std::size_t row,
                  std::size_t column) {
  using fragment_oracle::element_value;
  Expected result;
  const auto add = [&](long double term) {
    result.sum += term;
    result.magnitudes += std::fabs(term);
  };
  add(element_value(spelled.sum, matrices.c[row * n + column]));
  for (std::size_t k = 0; k < spelled.k; ++k) {
    add(static_cast<long double>(element_value(spelled.a, matrices.a[row * spelled.k + k])) *
        element_value(spelled.b, matrices.b[k * n + column]));
  }
  return result;
}

TEST(MatrixProducts, of_small_integers_are_exact) {
  EXPECT_EQ(opcodes().size(), 60U);
  std::mt19937 random(1);
  for (const std::string& opcode : opcodes()) {
    const Spelled spelled(opcode);
    // At most 11 bits, so that sums are exact in f16, too.
    std::uniform_int_distribution<int> numbers(-5, 5);
    const Matrices matrices = filled(spelled, [&](const std::string& type) {
      const int number = numbers(random);
      return fragment_oracle::element_bits(type, type[0] == 'u' ? std::abs(number) : number);
    });
    const std::vector<Bits> d = multiplied(opcode, matrices);
    for (std::size_t at = 0; at < d.size(); ++at) {
      const double value = fragment_oracle::element_value(spelled.sum, d[at]);
      ASSERT_EQ(value, expected(spelled, matrices, at / n, at % n).sum)
          << opcode << " at " << at / n << ", " << at % n;
    }
  }
}

TEST(MatrixProducts, of_numbers_are_the_sum_in_double_precision_rounded_once) {
  std::mt19937_64 random(2);
  for (const std::string& opcode : opcodes()) {
    const Spelled spelled(opcode);
    if (spelled.sum == "s32") continue;
    // Numbers around 1 of either sign, with all digits; some are zero or subnormal.
    std::uniform_real_distribution<double> numbers(-4, 4);
    const Matrices matrices = filled(spelled, [&](const std::string& type) -> Bits {
      const Bits bits = random();
      if (type == "f64") return std::bit_cast<Bits>(numbers(random));
      const bool tiny = bits % 16 == 0;
      if (type == "f16") return (bits & 0x83FFU) | (tiny ? 0 : (12 + bits / 65536 % 6) << 10U);
      if (type == "bf16") return (bits & 0x807FU) | (tiny ? 0 : (124 + bits / 65536 % 6) << 7U);
      const Bits fraction = bits & 0x807FFFFFU;
      return fraction | (tiny ? 0 : (124 + (bits >> 32U) % 6) << 23U);
    });
    const std::vector<Bits> d = multiplied(opcode, matrices);
    const int digits = spelled.sum == "f16" ? 11 : spelled.sum == "f32" ? 24 : 53;
    for (std::size_t at = 0; at < d.size(); ++at) {
      const double value = fragment_oracle::element_value(spelled.sum, d[at]);
      const Expected exact = expected(spelled, matrices, at / n, at % n);
      const long double bound = std::ldexp(std::fabs(exact.sum), -digits) +
                                std::ldexp(exact.magnitudes * (spelled.k + 1), -53);
      ASSERT_LE(std::fabs(value - exact.sum), bound)
          << opcode << " at " << at / n << ", " << at % n;
    }
  }
}

TEST(MatrixProducts, of_integers_wrap_or_are_saturated) {
  for (const std::string& opcode : opcodes()) {
    const Spelled spelled(opcode);
    if (spelled.sum != "s32") continue;
    for (const std::int64_t start : {std::int64_t{std::numeric_limits<std::int32_t>::max()} - 3,
                                     std::int64_t{std::numeric_limits<std::int32_t>::min()} + 3}) {
      // All elements of a are 7. Elements of b are 7 in even columns; in odd columns they are −8,
      // or 0 for unsigned types.
      std::size_t filled_b = 0;
      const Matrices matrices = filled(spelled, [&](const std::string& type) -> Bits {
        if (type == "s32") return static_cast<std::uint32_t>(start);
        const bool in_b = filled_b++ >= std::size_t{spelled.m} * spelled.k;
        if (!in_b || filled_b % 2 == 1) return 7;
        return type[0] == 's' ? fragment_oracle::element_bits(type, -8) : 0;
      });
      const std::vector<Bits> d = multiplied(opcode, matrices);
      for (std::size_t at = 0; at < d.size(); ++at) {
        const auto exact =
            static_cast<std::int64_t>(expected(spelled, matrices, at / n, at % n).sum);
        std::int64_t wanted = static_cast<std::int32_t>(static_cast<std::uint32_t>(exact));
        using Limits = std::numeric_limits<std::int32_t>;
        if (spelled.saturates) {
          wanted =
              std::min<std::int64_t>(std::max<std::int64_t>(exact, Limits::min()), Limits::max());
        }
        ASSERT_EQ(static_cast<std::int32_t>(static_cast<std::uint32_t>(d[at])), wanted)
            << opcode << " at " << at / n << ", " << at % n;
      }
    }
  }
}

TEST(MatrixProducts, keep_infinities_and_give_the_canonical_nan) {
  const std::string opcode = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
  Matrices matrices = filled(Spelled(opcode), [](const std::string& type) {
    return fragment_oracle::element_bits(type, 1);
  });
  matrices.a[0] = 0x7C00;                       // infinity, in row 0
  matrices.a[8] = 0xFE01;                       // NaN, in row 1
  matrices.b[1] = 0;                            // infinity times zero, in column 1
  matrices.c[std::size_t{2} * n] = 0x7F7FFFFF;  // the largest float, in row 2, where 8 is lost
  matrices.a[24] = 0x7BFF;                      // the largest f16, in row 3
  const std::vector<Bits> d = multiplied(opcode, matrices);
  const auto at = [&](std::size_t row, std::size_t column) { return d[row * n + column]; };
  EXPECT_EQ(at(0, 0), 0x7F800000U);
  EXPECT_EQ(at(0, 1), 0x7FFFFFFFU);
  EXPECT_EQ(at(1, 0), 0x7FFFFFFFU);
  EXPECT_EQ(at(2, 0), 0x7F7FFFFFU);
  EXPECT_EQ(fragment_oracle::element_value("f32", at(3, 0)), 65504 + 7 + 1);
  EXPECT_EQ(fragment_oracle::element_value("f32", at(4, 1)), 8);
}

TEST(MatrixProducts, of_f16_overflow_to_infinity) {
  const std::string opcode = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
  const Matrices matrices = filled(Spelled(opcode), [](const std::string& type) {
    return fragment_oracle::element_bits(type, 64);
  });
  // 16 · 64² + 64 exceeds f16.
  for (const Bits bits : multiplied(opcode, matrices)) EXPECT_EQ(bits, 0x7C00U);
}

TEST(MatrixProducts, take_no_notice_of_the_low_bits_of_tf32) {
  const std::string opcode = "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32";
  const auto with = [&](Bits low) {
    return multiplied(opcode, filled(Spelled(opcode), [&](const std::string& type) {
                        return fragment_oracle::element_bits(type, 1.5) |
                               (type == "tf32" ? low : 0);
                      }));
  };
  EXPECT_EQ(with(0), with(0x1FFF));
  EXPECT_NE(with(0), with(0x2000));
}

}  // namespace
}  // namespace bankproof::ptx
