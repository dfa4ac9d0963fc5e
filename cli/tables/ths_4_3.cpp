// THS table 4.3 (row R8): the stages that a warp takes to read a and to write b, and in total, with
// the index arrays and without them ("in place"), in the two modes of a GeForce GTX 680. The stages
// come from the analysis of `check` and the plans of `schedule`; the random row is the exact
// expectation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/permutation/conflicts.hpp"
#include "../../algorithms/permutation/expected.hpp"
#include "../../algorithms/permutation/named.hpp"
#include "../../algorithms/permutation/plan.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {
namespace ths_4_3 {

constexpr std::uint64_t n = 1024;
constexpr Width width = 32;
using Indices = std::vector<std::uint32_t>;

struct KeplerMode {
  std::string_view chip;
  std::string_view name;
  std::uint32_t element_bytes;
  std::uint32_t elements_per_row;  ///< elements that a bank serves together
  AccessRule rule() const { return shared_rule(std::string(chip), element_bytes); }
};

constexpr std::array<KeplerMode, 2> modes = {
    {{"kepler-64bit", "64-bit", 8, 1}, {"kepler-32bit", "32-bit", 4, 2}}};

/// The mean stages of a warp whose threads touch these elements.
double mean_of(const Indices& elements, const KeplerMode& mode) {
  return analyze(std::span<const std::uint32_t>(elements), Designation::destination, mode.rule())
      .mean();
}

/// The stages of reading a and of writing b, and the number of index arrays that the algorithm
/// reads, too.
struct Cost {
  double read;
  double write;
  int index_arrays;

  /// The text in the table: whole numbers without decimals, other numbers with two.
  std::string text(bool with_in_place) const {
    const auto number = [](double value) {
      const bool whole = value == static_cast<double>(static_cast<int>(value));
      return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
    };
    const double in_place = read + write;
    return fmt::format("{}/{} ({}{})", number(read), number(write), number(in_place + index_arrays),
                       with_in_place ? "/" + number(in_place) : "");
  }
};

/// The stages of an access in which thread i touches element i. A designated algorithm makes only
/// one access that is not of this kind.
double in_order(const KeplerMode& mode) {
  return mean_of(parse_named("identity:1024").generate<std::uint32_t>(), mode);
}

/// D-designated, S-designated, conflict-free.
std::array<Cost, 3> costs_of(const Indices& permutation, const KeplerMode& mode) {
  const std::span<const std::uint32_t> p(permutation);
  const BankPlan<std::uint32_t> plan = plan_banks(p, width);
  return {{{in_order(mode), mean_of(permutation, mode), 1},
           {analyze(p, Designation::source, mode.rule()).mean(), in_order(mode), 1},
           {mean_of(plan.s, mode), mean_of(plan.d, mode), 2}}};
}

/// The costs for random permutations: the expectation for the designated algorithms, and the cost
/// of a plan for one random permutation.
std::array<Cost, 3> costs_of_random(const KeplerMode& mode) {
  std::array<Cost, 3> costs = costs_of(parse_named("random:1024").generate<std::uint32_t>(), mode);
  costs[0].write = costs[1].read = expected_stages(n, width, mode.elements_per_row).mean;
  return costs;
}

struct Row {
  std::string_view name;
  std::string_view specification;  ///< empty for random
  bool in_place;
  std::array<std::string_view, 6> printed;
};

constexpr std::array<Row, 5> rows = {
    {{"Identical",
      "identity:1024",
      false,
      {"1/1 (3)", "1/1 (3)", "1/1 (4)", "1/1 (3)", "1/1 (3)", "1/1 (4)"}},
     {"Random",
      "",
      false,
      {"1/3.46 (5.46)", "3.46/1 (5.46)", "1/1 (4)", "1/3.37 (5.37)", "3.37/1 (5.37)", "1/1 (4)"}},
     {"Transpose",
      "transpose:32x32",
      true,
      {"1/32 (34/33)", "32/1 (34/33)", "1/1 (4/2)", "1/16 (18/17)", "16/1 (18/17)", "1/1 (4/2)"}},
     {"Shuffle",
      "shuffle:1024",
      true,
      {"1/2 (4/3)", "2/1 (4/3)", "1/1 (4/2)", "1/1 (3/2)", "2/1 (4/3)", "1/1 (4/2)"}},
     {"Bit-reversal",
      "bit-reversal:1024",
      true,
      {"1/32 (34/33)", "32/1 (34/33)", "1/1 (4/2)", "1/16 (18/17)", "16/1 (18/17)", "1/1 (4/2)"}}}};

constexpr std::array<std::string_view, 3> algorithms = {"D-designated", "S-designated",
                                                        "conflict-free"};

}  // namespace ths_4_3
}  // namespace

SourceTable table_ths_4_3() {
  using namespace ths_4_3;
  SourceTable table{"THS:4.3",
                    "Stages of a warp reading a / writing b, and in all (array-use/in-place)",
                    "counted for n = 1024 on kepler-64bit (8 bytes) and kepler-32bit (4 bytes); "
                    "the random row is the exact expectation",
                    {}};
  for (const Row& row : rows) {
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      const auto costs =
          row.specification.empty()
              ? costs_of_random(modes[mode])
              : costs_of(parse_named(row.specification).generate<std::uint32_t>(), modes[mode]);
      for (std::size_t k = 0; k < algorithms.size(); ++k) {
        table.cells.push_back(
            {std::string(row.name), fmt::format("{} {}", modes[mode].name, algorithms[k]),
             std::string(row.printed[3 * mode + k]), costs[k].text(row.in_place), ""});
      }
    }
  }
  return table;
}

}  // namespace bankproof::cli
