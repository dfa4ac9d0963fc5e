// Statements that hold in a launch hold for some numbers in place of where its blocks begin.
#include "../../../symbolic/solving/hidden_places.hpp"

#include <gtest/gtest.h>

#include <array>

#include "../../../symbolic/solving/decide.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

constexpr std::size_t axes = 3;

/// Two threads of a launch, along each axis.
struct TwoThreads {
  Pool pool;
  std::array<Term, axes> size{};
  std::array<Term, axes> blocks{};
  std::array<std::array<Term, axes>, 2> block{};
  std::array<std::array<Term, axes>, 2> thread{};

  TwoThreads() {
    for (std::size_t k = 0; k < axes; ++k) {
      const std::string axis(1, "xyz"[k]);
      size[k] = pool.unknown("ntid." + axis, 32);
      blocks[k] = pool.unknown("nctaid." + axis, 32);
      for (const bool is_other : {false, true}) {
        const std::string name = axis + (is_other ? "'" : "");
        block[is_other][k] = pool.unknown("ctaid." + name, 32);
        thread[is_other][k] = pool.unknown("tid." + name, 32);
      }
    }
  }

  Term place(bool is_other, std::size_t axis) {
    return pool.add(pool.multiply(size[axis], block[is_other][axis]), thread[is_other][axis]);
  }
  /// (z * height + y) * width + x
  Term index(bool is_other, Term width, Term height) {
    const Term row = pool.add(pool.multiply(place(is_other, 2), height), place(is_other, 1));
    return pool.add(pool.multiply(row, width), place(is_other, 0));
  }
  Term is(Term term, std::uint64_t value) {
    return pool.equal(term, pool.constant(value, pool.width(term)));
  }
  Term below(Term a, Term b) { return pool.below(a, b, false); }
  /// Statements about the special registers that hold in each launch.
  std::vector<Term> premises() {
    std::vector<Term> all;
    for (std::size_t k = 0; k < axes; ++k) {
      for (const bool other : {false, true}) {
        all.push_back(below(thread[other][k], size[k]));
        all.push_back(below(block[other][k], blocks[k]));
      }
      all.push_back(below(size[k], pool.constant(1025, 32)));
    }
    return all;
  }
  bool are_never(std::vector<Term> statements) {
    for (const Term one : premises()) statements.push_back(one);
    constexpr Effort little{.integers_ms = 100, .tries_bits = false};
    return decide(pool, with_places_hidden(pool, statements), little).kind == Decided::Kind::never;
  }
};

BANKPROOF_PROPERTY(HiddenPlaces, exclude_nothing_that_holds, ()) {
  TwoThreads all;
  const auto below = [](std::uint64_t end) { return *rc::gen::inRange<std::uint64_t>(0, end); };
  std::vector<Term> statements;
  std::array<std::array<std::uint64_t, axes>, 2> at{};
  for (std::size_t k = 0; k < axes; ++k) {
    const std::uint64_t size = 1 + below(8);
    const std::uint64_t blocks = 1 + below(5);
    statements.push_back(all.is(all.size[k], size));
    statements.push_back(all.is(all.blocks[k], blocks));
    for (const bool other : {false, true}) {
      const std::uint64_t block = below(blocks);
      const std::uint64_t thread = below(size);
      statements.push_back(all.is(all.block[other][k], block));
      statements.push_back(all.is(all.thread[other][k], thread));
      at[other][k] = block * size + thread;
    }
  }
  const Term width = all.pool.unknown("width", 32);
  const Term height = all.pool.unknown("height", 32);
  const std::uint64_t w = below(100);
  const std::uint64_t h = below(100);
  statements.push_back(all.is(width, w));
  statements.push_back(all.is(height, h));
  for (const bool other : {false, true}) {
    const std::uint64_t index = (at[other][2] * h + at[other][1]) * w + at[other][0];
    statements.push_back(all.is(all.index(other, width, height), index));
  }
  // A step of grid-stride loops.
  const Term step = all.pool.multiply(all.size[0], all.blocks[0]);
  statements.push_back(all.below(all.place(*rc::gen::arbitrary<bool>(), 0), step));
  RC_ASSERT(!all.are_never(statements));
}

TEST(HiddenPlaces, tell_threads_apart) {
  TwoThreads all;
  Pool& pool = all.pool;
  const Term width = pool.unknown("width", 32);
  const Term height = pool.unknown("height", 32);
  std::vector<Term> statements{
      pool.equal(all.index(false, width, height), all.index(true, width, height))};
  for (const Term size : {width, height}) {
    statements.push_back(pool.at_most(size, pool.constant(1024, 32), false));
  }
  for (const bool other : {false, true}) {
    statements.push_back(all.below(all.place(other, 0), width));
    statements.push_back(all.below(all.place(other, 1), height));
    statements.push_back(all.below(all.place(other, 2), pool.constant(1024, 32)));
  }
  EXPECT_FALSE(all.are_never(statements));
  for (std::size_t k = 0; k < axes; ++k) {
    std::vector<Term> apart = statements;
    apart.push_back(pool.negation(pool.equal(all.block[0][k], all.block[1][k])));
    EXPECT_TRUE(all.are_never(apart));
  }
  // A planted bug: columns have no end.
  statements.erase(statements.begin() + 3);
  statements.push_back(pool.negation(pool.equal(all.block[0][0], all.block[1][0])));
  EXPECT_FALSE(all.are_never(statements));
}

// Each thread stores to two elements: a block of n threads to those from 2 * n * its index.
TEST(HiddenPlaces, keep_blocks_apart) {
  TwoThreads all;
  Pool& pool = all.pool;
  const auto element = [&](bool other, std::uint64_t step) {
    const Term first = pool.multiply(all.size[0], all.block[other][0]);
    return pool.add(pool.scale(first, step), all.thread[other][0]);
  };
  const Term differ = pool.negation(pool.equal(all.block[0][0], all.block[1][0]));
  const Term far = pool.add(element(false, 2), all.size[0]);
  EXPECT_TRUE(all.are_never({differ, pool.equal(far, element(true, 2))}));
  EXPECT_FALSE(all.are_never(
      {differ, pool.equal(pool.add(element(false, 1), all.size[0]), element(true, 1))}));
}

TEST(HiddenPlaces, are_of_blocks) {
  TwoThreads all;
  const std::vector<Term> statements{
      all.below(all.pool.multiply(all.size[0], all.blocks[0]), all.thread[0][0])};
  EXPECT_EQ(with_places_hidden(all.pool, statements), statements);
}

}  // namespace
}  // namespace bankproof::symbolic
