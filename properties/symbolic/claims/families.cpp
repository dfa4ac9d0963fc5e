// Families of accesses: one question is about all pairs of accesses that a compiler makes of one in
// an unrolled loop.
#include "../../../symbolic/claims/families.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "../../../symbolic/execution/substitute.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"
#include "race_questions.hpp"

namespace bankproof::symbolic {
namespace {

/// Each thread stores to a tile of an array with rows of n words, as compilers write it out: a row
/// is added to an index of 32 bits, and a column in the address, or to the index.
struct Tile {
  unsigned rows = 1;
  unsigned columns = 1;
  unsigned step = 1;  // from row to row
  unsigned columns_in_index = 0;

  std::string kernel() const {
    std::string text = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mul.lo.s32 %r3, %r2, %r1;
mul.lo.s32 %r4, %r3, )" +
                       std::to_string(rows * step) + ";\n";
    for (unsigned i = 0; i < rows; ++i) {
      for (unsigned j = 0; j < columns; ++j) {
        const bool is_in_index = j < columns_in_index;
        text += "mad.lo.s32 %r5, %r1, " + std::to_string(i * step) + ", %r4;\n";
        text += "add.s32 %r5, %r5, " + std::to_string(is_in_index ? j : 0) + ";\n";
        text += "mul.wide.u32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n";
        text += "st.global.u32 [%rd3+" + std::to_string(is_in_index ? 0 : 4 * j) + "], %r2;\n";
      }
    }
    return text + "ret;\n}\n";
  }
};

const AskedLaunch launch{{1, 1, 1}, {32, 1, 1}, ask_race, 4096};

/// The families of the tile's stores, in a pool that stays.
struct Found {
  explicit Found(const Tile& tile)
      : module(ptx::parse(tile.kernel(), "k.ptx")),
        execution(pool, module, module.functions.front(), Shape{}),
        subject{pool, execution},
        families(families_of(subject)) {}

  ptx::Module module;
  Pool pool;
  Execution execution;
  Subject subject;
  std::vector<Family> families;
};

/// Whether the family's address is this one for some numbers in place of its unknowns, wherever the
/// thread is.
bool is_among(Found& found, const Family& family, Term address) {
  std::vector<Term> members;
  std::unordered_map<Term, bool> met;
  each_unknown(found.pool, family.access.address, met, [&](Term unknown) {
    if (found.pool.name(unknown) == "member") members.push_back(unknown);
  });
  std::map<Term, std::uint64_t> numbers;
  const auto matches = [&](const auto& again, std::size_t k) -> bool {
    if (k < members.size()) {
      const std::uint64_t end = std::uint64_t{1} << found.pool.width(members[k]);
      for (std::uint64_t number = 0; number < end; ++number) {
        numbers[members[k]] = number;
        if (again(again, k + 1)) return true;
      }
      return false;
    }
    Substitution by(found.pool);
    for (const auto& [member, number] : numbers) {
      by.put(member, found.pool.constant(number, found.pool.width(member)));
    }
    const auto holds = [&](Term bound) { return found.pool.is_constant(by(bound), 1); };
    return std::all_of(family.bounds.begin(), family.bounds.end(), holds) &&
           by(family.access.address) == address;
  };
  return matches(matches, 0);
}

TEST(Families, have_each_of_their_members) {
  testing::check_property(
      [] {
        const Tile tile{*rc::gen::inRange(1U, 6U), *rc::gen::inRange(1U, 6U),
                        *rc::gen::inRange(1U, 4U), *rc::gen::inRange(0U, 6U)};
        Found found(tile);
        std::set<std::size_t> all;
        for (const Family& family : found.families) {
          for (const std::size_t member : family.members) {
            RC_ASSERT(all.insert(member).second);
            const Access& access = found.subject.trace().accesses[member];
            RC_ASSERT(is_among(found, family, access.address));
          }
        }
        RC_ASSERT(all.size() == found.subject.trace().accesses.size());
      },
      "", 4);
}

TEST(Families, are_those_of_a_tile) {
  EXPECT_EQ(Found({8, 8}).families.size(), 1U);
  EXPECT_EQ(Found({8, 8}).families.front().members.size(), 64U);
  EXPECT_EQ(Found({8, 8, 3}).families.size(), 1U);
  // Columns 1 and 3 are in the index, and the other ones behind it.
  EXPECT_LE(Found({8, 4, 1, 2}).families.size(), 4U);
  // Two accesses are no family.
  EXPECT_EQ(Found({2, 1}).families.size(), 2U);
}

/// Whether all races of threads of one block are excluded if rows have enough words.
bool are_excluded(const Tile& tile, std::uint64_t words) {
  Found found(tile);
  const Term n = found.subject.inputs().parameter(1, 0, 4);
  found.subject.premises = {found.pool.at_most(found.pool.constant(words, 32), n, false),
                            found.pool.at_most(n, found.pool.constant(1024, 32), false)};
  const Asked asked = ask_race(found.subject);
  EXPECT_EQ(asked.questions.size(), 1U);
  return cannot_race(found.pool, asked.questions.front(), 2000);
}

TEST(Families, of_tiles_that_do_not_overlap_are_excluded_at_once) {
  EXPECT_TRUE(are_excluded({4, 8}, 8));
  EXPECT_TRUE(are_excluded({4, 8, 2}, 8));
}

// A planted bug: the last word of a row is the first one of the next.
TEST(Families, of_tiles_that_overlap_are_not_excluded) {
  EXPECT_FALSE(are_excluded({4, 8}, 7));
  EXPECT_FALSE(races_of(ptx::parse(Tile{4, 8}.kernel(), "k.ptx"), launch, 7).empty());
}

}  // namespace
}  // namespace bankproof::symbolic
