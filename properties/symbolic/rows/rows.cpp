// The terms of a row have the values that the machine's row computes. Each row is compared alone,
// and in random programs of several rows, where the pool simplifies terms of terms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "../../../symbolic/rows/compute.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"
#include "../../ptx/alu/operands.hpp"
#include "machine_rows.hpp"

namespace bankproof::symbolic {
namespace {

using LaneValues = std::array<std::uint64_t, ptx::warp_lanes>;

/// Values of all lanes, and the term that stands for them.
struct Operand {
  unsigned width = 0;
  LaneValues values{};
  Term term{};
};

class Program {
 public:
  /// An operand that is drawn: an unknown, or a constant if all lanes have one value.
  Operand drawn(unsigned width, const ptx::Lanes& raw) {
    Operand made{.width = width, .values = {}, .term = {}};
    for (std::size_t lane = 0; lane < raw.size(); ++lane) {
      made.values[lane] = static_cast<std::uint64_t>(raw[lane]) & mask_of(width);
    }
    const bool is_constant = std::all_of(made.values.begin(), made.values.end(),
                                         [&](std::uint64_t v) { return v == made.values[0]; });
    made.term = is_constant ? pool.constant(made.values[0], width) : pool.unknown("x", width);
    if (!is_constant) inputs_[made.term] = made.values;
    return made;
  }

  /// Executes the row on the machine, and as terms; empty if it is no row of terms.
  std::vector<Operand> execute(const ptx::Row& row, const std::vector<Operand>& sources) {
    std::vector<LaneValues> values;
    std::vector<Term> terms;
    terms.reserve(sources.size());
    for (const Operand& source : sources) {
      values.push_back(source.values);
      terms.push_back(source.term);
    }
    const std::size_t written = row.destinations.size() - (row.carry_out ? 1U : 0U);
    const auto computed = compute(pool, row.opcode, written, terms);
    if (!computed) return {};
    const auto expected = machine_results(row, values);
    std::vector<Operand> results;
    results.reserve(expected.size());
    for (std::size_t d = 0; d < expected.size(); ++d) {
      results.push_back({width_of(row.destinations[d]), expected[d], computed->at(d)});
    }
    return results;
  }

  /// A lane in which the term has another value than the machine, described; else empty.
  std::string mistake(const Operand& operand) {
    if (pool.width(operand.term) != operand.width) return "another width";
    for (std::size_t lane = 0; lane < operand.values.size(); ++lane) {
      Values values(pool, [&](Term unknown) { return inputs_.at(unknown)[lane]; });
      const std::uint64_t found = values(operand.term);
      if (found != operand.values[lane]) {
        return "lane " + std::to_string(lane) + ": " + std::to_string(found) + ", the machine " +
               std::to_string(operand.values[lane]);
      }
      if ((found & ~pool.possible_bits(operand.term)) != 0) return "an impossible bit";
    }
    return "";
  }

  Pool pool;

