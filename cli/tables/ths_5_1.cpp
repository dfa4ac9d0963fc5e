// THS table 5.1 (row H7): rounds by kind, and running times, of six algorithms on an HMM with one
// DMM. Counted and timed in lockstep for bit-reversal of a 64 × 64 matrix, w = 32, L = 100.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../../algorithms/permutation/conflicts.hpp"
#include "../../algorithms/permutation/named.hpp"
#include "../../algorithms/permutation/permute.hpp"
#include "../../algorithms/permutation/schedule.hpp"
#include "../../algorithms/permutation/scheduled.hpp"
#include "../../algorithms/transpose.hpp"
#include "../../model/observers/statistics.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {
namespace ths_5_1 {

constexpr std::uint64_t side = 64;
constexpr std::uint64_t n = side * side;
constexpr Width width = 32;
constexpr std::uint64_t L = 100;
constexpr Transposing matrix{side, side, width};
constexpr PermutingRows rows{side, side, width};

using Words = Array<std::int32_t>;

/// A machine with all arrays of the six algorithms.
struct Bench {
  explicit Bench(const std::vector<std::uint32_t>& permutation)
      : machine({.dmms = 1, .width = width, .shared_latency = 1, .global_latency = L},
                {.mode = Mode::lockstep}),
        a(machine.global(), std::vector<std::int32_t>(n), "a"),
        b(machine.global(), n, "b"),
        other(machine.global(), n, "other"),
        p(machine.global(), {permutation.begin(), permutation.end()}, "p"),
        q(machine.global(), inverse(permutation), "q"),
        schedule(bankproof::schedule<std::uint16_t>(std::span<const std::uint32_t>(permutation),
                                                    {side, side}, width)),
        passes{arrays(0), arrays(1), arrays(2)} {
    machine.attach(statistics);
  }

  static std::vector<Address> inverse(const std::vector<std::uint32_t>& permutation) {
    const auto values = inverse_of(std::span<const std::uint32_t>(permutation));
    return {values.begin(), values.end()};
  }
  RowPlanArrays arrays(std::size_t pass) {
    return {machine.global(), std::span<const std::uint16_t>(schedule.passes[pass].s),
            std::span<const std::uint16_t>(schedule.passes[pass].d)};
  }

  Hmm machine;
  Words a, b, other;
  Array<Address> p, q;
  Schedule<std::uint16_t> schedule;
  std::array<RowPlanArrays, 3> passes;
  Statistics statistics;
};

struct Row {
  std::string_view name;
  std::array<std::string_view, 6> rounds;  ///< as printed, in the order of `columns`
  std::uint64_t time;                      ///< the printed form, evaluated
  std::function<Time(Bench&)> run;
};

constexpr std::array<std::string_view, 6> columns = {
    "casual reading",    "casual writing",        "coalesced reading",
    "coalesced writing", "conflict-free reading", "conflict-free writing"};

std::vector<Row> all_rows(std::uint64_t groups) {
  constexpr std::uint64_t warps = n / width;
  return {
      {"D-designated",
       {"-", "1", "2", "-", "-", "-"},
       groups + 2 * warps + 3 * L - 3,
       [](Bench& x) {
         return x.machine.launch({.threads = n}, permute_destination_designated<std::int32_t>, x.a,
                                 x.b, x.p);
       }},
      {"S-designated",
       {"1", "-", "1", "1", "-", "-"},
       groups + 2 * warps + 3 * L - 3,
       [](Bench& x) {
         return x.machine.launch({.threads = n}, permute_source_designated<std::int32_t>, x.a, x.b,
                                 x.q);
       }},
      {"Transpose",
       {"-", "-", "1", "1", "1", "1"},
       4 * warps + 2 * L - 2,
       [](Bench& x) {
         return x.machine.launch(matrix.launch(), transpose<std::int32_t>, x.a, x.b, matrix);
       }},
      {"Row-wise permutation",
       {"-", "-", "3", "1", "2", "2"},
       8 * warps + 4 * L - 4,
       [](Bench& x) {
         return x.machine.launch(rows.launch(), permute_rows<std::int32_t>, x.a, x.b, x.passes[0].s,
                                 x.passes[0].d, rows);
       }},
      {"Column-wise permutation",
       {"-", "-", "5", "3", "4", "4"},
       16 * warps + 8 * L - 8,
       [](Bench& x) { return permute_columns(x.machine, x.a, x.b, x.other, x.passes[1], matrix); }},
      {"Scheduled permutation",
       {"-", "-", "11", "5", "8", "8"},
       32 * warps + 16 * L - 16,
       [](Bench& x) { return permute_scheduled(x.machine, x.a, x.b, x.other, x.passes, matrix); }}};
}

}  // namespace ths_5_1
}  // namespace

SourceTable table_ths_5_1() {
  using namespace ths_5_1;
  SourceTable table{
      "THS:5.1",
      "Rounds of memory access and running time on the HMM",
      "counted and timed in lockstep, bit-reversal of n = 4096, w = 32, l = 1, L = 100, one DMM; "
      "the printed times are their forms at these parameters",
      {}};
  const auto permutation = parse_named("bit-reversal:4096").generate<std::uint32_t>();
  const std::uint64_t groups = distribution(std::span<const std::uint32_t>(permutation), width);
  for (const Row& row : all_rows(groups)) {
    Bench bench(permutation);
    const Time time = row.run(bench);
    const MemoryStatistics global = bench.statistics.of(bench.machine.global());
    const MemoryStatistics shared = bench.statistics.of_banks();
    const std::array<std::uint64_t, 6> rounds = {
        global.declared_reading.casual,        global.declared_writing.casual,
        global.declared_reading.coalesced,     global.declared_writing.coalesced,
        shared.declared_reading.conflict_free, shared.declared_writing.conflict_free};
    for (std::size_t k = 0; k < columns.size(); ++k) {
      table.cells.push_back({std::string(row.name), std::string(columns[k]),
                             std::string(row.rounds[k]),
                             rounds[k] == 0 ? "-" : std::to_string(rounds[k]), ""});
    }
    table.cells.push_back({std::string(row.name), "running time", std::to_string(row.time),
                           std::to_string(time), ""});
  }
  return table;
}

}  // namespace bankproof::cli
