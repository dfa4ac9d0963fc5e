// THS table 6.1 (rows A2–A9): accesses, barriers and the global memory access cost of the summed
// area tables. Counted on machines that ran them. The counts for all sizes have a common form; the
// table prints its greatest terms, the notes print all terms.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/machines.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"
#include "sat_counts.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {
namespace ths_6_1 {

struct Row {
  std::string_view name;
  std::string_view variant;
  std::uint64_t part;  ///< for hybrid: T/t, or 0 if the row is for all r
  std::array<std::string_view, 5> printed;
  std::array<std::string_view, 5> errata;
  std::size_t terms_of_barriers;  ///< how many the table prints
  std::size_t terms_of_latency;
};

constexpr std::array<std::string_view, 5> columns = {"coalesced R/W", "stride R/W", "shared R/W",
                                                     "barriers", "cost"};
constexpr std::string_view shared = "THS table 6.1, shared";
constexpr std::string_view costs = "THS table 6.1, cost";

/// The printed cells for a recursion depth of 0, with products multiplied out; L is the latency.
constexpr std::array<Row, 7> rows = {{
    {"2R2W", "2R2W", 0, {"n/n", "n/n", "-", "1", "2n + 2n/w + 2L"}, {}, 1, 1},
    {"4R4W", "4R4W", 0, {"4n/4n", "-", "n/n", "3", "8n/w + 4L"}, {"", "", shared}, 1, 1},
    {"4R1W", "4R1W", 0, {"-", "4n/n", "-", "2√n", "5n + (2√n)L"}, {}, 1, 1},
    {"2R1W", "2R1W", 0, {"2n/n", "-", "4n/4n", "2", "3n/w + 3L"}, {"", "", shared}, 1, 1},
    {"1R1W", "1R1W", 0, {"n/n", "-", "2n/2n", "2√n/w", "2n/w + (2√n/w)L"}, {"", "", shared}, 1, 1},
    {"1.25R1W",
     "hybrid",
     2,
     {"1.25n/n", "-", "2.5n/2.5n", "√n/w + 4", "1.25n/w + (√n/w + 5)L"},
     {"", "", shared, "", costs},
     2,
     2},
    {"(1+r)R1W",
     "hybrid",
     0,
     {"(1+r)n/n", "-", "(2+√r)n/(2+√r)n", "2√n/w − 2√r √n/w + 4",
      "(1+r)n/w + (2√n/w − 2√r √n/w + 5)L"},
     {"", "", shared, "", costs},
     3,
     3},
}};

/// (c + c'r) times a power: "2n", "(1+r)n"; "" for 0.
std::string product(double constant, double of_r, std::string_view power) {
  if (of_r != 0) {
    return fmt::format("({}+{}r){}", constant, of_r == 1 ? "" : fmt::format("{}", of_r), power);
  }
  if (constant == 0) return "";
  return constant == 1 ? std::string(power) : fmt::format("{}{}", constant, power);
}
std::string both(const std::string& reads, const std::string& writes) {
  if (reads.empty() && writes.empty()) return "-";
  return (reads.empty() ? "-" : reads) + "/" + (writes.empty() ? "-" : writes);
}

std::string whole(const Polynomial& reads, const Polynomial& writes) {
  return "reads " + reads.text() + ", writes " + writes.text();
}

/// The forms of the counts of a row.
struct Forms {
  Polynomial reads, writes, accesses, shared_reads, shared_writes;
  Polynomial barriers;
  Polynomial intervals;     ///< intervals between barriers
  double stride_reads = 0;  ///< as a multiple of n
  double stride_writes = 0;
  std::string coalesced_note, stride_note;  ///< the forms in full

