// Statements that hold for some numbers hold for some numbers when their sums are hidden.
#include "../../../symbolic/solving/hidden_sums.hpp"

#include <gtest/gtest.h>

#include "../../../symbolic/solving/decide.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

/// Two threads of a grid, and their places along one axis.
struct Places {
  Pool pool;
  Term size = pool.unknown("ntid.x", 32);
  Term block = pool.unknown("ctaid.x", 32);
  Term other_block = pool.unknown("ctaid.x'", 32);
  Term thread = pool.unknown("tid.x", 32);
  Term other_thread = pool.unknown("tid.x'", 32);

  Term place(bool of_other) {
    return pool.add(pool.multiply(size, of_other ? other_block : block),
                    of_other ? other_thread : thread);
  }
  Term word(Term of_place) { return pool.zero_extended(of_place, 64); }
  Term is(Term term, std::uint64_t value) {
    return pool.equal(term, pool.constant(value, pool.width(term)));
  }
  Decided::Kind decided(const std::vector<Term>& statements) {
    return decide(pool, with_sums_hidden(pool, statements)).kind;
  }
};

BANKPROOF_PROPERTY(HiddenSums, exclude_nothing_that_holds, ()) {
  Places all;
  const auto below = [](std::uint64_t end) { return *rc::gen::inRange<std::uint64_t>(0, end); };
  const std::uint64_t size = 1 + below(1024);
  const std::uint64_t shift = below(50);
  const auto drawn = [&](bool again, std::uint64_t of, std::uint64_t end) {
    return again ? of : below(end);
  };
  const std::uint64_t block = below(1000);
  const std::uint64_t thread = below(size);
  const std::uint64_t other_block = drawn(below(2) == 0, block, 1000);
  const std::uint64_t other_thread = drawn(below(2) == 0, thread, size);
  const auto mask = std::uint64_t{0xffffffff};
  const std::uint64_t a = (size * block + thread + shift) & mask;
  const std::uint64_t b = (size * other_block + other_thread) & mask;
  const Term one = all.pool.add(all.place(false), all.pool.constant(shift, 32));
  RC_ASSERT(all.decided({all.is(all.word(one), a), all.is(all.word(all.place(true)), b),
                         all.is(all.size, size), all.is(all.block, block),
                         all.is(all.other_block, other_block), all.is(all.thread, thread),
                         all.is(all.other_thread, other_thread)}) != Decided::Kind::never);
}

// Threads of one block, whose places have the same product.
TEST(HiddenSums, differ_as_the_rest_of_them_does) {
  Places all;
  Pool& pool = all.pool;
  const Term place = all.place(false);
  const Term other = pool.add(pool.multiply(all.size, all.block), all.other_thread);
  const Term same_place = pool.equal(all.word(place), all.word(other));
  const Term apart = pool.negation(pool.equal(all.thread, all.other_thread));
  EXPECT_EQ(all.decided({same_place, apart}), Decided::Kind::never);
  EXPECT_NE(all.decided({same_place}), Decided::Kind::never);
}

TEST(HiddenSums, are_those_that_are_widened) {
  Places all;
  const std::vector<Term> statements{all.is(all.place(false), 7)};
  EXPECT_EQ(with_sums_hidden(all.pool, statements), statements);
}

}  // namespace
}  // namespace bankproof::symbolic
