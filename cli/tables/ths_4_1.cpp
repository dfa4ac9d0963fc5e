// THS table 4.1 (row R7): which arrays each algorithm for permuting reads and writes, and how
// often. Counted on the DMM.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/permutation/conflicts.hpp"
#include "../../algorithms/permutation/named.hpp"
#include "../../algorithms/permutation/permute.hpp"
#include "../../algorithms/permutation/plan.hpp"
#include "../../model/observers/array_counts.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {
namespace ths_4_1 {

constexpr std::uint64_t n = 1024;
using Words = Array<std::int32_t>;

struct Row {
  std::string name;
  std::array<std::string_view, 8> printed;  ///< of a b p q s d, then of all reads, of all writes
};

constexpr std::array<std::string_view, 6> arrays = {"a", "b", "p", "q", "s", "d"};

std::string times_n(std::uint64_t count) {
  if (count == n) return "n";
  return count % n == 0 ? fmt::format("{}n", count / n) : std::to_string(count);
}

/// Appends the cells of one algorithm's row.
void append(std::vector<TableCell>& cells, const Row& row,
            const std::map<std::string, ArrayCounts::Requests>& counted) {
  ArrayCounts::Requests sum;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    std::string here;
    if (const auto found = counted.find(std::string(arrays[k])); found != counted.end()) {
      const auto& [reads, writes] = found->second;
      sum.reads += reads;
      sum.writes += writes;
      here = (reads > 0 ? "r" : "") + std::string(writes > 0 ? "w" : "");
    }
    cells.push_back({row.name, std::string(arrays[k]), std::string(row.printed[k]), here, ""});
  }
  cells.push_back({row.name, "read", std::string(row.printed[6]), times_n(sum.reads), ""});
  cells.push_back({row.name, "write", std::string(row.printed[7]), times_n(sum.writes), ""});
}

}  // namespace ths_4_1
}  // namespace

SourceTable table_ths_4_1() {
  using namespace ths_4_1;
  SourceTable table{"THS:4.1",
                    "Memory access by each algorithm",
                    "counted on a DMM, for a random permutation of n = 1024",
                    {}};
  const auto permutation = parse_named("random:1024").generate<std::uint32_t>();
  const std::span<const std::uint32_t> p_values(permutation);
  const BankPlan<std::uint32_t> plan = plan_banks(p_values, Width{32});
  Dmm machine({.width = 32, .latency = 1});
  Words a(machine.memory(), std::vector<std::int32_t>(n), "a");
  Words b(machine.memory(), n, "b");
  Array<Address> p(machine.memory(), addresses_of(permutation), "p");
  Array<Address> q(machine.memory(), addresses_of(inverse_of(p_values)), "q");
  Array<Address> s(machine.memory(), addresses_of(plan.s), "s");
  Array<Address> d(machine.memory(), addresses_of(plan.d), "d");
  ArrayCounts counts;
  machine.attach(counts);
  const Launch launch{.threads = n};
  machine.launch(launch, copy_in_order<std::int32_t>, a, b);
  append(table.cells, {"Copy", {"r", "w", "", "", "", "", "n", "n"}}, counts.take());
  machine.launch(launch, permute_destination_designated<std::int32_t>, a, b, p);
  append(table.cells, {"D-designated", {"r", "w", "r", "", "", "", "2n", "n"}}, counts.take());
  machine.launch(launch, permute_source_designated<std::int32_t>, a, b, q);
  append(table.cells, {"S-designated", {"r", "w", "", "r", "", "", "2n", "n"}}, counts.take());
  machine.launch(launch, permute_conflict_free<std::int32_t>, a, b, s, d);
  append(table.cells, {"Conflict-free", {"r", "w", "", "", "r", "r", "3n", "n"}}, counts.take());
  return table;
}

}  // namespace bankproof::cli
