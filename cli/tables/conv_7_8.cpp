// CONV 7.8, exercises 1 and 4 to 7 (row K8): compares closed forms with counts. The counts come
// from machines that ran; for masks that the machines do not have, they come from the terms of all
// outputs.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../algorithms/machines.hpp"
#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

/// Counts the reads of N, and the blocks, threads and shared words of the launch.
class Counter : public Observer {
 public:
  std::uint64_t reads = 0;
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;

  void launch_begins(const LaunchEvent& event) override { threads = event.launch.threads; }
  void block_begins(const BlockEvent&) override { ++blocks; }
  void accessed(const AccessEvent& event) override {
    if (event.memory().kind() == MemoryKind::banks) {
      shared_[event.warp.block()] = event.array().size();
    } else if (event.array().name() == "N") {
      reads += static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
    }
  }
  /// The words of all blocks; each block has one array.
  std::uint64_t shared_words() const {
    std::uint64_t sum = 0;
    for (const auto& [block, words] : shared_) sum += words;
    return sum;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> shared_;
};

Task task_of(std::string_view variant, std::uint64_t rows, std::uint64_t columns, std::uint64_t m,
             std::uint64_t t, bool nearest) {
  Task task{variant, Sizes(TiledConvolution::size_keys), {.w = 4, .p = 64}};
  task.sizes.set("rows", rows);
  task.sizes.set("columns", columns);
  task.sizes.set("v", m / 2);
  task.sizes.set("t", t);
  task.sizes.set("nearest", nearest ? 1 : 0);
  return task;
}

Counter run_counted(const Task& task, const Inputs<std::int64_t>& inputs,
                    std::int64_t* first = nullptr) {
  Counter counter;
  with_machine(task.machine, {}, [&](auto& machine) {
    machine.attach(counter);
    const auto outcome = TiledConvolution::run<std::int64_t>(task, machine, inputs);
    if (first != nullptr) *first = outcome.values[0];
    return 0;
  });
  return counter;
}
Counter run_counted(const Task& task) {
  Inputs<std::int64_t> inputs;
  for (const Shape& shape : TiledConvolution::inputs(task)) inputs.emplace_back(shape.size(), 1);
  return run_counted(task, inputs);
}

/// Counts the terms of all outputs of a rows × columns image with a down × across mask, one by one.
struct Terms {
  std::uint64_t all = 0;
  std::uint64_t inside = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> halo;  ///< needed cells outside of the image

  Terms(std::int64_t rows, std::int64_t columns, std::int64_t down, std::int64_t across) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        for (std::int64_t s = -(down / 2); s <= down / 2; ++s) {
          for (std::int64_t u = -(across / 2); u <= across / 2; ++u) {
            ++all;
            const bool is_inside = i + s >= 0 && i + s < rows && j + u >= 0 && j + u < columns;
            is_inside ? void(++inside) : void(halo.insert({i + s, j + u}));
          }
        }
      }
    }
  }
};

void add(SourceTable& table, std::string row, std::string column, std::uint64_t form,
         std::uint64_t counted) {
  table.cells.push_back(
      {std::move(row), std::move(column), std::to_string(form), std::to_string(counted), ""});
}

/// The number of terms that read ghost cells, for a mask of width m = 2v + 1 on a line of at least
/// v elements: v(v + 1).
std::uint64_t ghosts(std::uint64_t m) { return m / 2 * (m / 2 + 1); }

void exercise_4(SourceTable& table, std::uint64_t n, std::uint64_t m) {
  const std::string row = fmt::format("4: n = {}, m = {}", n, m);
  const Terms terms(1, static_cast<std::int64_t>(n), 1, static_cast<std::int64_t>(m));
  add(table, row, "halo cells: m − 1", m - 1, terms.halo.size());
  add(table, row, "products, ghosts too: nm", n * m,
      run_counted(task_of("1d-basic", 1, n, m, 4, true)).reads);
  add(table, row, "products: nm − v(v+1)", n * m - ghosts(m),
      run_counted(task_of("1d-basic", 1, n, m, 4, false)).reads);
}