  explicit Forms(const Row& row) {
    const std::vector<TileSizes> sizes = sat_samples(row.variant, row.part);
    std::vector<SatAccesses> counts;
    counts.reserve(sizes.size());
    for (const TileSizes& one : sizes) counts.push_back(count_sat(row.variant, one));
    const auto form = [&](auto count) {
      std::vector<Sample> samples;
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        // If r is fixed, T determines t, so the form does not contain t.
        const TileSizes at{sizes[k].T, sizes[k].w, row.part > 0 ? 0 : sizes[k].t};
        samples.push_back({at, static_cast<double>(count(counts[k]))});
      }
      return polynomial_of(samples);
    };
    reads = form([](const SatAccesses& x) { return x.reads; });
    writes = form([](const SatAccesses& x) { return x.writes; });
    accesses = form([](const SatAccesses& x) { return x.reads + x.writes; });
    shared_reads = form([](const SatAccesses& x) { return x.shared_reads; });
    shared_writes = form([](const SatAccesses& x) { return x.shared_writes; });
    barriers = form([](const SatAccesses& x) { return x.barriers; });
    intervals = form([](const SatAccesses& x) { return x.barriers + 1; });
    const auto multiple = [&](std::uint64_t count) {
      const auto side = static_cast<double>(sizes.back().T * sizes.back().w);
      return std::round(static_cast<double>(count) / (side * side));
    };
    stride_reads = multiple(counts.back().stride_reads);
    stride_writes = multiple(counts.back().stride_writes);
    if (stride_reads == 0) {
      coalesced_note = whole(reads, writes);
    } else if (stride_reads == reads.leading()) {
      stride_note = whole(reads, writes);
    } else {
      coalesced_note = whole(form([](const SatAccesses& x) { return x.reads - x.stride_reads; }),
                             form([](const SatAccesses& x) { return x.writes - x.stride_writes; }));
      stride_note = whole(form([](const SatAccesses& x) { return x.stride_reads; }),
                          form([](const SatAccesses& x) { return x.stride_writes; }));
    }
  }
  double coalesced(int of_t) const {
    const double stride = of_t == 0 ? stride_reads + stride_writes : 0;
    return reads.leading(of_t) + writes.leading(of_t) - stride;
  }
};

std::string cost_text(const Forms& forms, std::size_t terms) {
  std::string text = product(forms.stride_reads + forms.stride_writes, 0, "n");
  const std::string coalesced = product(forms.coalesced(0), forms.coalesced(2), "n/w");
  if (!text.empty() && !coalesced.empty()) text += " + ";
  text += coalesced;
  const std::string factor = forms.intervals.text(terms);
  const bool number = factor.find_first_not_of("0123456789") == std::string::npos;
  return text + (number ? " + " + factor + "L" : " + (" + factor + ")L");
}

void append(std::vector<TableCell>& cells, const Row& row, const Forms& forms) {
  const auto leading = [](const Polynomial& form, double but) {
    return product(form.leading() - but, form.leading(2), "n");
  };
  const std::array<std::string, 5> here = {
      both(leading(forms.reads, forms.stride_reads), leading(forms.writes, forms.stride_writes)),
      both(product(forms.stride_reads, 0, "n"), product(forms.stride_writes, 0, "n")),
      both(leading(forms.shared_reads, 0), leading(forms.shared_writes, 0)),
      forms.barriers.text(row.terms_of_barriers), cost_text(forms, row.terms_of_latency)};
  const std::array<std::string, 5> notes = {
      forms.coalesced_note, forms.stride_note,
      here[2] == "-" ? "" : whole(forms.shared_reads, forms.shared_writes),
      forms.barriers.parts.size() > row.terms_of_barriers ? forms.barriers.text() : "", ""};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    cells.push_back({std::string(row.name), std::string(columns[k]), std::string(row.printed[k]),
                     here[k], std::string(row.errata[k]), notes[k]});
  }
}

/// The factor of the latency in the cost of a row, as a lemma, a theorem or a section states it
/// outside of the table.
struct Statement {
  std::string_view name;
  std::string_view latencies;
  std::string_view erratum;
};
constexpr std::array<Statement, 7> statements = {
    {{"lemma 6.2.1, 2R2W", "2", ""},
     {"lemma 6.2.2, 4R4W", "4", ""},
     {"lemma 6.4.1, 4R1W", "2√n − 1", ""},
     {"lemma 6.3.1, 2R1W", "3", ""},
     {"theorem 6.4.2, 1R1W", "2√n/w − 2", "THS theorem 6.4.2"},
     {"section 6.5, 1.25R1W", "√n/w + 5", ""},
     {"theorem 6.5.1, (1+r)R1W", "2√n/w − 2√r √n/w + 5", ""}}};

