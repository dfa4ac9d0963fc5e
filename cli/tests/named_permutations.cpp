// Every named permutation against a second, plain definition, and all kinds of misspelt names.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../algorithms/permutation/named.hpp"
#include "../../algorithms/permutation/validate.hpp"
#include "support.hpp"

namespace bankproof {
namespace {

using Vector = std::vector<std::uint32_t>;

Vector generate(const std::string& specification) {
  return parse_named(specification).generate<std::uint32_t>();
}

/// The positions P(i); elements[place] is the element that the permutation moves to `place`.
Vector places_of(const Vector& elements) {
  Vector places(elements.size());
  for (std::uint32_t place = 0; place < elements.size(); ++place) places[elements[place]] = place;
  return places;
}

Vector read_by_columns(std::uint32_t rows, std::uint32_t columns) {
  Vector elements;
  for (std::uint32_t c = 0; c < columns; ++c) {
    for (std::uint32_t r = 0; r < rows; ++r) elements.push_back(r * columns + c);
  }
  return places_of(elements);
}

/// Z-order by recursion: visits the four quadrants of a square one after the other. If one side is
/// longer, it first halves that side.
void visit_in_z_order(std::uint32_t row, std::uint32_t column, std::uint32_t rows,
                      std::uint32_t columns, std::uint32_t stride, Vector& elements) {
  if (rows == 1 && columns == 1) {
    elements.push_back(row * stride + column);
  } else if (columns > rows) {
    visit_in_z_order(row, column, rows, columns / 2, stride, elements);
    visit_in_z_order(row, column + columns / 2, rows, columns / 2, stride, elements);
  } else if (rows > columns) {
    visit_in_z_order(row, column, rows / 2, columns, stride, elements);
    visit_in_z_order(row + rows / 2, column, rows / 2, columns, stride, elements);
  } else {
    for (const std::uint32_t down : {0u, rows / 2}) {
      for (const std::uint32_t right : {0u, columns / 2}) {
        visit_in_z_order(row + down, column + right, rows / 2, columns / 2, stride, elements);
      }
    }
  }
}

std::uint32_t side() { return *rc::gen::inRange<std::uint32_t>(1, 40); }
std::uint32_t power() { return 1u << *rc::gen::inRange(0, 6); }

/// For each name, a function that returns a random specification and the permutation that the
/// specification stands for.
const std::map<std::string, std::function<std::pair<std::string, Vector>()>> definitions = {
    {"identity",
     [] {
       const std::uint32_t n = side();
       Vector expected;
       for (std::uint32_t i = 0; i < n; ++i) expected.push_back(i);
       return std::pair(fmt::format("identity:{}", n), expected);
     }},
    {"transpose",
     [] {
       const std::uint32_t rows = side();
       const std::uint32_t columns = side();
       return std::pair(fmt::format("transpose:{}x{}", rows, columns),
                        read_by_columns(rows, columns));
     }},
    {"shuffle",
     [] {
       const std::uint32_t half = side();
       Vector elements;
       for (std::uint32_t i = 0; i < half; ++i) elements.insert(elements.end(), {i, half + i});
       return std::pair(fmt::format("shuffle:{}", 2 * half), places_of(elements));
     }},
    {"unshuffle",
     [] {
       const std::uint32_t half = side();
       Vector elements;
       for (std::uint32_t i = 0; i < half; ++i) elements.push_back(2 * i);
       for (std::uint32_t i = 0; i < half; ++i) elements.push_back(2 * i + 1);
       return std::pair(fmt::format("unshuffle:{}", 2 * half), places_of(elements));
     }},
    {"bit-reversal",
     [] {
       const std::uint32_t n = power();
       Vector expected = {0};  // for 2m elements: the m values times 2, then these plus 1
       while (expected.size() < n) {
         Vector twice = expected;
         for (auto& value : twice) value *= 2;
         expected = twice;
         for (const auto value : twice) expected.push_back(value + 1);
       }
       return std::pair(fmt::format("bit-reversal:{}", n), expected);
     }},
    {"random",
     [] {
       // Another test checks the draws; this one checks the seed and the two ways to write it.
       const std::uint32_t n = side();
       const auto seed = *rc::gen::elementOf(std::vector<std::uint64_t>{0, 1, ~std::uint64_t{0}});
       const std::string text = fmt::format("random:{},seed={}", n, seed);
       return std::pair(seed == 0 ? fmt::format("random:{}", n) : text, generate(text));
     }},
    {"morton",
     [] {
       const std::uint32_t rows = power();
       const std::uint32_t columns = power();
       Vector elements;
       visit_in_z_order(0, 0, rows, columns, columns, elements);
       return std::pair(fmt::format("morton:{}x{}", rows, columns), places_of(elements));
     }},
    {"blocked-to-striped",
     [] {
       const std::uint32_t threads = side();
       const std::uint32_t items = side();
       Vector expected;
       for (std::uint32_t t = 0; t < threads; ++t) {
         for (std::uint32_t k = 0; k < items; ++k) expected.push_back(k * threads + t);
       }
       return std::pair(fmt::format("blocked-to-striped:{}x{}", threads, items), expected);
     }},
    {"nchw-to-nhwc",
     [] {
       const auto size = [] { return *rc::gen::inRange<std::uint32_t>(1, 6); };
       const std::uint32_t N = size(), C = size(), H = size(), W = size();
       Vector elements;
       for (std::uint32_t n = 0; n < N; ++n) {
         for (std::uint32_t h = 0; h < H; ++h) {
           for (std::uint32_t w = 0; w < W; ++w) {
             for (std::uint32_t c = 0; c < C; ++c)
               elements.push_back(((n * C + c) * H + h) * W + w);
           }
         }
       }
       return std::pair(fmt::format("nchw-to-nhwc:{}x{}x{}x{}", N, C, H, W), places_of(elements));
     }},
    {"butterfly",
     [] {
       const auto stage = *rc::gen::inRange<std::uint32_t>(0, 6);
       const std::uint32_t distance = 1u << stage;
       const std::uint32_t n = 2 * distance * *rc::gen::inRange<std::uint32_t>(1, 5);
       Vector expected;
       for (std::uint32_t i = 0; i < n; ++i) {
         expected.push_back(i / distance % 2 == 0 ? i + distance : i - distance);
       }
       return std::pair(fmt::format("butterfly:{},{}", n, stage), expected);
     }},
};

RC_GTEST_PROP(NamedPermutations, equal_a_plain_definition, ()) {
  const auto& definition = *rc::gen::elementOf(definitions);
  RC_TAG(definition.first);
  const auto [specification, expected] = definition.second();
  RC_LOG() << specification;
  const NamedPermutation named = parse_named(specification);
  const Vector values = named.generate<std::uint32_t>();
  RC_ASSERT(values == expected);
  RC_ASSERT(named.size() == values.size());
  RC_ASSERT(!validate_permutation(std::span<const std::uint32_t>(values)));
  const auto wide = named.generate<std::uint64_t>();
  RC_ASSERT(std::equal(wide.begin(), wide.end(), values.begin(), values.end()));
  RC_ASSERT(generate(named.specification()) == values);
}

TEST(NamedPermutations, are_all_defined_a_second_time_here) {
  std::set<std::string> listed;
  std::set<std::string> defined;
  for (const NamedEntry& entry : named_permutations) listed.emplace(entry.name);
  for (const auto& [name, definition] : definitions) defined.insert(name);
  EXPECT_EQ(listed, defined);
  EXPECT_EQ(listed.size(), named_permutations.size());
}

TEST(NamedPermutations, have_examples_that_work) {
  for (const NamedEntry& entry : named_permutations) {
    EXPECT_TRUE(entry.example.starts_with(std::string(entry.name) + ":")) << entry.example;
    EXPECT_GT(parse_named(entry.example).size(), 1u) << entry.example;
  }
}

TEST(NamedPermutations, shuffle_and_unshuffle_are_inverse) {
  EXPECT_EQ(generate("shuffle:8"), (Vector{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(places_of(generate("shuffle:90")), generate("unshuffle:90"));
}

TEST(NamedPermutations, morton_puts_the_column_in_the_lowest_bit) {
  EXPECT_EQ(generate("morton:2x4"), (Vector{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(generate("morton:4x2"), (Vector{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(generate("morton:4x4"), (Vector{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(RandomPermutation, is_the_same_on_every_platform) {
  EXPECT_EQ(generate("random:10"), (Vector{7, 2, 0, 8, 3, 9, 6, 1, 5, 4}));
  EXPECT_EQ(generate("random:10,seed=7"), (Vector{0, 7, 4, 9, 3, 1, 2, 8, 6, 5}));
  EXPECT_EQ(parse_named("random:10").specification(), "random:10,seed=0");
}

TEST(RandomPermutation, is_uniform) {
  // 24 orders of 4 elements, 1000 of each expected. With 23 degrees of freedom, chi square exceeds
  // 60 once in 30,000 times. The seeds are fixed, so this always passes or always fails.
  std::map<Vector, double> times;
  for (int seed = 0; seed < 24000; ++seed)
    times[generate(fmt::format("random:4,seed={}", seed))] += 1;
  EXPECT_EQ(times.size(), 24u);
  double chi_square = 0;
  for (const auto& [order, count] : times) chi_square += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi_square, 60);
}

TEST(RandomPermutation, draws_without_bias_where_few_draws_fit) {
  // The range is two thirds of 2^64. A random word modulo the range would fall into the lower half
  // of the range too often.
  const std::uint64_t range = 12297829382473034411u;
  std::mt19937_64 generator(5);
  int low = 0;
  for (int k = 0; k < 10000; ++k) {
    const std::uint64_t drawn = formulas::Random::draw(generator, range);
    ASSERT_LT(drawn, range);
    low += drawn < range / 2;
  }
  EXPECT_NEAR(low, 5000, 250);  // five standard deviations
}

TEST(NamedPermutations, refuse_a_bad_specification_in_one_clear_line) {
  const std::vector<cli::Refusal> table = {
      {"shufle:8", "unknown permutation 'shufle'; did you mean 'shuffle'?"},
      {"zork:8", "unknown permutation 'zork'; 'bankproof list' names all"},
      {":8", "unknown permutation ''; 'bankproof list' names all"},
      {"shuffle",
       "bad permutation 'shuffle': it needs parameters, shuffle:N; for example: shuffle:1024"},
      {"random:",
       "bad permutation 'random:': it needs parameters, random:N,seed=S; for example: "
       "random:1024,seed=7"},
      {"shuffle:7", "bad permutation 'shuffle:7': N has to be even; for example: shuffle:1024"},
      {"shuffle:8x8",
       "bad permutation 'shuffle:8x8': N is one number, not '8x8'; for example: shuffle:1024"},
      {"transpose:32",
       "bad permutation 'transpose:32': RxC are 2 numbers, not '32'; for example: "
       "transpose:32x32"},
      {"transpose:3x4x5",
       "bad permutation 'transpose:3x4x5': RxC are 2 numbers, not '3x4x5'; for example: "
       "transpose:32x32"},
      {"identity:0",
       "bad permutation 'identity:0': N is 0, and nothing is left to permute; for example: "
       "identity:1024"},
      {"transpose:4x0",
       "bad permutation 'transpose:4x0': C is 0, and nothing is left to permute; for example: "
       "transpose:32x32"},
      {"identity:-4",
       "bad permutation 'identity:-4': N has to be a decimal number without sign, not '-4'; for "
       "example: identity:1024"},
      {"identity:4 ",
       "bad permutation 'identity:4 ': N has to be a decimal number without sign, not '4 '; for "
       "example: identity:1024"},
      {"transpose:4x",
       "bad permutation 'transpose:4x': C has to be a decimal number without sign, not ''; for "
       "example: transpose:32x32"},
      {"identity:99999999999999999999",
       "bad permutation 'identity:99999999999999999999': N has more than 64 bits: "
       "'99999999999999999999'; for example: identity:1024"},
      {"transpose:4294967296x4294967296",
       "bad permutation 'transpose:4294967296x4294967296': more than 2^40 elements; for example: "
       "transpose:32x32"},
      {"identity:1099511627777",
       "bad permutation 'identity:1099511627777': more than 2^40 elements; for example: "
       "identity:1024"},
      {"identity:8,3",
       "bad permutation 'identity:8,3': nothing may follow, but here is '3'; for example: "
       "identity:1024"},
      {"identity:8,",
       "bad permutation 'identity:8,': nothing may follow, but here is ''; for example: "
       "identity:1024"},
      {"random:8,7",
       "bad permutation 'random:8,7': expected seed=NUMBER, not '7'; for example: "
       "random:1024,seed=7"},
      {"random:8,seed=-1",
       "bad permutation 'random:8,seed=-1': seed has to be a decimal number without sign, not "
       "'-1'; for example: random:1024,seed=7"},
      {"bit-reversal:12",
       "bad permutation 'bit-reversal:12': N has to be a power of two; for example: "
       "bit-reversal:1024"},
      {"morton:4x6",
       "bad permutation 'morton:4x6': R and C have to be powers of two; for example: "
       "morton:32x32"},
      {"butterfly:8",
       "bad permutation 'butterfly:8': STAGE is missing; for example: butterfly:1024,3"},
      {"butterfly:12,2",
       "bad permutation 'butterfly:12,2': N has to be a multiple of 2^(STAGE+1); for example: "
       "butterfly:1024,3"},
      {"butterfly:8,64",
       "bad permutation 'butterfly:8,64': N has to be a multiple of 2^(STAGE+1); for example: "
       "butterfly:1024,3"},
  };
  for (const auto& refusal : table) {
    EXPECT_EQ(cli::message_of<SpecificationError>([&] { parse_named(refusal.input); }),
              refusal.message);
  }
}

TEST(NamedPermutations, refuse_indices_that_are_too_narrow) {
  EXPECT_EQ(parse_named("identity:256").generate<std::uint8_t>().back(), 255);
  EXPECT_EQ(cli::message_of<SpecificationError>(
                [] { parse_named("identity:257").generate<std::uint8_t>(); }),
            "permutation 'identity:257' has more elements than 8-bit indices can number");
}

RC_GTEST_PROP(NamedPermutations, never_crash_on_any_text, ()) {
  const auto& entry = *rc::gen::elementOf(named_permutations);
  const auto tail =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789x,=seed-")));
  try {
    RC_ASSERT(parse_named(std::string(entry.name) + ":" + tail).size() > 0);
    RC_TAG("accepted");
  } catch (const SpecificationError& error) {
    RC_ASSERT(std::string(error.what()).find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace bankproof