void exercise_5(SourceTable& table, std::uint64_t n, std::uint64_t m) {
  const std::string row = fmt::format("5: n = {}, m = {}", n, m);
  const auto side = static_cast<std::int64_t>(n);
  const auto mask = static_cast<std::int64_t>(m);
  add(table, row, "halo cells: (n+m−1)² − n²", (n + m - 1) * (n + m - 1) - n * n,
      Terms(side, side, mask, mask).halo.size());
  add(table, row, "products, ghosts too: n²m²", n * n * m * m,
      run_counted(task_of("2d-basic", n, n, m, 4, true)).reads);
  add(table, row, "products: (nm − v(v+1))²", (n * m - ghosts(m)) * (n * m - ghosts(m)),
      run_counted(task_of("2d-basic", n, n, m, 4, false)).reads);
}

void exercise_6(SourceTable& table, std::uint64_t n1, std::uint64_t n2, std::uint64_t m1,
                std::uint64_t m2) {
  const std::string row = fmt::format("6: {} x {}, mask {} x {}", n1, n2, m1, m2);
  const auto whole = [](std::uint64_t x) { return static_cast<std::int64_t>(x); };
  const Terms terms(whole(n1), whole(n2), whole(m1), whole(m2));
  add(table, row, "halo cells: (n1+m1−1)(n2+m2−1) − n1n2", (n1 + m1 - 1) * (n2 + m2 - 1) - n1 * n2,
      terms.halo.size());
  add(table, row, "products, ghosts too: n1n2m1m2", n1 * n2 * m1 * m2, terms.all);
  add(table, row, "products: (n1m1 − v1(v1+1))(n2m2 − v2(v2+1))",
      (n1 * m1 - ghosts(m1)) * (n2 * m2 - ghosts(m2)), terms.inside);
}

void exercise_7(SourceTable& table, std::uint64_t n, std::uint64_t m, std::uint64_t t) {
  const std::string row = fmt::format("7: n = {}, m = {}, t = {}", n, m, t);
  const std::uint64_t blocks = (n + t - 1) / t;
  const Counter tiled = run_counted(task_of("1d-tiled", 1, n, m, t, false));
  const Counter cached = run_counted(task_of("1d-cached", 1, n, m, t, false));
  add(table, row, "blocks: ⌈n/t⌉", blocks, tiled.blocks);
  add(table, row, "threads a block: t", t, tiled.threads);
  add(table, row, "shared words: ⌈n/t⌉(t+m−1)", blocks * (t + m - 1), tiled.shared_words());
  add(table, row, "(d) blocks: ⌈n/t⌉", blocks, cached.blocks);
  add(table, row, "(d) threads a block: t", t, cached.threads);
  add(table, row, "(d) shared words: ⌈n/t⌉t", blocks * t, cached.shared_words());
}

}  // namespace

SourceTable table_conv_7_8() {
  SourceTable table{"CONV:7.8",
                    "Exercises 1 and 4 to 7",
                    "closed forms for n of at least v, where v is the radius of a mask that is m "
                    "wide. Here: counts on machines that ran; for halo cells and exercise 6, "
                    "counts over all terms of all outputs",
                    {}};
  table.reference = "the form says";
  std::int64_t first = 0;
  // Figure 7.3 has N = 1 … 7 and M = 3, 4, 5, 4, 3.
  run_counted(task_of("1d-basic", 1, 7, 5, 4, false), {{1, 2, 3, 4, 5, 6, 7}, {3, 4, 5, 4, 3}},
              &first);
  table.cells.push_back({"1: figure 7.3", "P[0]: 5·1 + 4·2 + 3·3", std::to_string(5 + 8 + 9),
                         std::to_string(first), ""});
  for (const auto& [n, m] : {std::pair<std::uint64_t, std::uint64_t>{5, 3}, {16, 5}, {64, 9}}) {
    exercise_4(table, n, m);
  }
  for (const auto& [n, m] : {std::pair<std::uint64_t, std::uint64_t>{5, 3}, {16, 5}, {20, 9}}) {
    exercise_5(table, n, m);
  }
  exercise_6(table, 6, 9, 3, 5);
  exercise_6(table, 12, 7, 5, 3);
  exercise_7(table, 64, 5, 16);
  exercise_7(table, 100, 9, 16);
  return table;
}

}  // namespace bankproof::cli