/// The counts with one recursion; `more` has the accesses that the recursion adds.
struct Recursion {
  std::string_view name;
  std::string_view variant;
  std::string_view barriers;
  std::string_view more;
};
constexpr std::array<Recursion, 2> recursions = {
    {{"2R1W, d = 1", "2R1W", "4",
      "for M of m × m words, m = √n/w − 1 and k = ⌈m/w⌉ − 1: m² + (8k − 2)m + 4k² more accesses"},
     {"(1+r)R1W, d = 1", "hybrid", "2√n/w − 2√r √n/w + 8",
      "for m = √r √n/w − 1 with s = m(m − 1)/2 sums, and for m = √r √n/w with s = m(m + 1)/2 sums, "
      "where k = ⌈m/w⌉ − 1: s + (8k − 2)m + 4k² more accesses"}}};

/// Adds a line with the ratio of time to cost, on machines that run a row in overlapped mode. Also
/// adds a cell that says whether the time is never less than the cost (A9).
void compare_with_times(SourceTable& table, const Row& row) {
  constexpr std::uint64_t w = 8;
  constexpr std::uint64_t L = 64;
  Series line{std::string(row.name), {}};
  bool holds = true;
  for (const std::uint64_t T : {2U, 4U, 8U, 16U}) {
    const std::uint64_t side = T * w;
    Task task{row.variant,
              Sizes(SummedAreaTable::size_keys),
              {.w = w, .l = 1, .L = L, .d = 8, .p = w * w}};
    task.sizes.set("rows", side);
    task.sizes.set("columns", side);
    task.sizes.set("t", row.part == 0 ? 0 : T / row.part);
    const double cost = count_sat(row.variant, {T, w, task.sizes["t"]}).cost(task.machine);
    const auto time = with_machine(task.machine, {}, [&](auto& machine) {
      return SummedAreaTable::run<std::uint64_t>(task, machine,
                                                 {std::vector<std::uint64_t>(side * side)})
          .time;
    });
    line.points.push_back({static_cast<double>(side), static_cast<double>(time) / cost});
    holds = holds && static_cast<double>(time) >= cost;
  }
  table.chart.lines.push_back(line);
  table.cells.push_back({line.name, "time ≥ cost", "yes", holds ? "yes" : "no", ""});
}

}  // namespace ths_6_1
}  // namespace

SourceTable table_ths_6_1() {
  using namespace ths_6_1;
  SourceTable table{
      "THS:6.1",
      "The performance of the summed area tables",
      "leading terms of the counts of machines that ran. The forms hold for all sizes that were "
      "tried, with whole tiles and without recursion. Notes: the forms in full; a kind of access "
      "that has only smaller terms is counted with the other kind. Cost: C/w + S + (B + 1)(L − 1) "
      "from the counts. Chart: the ratio of time to cost, on machines that ran in overlapped mode, "
      "w = 8, l = 1, L = 64, d = 8",
      {},
      {{"√n"}, {"time / cost"}, {}}};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Forms forms(rows[k]);
    append(table.cells, rows[k], forms);
    const Statement& statement = statements[k];
    table.cells.push_back({std::string(statement.name), "latencies",
                           std::string(statement.latencies), forms.intervals.text(),
                           std::string(statement.erratum)});
    if (rows[k].variant == "2R1W") {
      table.cells.push_back({std::string(statement.name), "accesses", "3n + 8n/w",
                             forms.accesses.text(2), "", forms.accesses.text()});
    }
  }
  for (const Recursion& recursion : recursions) {
    const std::vector<TileSizes> sizes = sat_samples_with_recursion(recursion.variant);
    table.cells.push_back({std::string(recursion.name), "barriers", std::string(recursion.barriers),
                           sat_form(recursion.variant, sizes, &SatAccesses::barriers).text(), "",
                           std::string(recursion.more)});
  }
  for (const Row& row : rows) {
    if (row.variant != "hybrid" || row.part != 0) compare_with_times(table, row);
  }
  return table;
}

}  // namespace bankproof::cli
