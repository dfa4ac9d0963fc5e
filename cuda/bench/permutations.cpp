// Benchmarks of permutations. Targets are those of the project for an H200.
#include <algorithm>
#include <memory>

#include "../../algorithms/permutation/plan.hpp"
#include "../affine_permutation.hpp"
#include "../permutation.hpp"
#include "../scheduled_permutation.hpp"
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
Benchmark row(const std::string& name, Call call) {
  return {.name = name, .element_bytes = sizeof(T), .peer = {}, .prepare = call};
}

/// b[P(i)] ← a[i] by indices of 4 bytes; `call` has them and both arrays.
template <class T, class Call>
Benchmark indexed_row(const std::string& name, const std::string& peer, Permutation permutation,
                      Call call) {
  Benchmark made = row<T>(name, [=](std::size_t n) -> Run {
    const auto arrays = std::make_shared<Indexed<T>>(permutation(n));
    return [=] { call(*arrays); };
  });
  made.peer = peer;
  return made;
}

/// Plans for all rows of a matrix, as many as there are columns.
struct Plans {
  explicit Plans(const BankPlan<std::int16_t>& plan, std::size_t rows)
      : s(repeated(plan.s, rows)), d(repeated(plan.d, rows)) {}

  PlanTables tables() { return {s.span(), d.span()}; }

  static DeviceArray<std::int16_t> repeated(const std::vector<std::int16_t>& of_row,
                                            std::size_t rows) {
    std::vector<std::int16_t> all;
    all.reserve(rows * of_row.size());
    for (std::size_t row = 0; row < rows; ++row)
      all.insert(all.end(), of_row.begin(), of_row.end());
    return DeviceArray<std::int16_t>(all);
  }

  DeviceArray<std::int16_t> s;
  DeviceArray<std::int16_t> d;
};

/// A schedule of a permutation in which all rows, and all columns, are permuted alike: the kernels
/// take as long for any.
template <class T>
struct Scheduled {
  explicit Scheduled(std::size_t n)
      : side(std::max<std::size_t>(side_of(n) / 32 * 32, 32)),
        passes(plan_of(side), side),
        a(filled<T>(side * side)),
        b(side * side),
        workspace(permute_scheduled_workspace_bytes<T>(side * side, tables())) {}

  ScheduleTables tables() {
    return {side, side, {passes.tables(), passes.tables(), passes.tables()}};
  }
  static BankPlan<std::int16_t> plan_of(std::size_t columns) {
    const std::vector<std::uint32_t> p = random_permutation(columns);
    const auto plan = plan_banks(std::span<const std::uint32_t>(p), Width{128 / sizeof(T)});
    return {plan.width, {plan.s.begin(), plan.s.end()}, {plan.d.begin(), plan.d.end()}};
  }

  std::size_t side;
  Plans passes;
  DeviceArray<T> a;
  DeviceArray<T> b;
  DeviceArray<std::byte> workspace;
};

template <class T>
Benchmark scheduled_row(const std::string& name, bool in_three, double floor, double target) {
  Benchmark made = row<T>(name, [=](std::size_t n) -> Run {
    const auto arrays = std::make_shared<Scheduled<T>>(n);
    return [=] {
      Scheduled<T>& of = *arrays;
      const auto call = in_three ? permute_scheduled_in_three_launches<T> : permute_scheduled<T>;
      call(std::as_const(of.a).span(), of.b.data(), of.tables(), of.workspace.span(), nullptr);
    };
  });
  made.floor = floor;
  made.target = target;
  return made;
}

/// By a formula, without indices.
template <class T>
Benchmark affine_row(const std::string& name) {
  Benchmark made = row<T>(name, [](std::size_t n) -> Run {
    unsigned bits = 0;
    while (std::size_t{2} << bits <= n) ++bits;
    const std::size_t size = std::size_t{1} << bits;
    const auto reversed = [bits](std::uint64_t i) {
      std::uint64_t result = 0;
      for (unsigned bit = 0; bit < bits; ++bit) result |= (i >> bit & 1) << (bits - 1 - bit);
      return result;
    };
    const auto map = bankproof::affine_map_of(bits, reversed);
    const auto a = std::make_shared<DeviceArray<T>>(filled<T>(size));
    const auto b = std::make_shared<DeviceArray<T>>(size);
    return [=] { permute_affine<T>(std::as_const(*a).span(), b->data(), map); };
  });
  made.floor = 1;
  made.target = 1.06;
  return made;
}

template <class T>
void add_rows(const std::string& type, std::vector<Benchmark>& rows) {
  const auto destination = [](Indexed<T>& of) {
    permute_destination_designated<T>(std::as_const(of.a).span(), of.b.data(), of.indices.span());
  };
  const auto source = [](Indexed<T>& of) {
    permute_source_designated<T>(std::as_const(of.a).span(), of.b.data(), of.indices.span());
  };
  const auto add_both = [&](const std::string& kind, Permutation permutation) {
    rows.push_back(indexed_row<T>("permutation_destination." + kind + "." + type,
                                  "thrust.scatter." + kind + "." + type, permutation, destination));
    rows.push_back(indexed_row<T>("permutation_source." + kind + "." + type,
                                  "thrust.gather." + kind + "." + type, permutation, source));
  };
  add_both("random", random_permutation);
  add_both("bit-reversal", bit_reversal);
  // 52 and 36 bytes an element of 4 bytes, over the 8 of a copy; indices of 2 bytes.
  rows.push_back(scheduled_row<T>("permutation_scheduled." + type, false, 6.5, 7.2));
  rows.push_back(scheduled_row<T>("permutation_scheduled_in_three." + type, true, 4.5, 5.0));
  rows.push_back(affine_row<T>("permutation_affine.bit-reversal." + type));
}

/// Those of THS 4.2, in the shared memory of one block.
void add_shared_rows(std::vector<Benchmark>& rows) {
  const auto add = [&](const std::string& kind, Permutation permutation) {
    rows.push_back(indexed_row<float>("permutation_shared_destination." + kind + ".float", "",
                                      permutation, [](Indexed<float>& of) {
                                        permute_destination_designated_in_shared_memory<float>(
                                            std::as_const(of.a).span(), of.b.data(),
                                            of.indices.span(), 1024);
                                      }));
    rows.back().most = 1024;
    rows.push_back(row<float>(
        "permutation_shared_conflict_free." + kind + ".float", [permutation](std::size_t n) -> Run {
          const std::vector<std::uint32_t> p = permutation(n);
          const auto made = plan_banks(std::span<const std::uint32_t>(p), Width{32});
          const BankPlan<std::int16_t> plan{
              made.width, {made.s.begin(), made.s.end()}, {made.d.begin(), made.d.end()}};
          const auto arrays = std::make_shared<Indexed<float>>(p);
          const auto tables = std::make_shared<Plans>(plan, 1);
          return [=] {
            permute_conflict_free_in_shared_memory<float>(std::as_const(arrays->a).span(),
                                                          arrays->b.data(), tables->tables(), 1024);
          };
        }));
    rows.back().most = 1024;
  };
  add("random", random_permutation);
  add("bit-reversal", bit_reversal);
}

}  // namespace

std::vector<Benchmark> benchmarks_of_permutations() {
  std::vector<Benchmark> rows;
  add_rows<float>("float", rows);
  add_shared_rows(rows);
  return rows;
}

}  // namespace bankproof::cuda::bench
