// Statements that hold for some numbers hold for some numbers when what sizes are stands in place
// of the sizes.
#include "../../../symbolic/solving/definitions.hpp"

#include <gtest/gtest.h>

#include "../../../symbolic/solving/decide.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

/// Sizes of a launch: n is c·g + d, and m is n·h, as a user states it of numbers of 64 bits.
struct Sizes {
  Pool pool;
  Term n = pool.unknown("n", 32);
  Term m = pool.unknown("m", 64);
  Term g = pool.unknown("g", 32);
  Term h = pool.unknown("h", 32);

  Term wide(Term size) { return pool.zero_extended(size, 64); }
  Term is(Term term, std::uint64_t value) {
    return pool.equal(term, pool.constant(value, pool.width(term)));
  }
  std::vector<Term> definitions(std::uint64_t c, std::uint64_t d, bool is_signed) {
    const Term value = pool.add(pool.scale(wide(g), c), pool.constant(d, 64));
    return {pool.equal(is_signed ? pool.sign_extended(n, 64) : wide(n), value),
            pool.equal(pool.multiply(wide(n), wide(h)), m)};
  }
  Decided::Kind decided(const std::vector<Term>& statements) {
    return decide(pool, with_definitions(pool, statements)).kind;
  }
};

BANKPROOF_PROPERTY(Definitions, exclude_nothing_that_holds, ()) {
  Sizes sizes;
  const auto below = [](std::uint64_t end) { return *rc::gen::inRange<std::uint64_t>(0, end); };
  const std::uint64_t c = 1 + below(200);
  const std::uint64_t d = below(20);
  const std::uint64_t g = below(1000);
  const std::uint64_t h = below(1000);
  const std::uint64_t n = c * g + d;
  std::vector<Term> all = sizes.definitions(c, d, *rc::gen::arbitrary<bool>());
  const std::vector<Term> values{sizes.is(sizes.n, n), sizes.is(sizes.m, n * h),
                                 sizes.is(sizes.g, g), sizes.is(sizes.h, h)};
  for (const Term value : values) {
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(below(all.size() + 1)), value);
  }
  RC_ASSERT(sizes.decided(all) != Decided::Kind::never);
}

// n has 32 bits, so 2·g has to fit into 32 bits, or into 31 if n has a sign.
TEST(Definitions, keep_the_range_of_the_size) {
  for (const bool is_signed : {false, true}) {
    Sizes sizes;
    std::vector<Term> all = sizes.definitions(2, 0, is_signed);
    all.push_back(sizes.is(sizes.g, std::uint64_t{1} << (is_signed ? 30 : 31)));
    EXPECT_EQ(sizes.decided(all), Decided::Kind::never) << is_signed;
    all.back() = sizes.is(sizes.g, (std::uint64_t{1} << (is_signed ? 30 : 31)) - 1);
    EXPECT_NE(sizes.decided(all), Decided::Kind::never) << is_signed;
  }
}

// Rows of n = 128·g words: a block's first column, 128·b with b < g, lies in its row.
TEST(Definitions, tell_that_products_are_larger) {
  const auto decided = [](std::uint64_t least) {
    Sizes sizes;
    Pool& pool = sizes.pool;
    const Term block = pool.unknown("b", 32);
    const Term row = pool.unknown("row", 32);
    const Term many = pool.constant(1000, 32);
    const auto row_begin = [&](Term of_row) {
      return pool.multiply(sizes.wide(sizes.n), sizes.wide(of_row));
    };
    const Term place = pool.add(row_begin(row), pool.scale(sizes.wide(block), 128));
    const Term next = row_begin(pool.add(row, pool.constant(1, 32)));
    std::vector<Term> all = sizes.definitions(128, 0, true);
    all.pop_back();
    for (const Term size : {sizes.g, row}) all.push_back(pool.at_most(size, many, false));
    all.push_back(pool.below(block, sizes.g, false));
    all.push_back(pool.below(next, pool.add(place, pool.constant(least, 64)), false));
    return sizes.decided(all);
  };
  EXPECT_EQ(decided(128), Decided::Kind::never);
  // A planted bug: one word more.
  EXPECT_NE(decided(129), Decided::Kind::never);
}

TEST(Definitions, of_nothing_leave_the_statements_as_they_are) {
  Sizes sizes;
  // The size is in what it would be.
  const Term of_itself = sizes.pool.equal(
      sizes.wide(sizes.n),
      sizes.pool.add(sizes.wide(sizes.g), sizes.pool.scale(sizes.wide(sizes.n), 3)));
  const std::vector<Term> all{of_itself, sizes.pool.below(sizes.g, sizes.h, false)};
  EXPECT_EQ(with_definitions(sizes.pool, all).size(), all.size());
}

}  // namespace
}  // namespace bankproof::symbolic