 private:
  std::map<Term, LaneValues> inputs_;
};

TEST(TermsOfRows, are_what_the_machine_computes) {
  testing::check_property(
      [] {
        const ptx::Draw draw = ptx::any_draw();
        for (const ptx::Row* row : integer_rows()) {
          Program program;
          std::vector<Operand> sources;
          for (std::size_t i = 0; i < row->sources.size(); ++i) {
            sources.push_back(
                program.drawn(std::min(width_of(row->sources[i]), 64U), draw.sources[i]));
          }
          for (const Operand& result : program.execute(*row, sources)) {
            const std::string wrong = program.mistake(result);
            if (!wrong.empty()) RC_FAIL(row->opcode + ": " + wrong);
          }
        }
      },
      "", 10);
}

TEST(TermsOfRows, exist_for_all_integer_rows) {
  std::set<std::string> missing;
  for (const ptx::Row* row : integer_rows()) {
    Program program;
    std::vector<Term> sources;
    sources.reserve(row->sources.size());
    for (const ptx::LaneType type : row->sources) {
      sources.push_back(program.pool.unknown("x", std::min(width_of(type), 64U)));
    }
    const std::size_t written = row->destinations.size() - (row->carry_out ? 1U : 0U);
    if (!compute(program.pool, row->opcode, written, sources)) missing.insert(row->opcode);
  }
  EXPECT_THAT(missing, ::testing::ElementsAre("mov.b128", "pack.b128.b64", "unpack.b128.b64"));
  EXPECT_GT(integer_rows().size(), 1200U);
}

// A planted bug: the terms are those of another row.
TEST(TermsOfRows, are_compared_with_the_machine) {
  Program program;
  ptx::Words words(1);
  std::vector<Operand> sources;
  for (int k = 0; k < 2; ++k) {
    ptx::Lanes lanes{};
    for (auto& lane : lanes) lane = words();
    sources.push_back(program.drawn(32, lanes));
  }
  const std::vector<Term> terms{sources[0].term, sources[1].term};
  const auto sum = program.execute(*ptx::find_row("add.s32"), sources);
  EXPECT_EQ(program.mistake(sum.at(0)), "");
  Operand planted = sum.at(0);
  planted.term = compute(program.pool, "sub.s32", 1, terms)->at(0);
  EXPECT_NE(program.mistake(planted), "");
}

/// A number of the format, often infinity, the least normal one, or one that is near to the other.
std::uint64_t any_float(bool is_double, std::uint64_t other) {
  const std::uint64_t infinity = is_double ? 0x7ff0000000000000 : 0x7f800000;
  const std::uint64_t normal = is_double ? 0x0010000000000000 : 0x00800000;
  const std::uint64_t near = *rc::gen::inRange<std::uint64_t>(0, 3) - 1;
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return infinity + near;
    case 1:
      return normal + near;
    case 2:
      return other + near;
    default:
      return *rc::gen::arbitrary<std::uint64_t>();
  }
}

TEST(TermsOfRows, compare_floating_point_numbers_as_the_machine_does) {
  testing::check_property([] {
    for (const bool is_double : {false, true}) {
      const std::string type = is_double ? ".f64" : ".f32";
      const unsigned width = is_double ? 64 : 32;
      const std::uint64_t infinity = is_double ? 0x7ff0000000000000 : 0x7f800000;
      const std::uint64_t normal = is_double ? 0x0010000000000000 : 0x00800000;
      const std::uint64_t limit =
          std::clamp(any_float(is_double, 0) & (infinity | mask_of(width - 2)), normal, infinity);
      ptx::Lanes lanes{};
      for (auto& lane : lanes) lane = any_float(is_double, limit);
      ptx::Lanes same{};
      same.fill(limit);
      Program program;
      const Operand number = program.drawn(width, lanes);
      const Operand constant = program.drawn(width, same);
      for (const std::string base : {"mov", "neg"}) {
        const auto result = program.execute(*ptx::find_row(base + type), {number});
        RC_ASSERT(program.mistake(result.at(0)).empty());
      }
      const Operand size = program.execute(*ptx::find_row("abs" + type), {number}).at(0);
      RC_ASSERT(program.mistake(size).empty());
      for (const std::string how :
           {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu"}) {
        for (const std::string flush : {"", ".ftz"}) {
          if (is_double && !flush.empty()) continue;
          const std::string opcode = "setp." + how + flush + type;
          const auto result = program.execute(*ptx::find_row(opcode), {size, constant});
          const std::string wrong = program.mistake(result.at(0));
          if (!wrong.empty()) RC_FAIL(opcode + ": " + wrong);
        }
      }
    }
  });
}

// The products of such sums, too, have more than 64 bits, and their sums more than 128.
TEST(TermsOfRows, know_no_bits_of_sums_that_are_too_large) {
  Pool pool;
  const Term x = pool.unknown("x", 64);
  const Term y = pool.unknown("y", 64);
  const auto scaled = [&](Term a, std::uint64_t by) { return pool.scale(a, by); };
  const Term half = pool.zero_extended(pool.part(y, 3, 1), 64);
  for (const std::uint64_t factor : {1ULL << 63U, (1ULL << 63U) + 1, (1ULL << 63U) - 1, ~0ULL}) {
    for (const std::uint64_t other : {1ULL, 1ULL << 62U, 1ULL << 63U}) {
      const Term sum = pool.add(scaled(half, other), scaled(pool.multiply(x, y), factor));
      for (const std::uint64_t value : {1ULL, 9ULL, 1ULL << 62U, ~0ULL}) {
        const std::uint64_t found = Values(pool, [&](Term) { return value; })(sum);
        EXPECT_EQ(found & ~pool.possible_bits(sum), 0U) << factor << ' ' << other;
      }
    }
  }
}

// Compilers compute the rest of a division by a product and a difference, also where the machine
// divides by 0.
TEST(TermsOfRows, know_the_rest_of_a_division) {
  for (const unsigned width : {32U, 64U}) {
    const std::uint64_t least = std::uint64_t{1} << (width - 1);
    const std::uint64_t values[] = {0, 1, 2, 7, 31, mask_of(width), least, least - 1, least + 9};
    for (const bool is_signed : {false, true}) {
      Pool pool;
      const Term a = pool.unknown("a", width);
      const Term b = pool.add(pool.unknown("b", width), pool.unknown("c", width));
      const Term quotient = pool.quotient(a, b, is_signed);
      const Term rest = pool.subtract(a, pool.multiply(quotient, b));
      EXPECT_EQ(rest, pool.remainder(a, b, is_signed));
      EXPECT_NE(rest, pool.subtract(a, quotient));
      for (const std::uint64_t dividend : values) {
        for (const std::uint64_t divisor : values) {
          Values known(pool, [&](Term unknown) {
            return pool.name(unknown) == "a" ? dividend : pool.name(unknown) == "b" ? divisor : 0;
          });
          EXPECT_EQ(known(rest), (dividend - known(quotient) * divisor) & mask_of(width));
        }
      }
    }
  }
}

// The row and the column of an index make the index.
TEST(TermsOfRows, join_a_quotient_and_its_rest) {
  const std::uint64_t values[] = {0, 1, 7, 31, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const bool is_signed : {false, true}) {
    Pool pool;
    const Term a = pool.unknown("a", 32);
    const Term b = pool.unknown("b", 32);
    const Term c = pool.unknown("c", 32);
    const auto index = [&](Term of, Term columns, Term factor) {
      const Term row = pool.quotient(of, columns, is_signed);
      const Term column = pool.remainder(of, columns, is_signed);
      const Term first = pool.add(pool.multiply(row, columns), c);
      return pool.subtract(pool.add(pool.multiply(first, factor), pool.multiply(column, factor)),
                           pool.multiply(c, factor));
    };
    const Term one = pool.constant(1, 32);
    const Term sum = pool.add(a, pool.constant(3, 32));
    EXPECT_EQ(index(a, b, one), a);
    EXPECT_EQ(index(sum, b, c), pool.multiply(sum, c));
    EXPECT_EQ(index(sum, pool.add(b, c), pool.constant(12, 32)), pool.scale(sum, 12));
    // Another divisor, or another number of columns.
    const Term other =
        pool.add(pool.multiply(pool.quotient(a, b, is_signed), c), pool.remainder(a, b, is_signed));
    const Term twice = pool.add(pool.multiply(pool.quotient(a, b, is_signed), b),
                                pool.scale(pool.remainder(a, b, is_signed), 2));
    EXPECT_NE(other, a);
    EXPECT_NE(twice, a);
    for (const std::uint64_t dividend : values) {
      for (const std::uint64_t divisor : values) {
        Values known(pool, [&](Term unknown) {
          return pool.name(unknown) == "a" ? dividend : pool.name(unknown) == "b" ? divisor : 9;
        });
        const std::uint64_t whole = known(pool.quotient(a, b, is_signed));
        const std::uint64_t rest = known(pool.remainder(a, b, is_signed));
        EXPECT_EQ((whole * divisor + rest) & mask_of(32), dividend);
        EXPECT_EQ(known(twice), (whole * divisor + 2 * rest) & mask_of(32));
      }
    }
  }
}

// A quotient of 64 bits that is computed with 32 bits where that does.
TEST(TermsOfRows, know_divisions_by_halves) {
  const std::uint64_t values[] = {0, 1, 5, 31, 0xffffffff, 0x100000000, 0x300000007, ~0ULL};
  for (const bool is_signed : {false, true}) {
    Pool pool;
    const Term a = pool.unknown("a", 64);
    const Term b = pool.unknown("b", 64);
    const Term zero = pool.constant(0, 64);
    const Term high = pool.bits_and(pool.bits_or(a, b), pool.constant(0xffffffff00000000, 64));
    const Term is_small = pool.equal(high, zero);
    const Term low_a = pool.part(a, 0, 32);
    const Term low_b = pool.part(b, 0, 32);
    const Term narrow = pool.zero_extended(pool.quotient(low_a, low_b, false), 64);
    const Term quotient = pool.choice(is_small, narrow, pool.quotient(a, b, is_signed));
    const Term rest = pool.subtract(a, pool.multiply(quotient, b));
    EXPECT_EQ(rest, pool.remainder(a, b, is_signed));
    // Where the test is about one of the two only, the other one may be large.
    const Term other = pool.equal(pool.bits_and(a, pool.constant(0xffffffff00000000, 64)), zero);
    EXPECT_NE(pool.choice(other, narrow, pool.quotient(a, b, is_signed)), quotient);
    for (const std::uint64_t dividend : values) {
      for (const std::uint64_t divisor : values) {
        Values known(pool, [&](Term unknown) { return unknown == a ? dividend : divisor; });
        const std::uint64_t expected = ((dividend | divisor) >> 32U) == 0
                                           ? known(narrow)
                                           : known(pool.quotient(a, b, is_signed));
        EXPECT_EQ(known(quotient), expected) << dividend << ' ' << divisor;
        EXPECT_EQ(known(rest), dividend - expected * divisor);
        const Term small = pool.zero_extended(low_a, 64);
        const Term guarded =
            pool.choice(pool.equal(b, zero), pool.constant(7, 64), pool.quotient(small, b, false));
        EXPECT_EQ(known(guarded) & ~pool.possible_bits(guarded), 0U);
        EXPECT_EQ(pool.possible_bits(guarded), 0xffffffffU);
      }
    }
  }
}

/// Rows by the part of their opcode before the first dot.
const std::vector<std::vector<const ptx::Row*>>& families() {
  static const std::vector<std::vector<const ptx::Row*>> found = [] {
    std::map<std::string, std::vector<const ptx::Row*>> all;
    for (const ptx::Row* row : integer_rows()) {
      if (row->opcode.find("128") == std::string::npos) {
        all[row->opcode.substr(0, row->opcode.find('.'))].push_back(row);
      }
    }
    std::vector<std::vector<const ptx::Row*>> lists;
    lists.reserve(all.size());
    for (auto& [name, members] : all) lists.push_back(std::move(members));
    return lists;
  }();
  return found;
}

TEST(TermsOfRows, simplify_each_other_as_the_machine_computes) {
  testing::check_property([] {
    Program program;
    std::map<unsigned, std::vector<Operand>> known;  // by width
    ptx::Words words(*rc::gen::arbitrary<std::uint64_t>());
    const auto fresh = [&](unsigned width) {
      ptx::Lanes lanes{};
      const bool is_constant = words.below(2) != 0;
      for (auto& lane : lanes) {
        lane = is_constant && &lane != lanes.data()
                   ? lanes[0]
                   : ptx::Bits{ptx::operand(words.below(2) != 0 ? 9 : 1, words())};
      }
      return program.drawn(width, lanes);
    };
    std::string text;
    for (int step = 0; step < 12; ++step) {
      const auto& family = families()[words.below(families().size())];
      const ptx::Row& row = *family[words.below(family.size())];
      std::vector<Operand> sources;
      for (const ptx::LaneType type : row.sources) {
        auto& pool = known[width_of(type)];
        if (pool.empty() || words.below(4) == 0) pool.push_back(fresh(width_of(type)));
        sources.push_back(
            pool[pool.size() - 1 - words.below(std::min<std::size_t>(pool.size(), 3))]);
      }
      text += row.opcode + "; ";
      for (const Operand& result : program.execute(row, sources)) {
        const std::string wrong = program.mistake(result);
        if (!wrong.empty()) RC_FAIL(text + wrong);
        known[result.width].push_back(result);
      }
    }
  });
}

}  // namespace
}  // namespace bankproof::symbolic
