// Benchmarks of permutations.
#include <algorithm>
#include <array>
#include <memory>

#include "../../algorithms/permutation/formulas.hpp"
#include "../../algorithms/permutation/plan.hpp"
#include "../../cuda/kernels/permutation/affine_permutation.hpp"
#include "../../cuda/kernels/permutation/permutation.hpp"
#include "../../cuda/kernels/permutation/scheduled_permutation.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

/// Two arrays and a permutation's indices.
template <class T>
struct Indexed {
  explicit Indexed(const std::vector<std::uint32_t>& p)
      : indices(p), a(filled<T>(p.size())), b(p.size()) {}

  DeviceArray<std::uint32_t> indices;
  DeviceArray<T> a;
  DeviceArray<T> b;
};

template <class T, class Call>
Benchmark permutation_row(const std::string& name, Call call) {
  return {.name = name, .element_bytes = sizeof(T), .peer = {}, .prepare = call};
}

/// b[P(i)] ← a[i] by indices of 4 bytes; `call` gets the indices and both arrays.
template <class T, class Call>
Benchmark indexed_row(const std::string& name, const std::string& kind, Call call) {
  return permutation_row<T>(name, [=](std::size_t n) -> Run {
    const auto arrays = std::make_shared<Indexed<T>>(permutation_of(kind, n));
    return [=] { call(*arrays); };
  });
}

/// The plans for all rows of a square matrix.
struct Plans {
  explicit Plans(const BankPlan<std::int16_t>& plan, std::size_t rows)
      : s(repeated(plan.s, rows)), d(repeated(plan.d, rows)) {}

  PlanTables tables() { return {s.span(), d.span()}; }

  static DeviceArray<std::int16_t> repeated(const std::vector<std::int16_t>& of_row,
                                            std::size_t rows) {
    std::vector<std::int16_t> all;
    all.reserve(rows * of_row.size());
    for (std::size_t permutation_row = 0; permutation_row < rows; ++permutation_row)
      all.insert(all.end(), of_row.begin(), of_row.end());
    return DeviceArray<std::int16_t>(all);
  }

  DeviceArray<std::int16_t> s;
  DeviceArray<std::int16_t> d;
};

/// A schedule with the same plan for all rows, and the same plan for all columns: the time of the
/// kernels does not depend on the permutation.
template <class T>
struct Scheduled {
  explicit Scheduled(std::size_t n)
      : side(std::max<std::size_t>(side_of(n) / 32 * 32, 32)),
        passes{Plans(plan_of(side), side), Plans(plan_of(side), side), Plans(plan_of(side), side)},
        a(filled<T>(side * side)),
        b(side * side),
        scratch(permute_scheduled_scratch_bytes<T>(side * side, tables())) {}

  ScheduleTables tables() {
    return {side, side, {passes[0].tables(), passes[1].tables(), passes[2].tables()}};
  }
  static BankPlan<std::int16_t> plan_of(std::size_t columns) {
    const std::vector<std::uint32_t> p = permutation_of("random", columns);
    const auto plan = plan_banks(std::span<const std::uint32_t>(p), Width{128 / sizeof(T)});
    return {plan.width, {plan.s.begin(), plan.s.end()}, {plan.d.begin(), plan.d.end()}};
  }

  std::size_t side;
  std::array<Plans, 3>
      passes;  // three copies, so that a run reads as many bytes as with three plans
  DeviceArray<T> a;
  DeviceArray<T> b;
  DeviceArray<std::byte> scratch;
};

template <class T>
Benchmark scheduled_row(const std::string& name, bool in_three, const Goal& goal) {
  Benchmark made = permutation_row<T>(name, [=](std::size_t n) -> Run {
    const auto arrays = std::make_shared<Scheduled<T>>(n);
    return [=] {
      Scheduled<T>& of = *arrays;
      const auto call = in_three ? permute_scheduled_in_three_launches<T> : permute_scheduled<T>;
      call(std::as_const(of.a).span(), of.b.data(), of.tables(), of.scratch.span(), nullptr);
    };
  });
  made.goal = goal;
  return made;
}

/// A row for a permutation by a formula, without indices.
template <class T, class Formula>
Benchmark affine_row(const std::string& name) {
  Benchmark made = permutation_row<T>("permutation_affine." + name, [](std::size_t n) -> Run {
    unsigned bits = 0;
    while (std::size_t{2} << bits <= n) ++bits;
    const std::size_t size = std::size_t{1} << bits;
    const auto map = bankproof::affine_map_of(
        bits, [formula = Formula{size}](std::uint64_t i) { return formula(i); });
    const auto a = std::make_shared<DeviceArray<T>>(filled<T>(size));
    const auto b = std::make_shared<DeviceArray<T>>(size);
    return [=] { permute_affine<T>(std::as_const(*a).span(), b->data(), map); };
  });
  made.goal = as_a_copy(1.06, 1.03);
  return made;
}

/// What limits random permutations of arrays that are larger than L2. For smaller arrays L2 serves
/// sectors more than once, so there is no floor.
const char* const sectors = "a sector of 32 bytes read or written for each element";

template <class T>
void add_permutations(const std::string& type, std::vector<Benchmark>& rows) {
  const auto destination = [](Indexed<T>& of) {
    permute_destination_designated<T>(std::as_const(of.a).span(), of.b.data(), of.indices.span());
  };
  const auto source = [](Indexed<T>& of) {
    permute_source_designated<T>(std::as_const(of.a).span(), of.b.data(), of.indices.span());
  };
  for (const std::string& kind : permutation_kinds) {
    const std::string name = kind + "." + type;
    Benchmark by_target = indexed_row<T>("permutation_destination." + name, kind, destination);
    Benchmark by_source = indexed_row<T>("permutation_source." + name, kind, source);
    if (kind == "random") by_target.goal.limit = by_source.goal.limit = sectors;
    if (sizeof(T) == 4 && (kind == "random" || kind == "bit-reversal")) {
      by_target.peer = "thrust.scatter." + name;
      by_source.peer = "thrust.gather." + name;
    } else {
      by_target.named_only = by_source.named_only = true;
    }
    rows.push_back(by_target);
    rows.push_back(by_source);
  }
  rows.push_back(affine_row<T, bankproof::formulas::BitReversal>("bit-reversal." + type));
  rows.push_back(affine_row<T, bankproof::formulas::Shuffle>("shuffle." + type));
}

}  // namespace

std::vector<Benchmark> benchmarks_of_permutations() {
  std::vector<Benchmark> rows;
  add_permutations<float>("float", rows);
  add_permutations<double>("double", rows);
  // Floors are relative to a copy, which moves 8 bytes per float or 16 per double. Indices have 2
  // bytes.
  rows.push_back(scheduled_row<float>("permutation_scheduled.float", false,
                                      {6.5, 7.2, 6.8, "52 bytes read and written an element"}));
  rows.push_back(scheduled_row<float>("permutation_scheduled_in_three.float", true,
                                      {4.5, 5.0, 4.7, "36 bytes read and written an element"}));
  rows.push_back(scheduled_row<double>("permutation_scheduled.double", false,
                                       {5.75, 0, 0, "92 bytes read and written an element"}));
  return rows;
}

}  // namespace bankproof::cuda::bench
