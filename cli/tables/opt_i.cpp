// OPT table I (rows I2, I4, X2): the parts of the times of image convolution and matrix product on
// the HMM, and their shared memory. The times come from the closed forms, which random machines in
// lockstep meet exactly.
#include <cstdint>
#include <string>
#include <vector>

#include "limits.hpp"
#include "opt.hpp"

namespace bankproof::cli {
namespace {

double image_words(const Task& task) {
  return static_cast<double>(ImageConvolution::shared_words(task));
}
double matrix_words(const Task& task) {
  return static_cast<double>(MatrixProduct::shared_words(task));
}

/// The sequential time: on one memory of width and latency 1, each access takes a time unit.
template <class A>
double sequential(const Task& task) {
  Task one = task;
  one.variant = A::variants[0].name;
  one.machine = {.machine = MachineKind::dmm, .w = 1, .l = 1, .p = std::uint64_t{1} << 26};
  return static_cast<double>(lockstep_time(A::cost(one), one.machine));
}

void append_limit(std::vector<TableCell>& cells, const LimitRow& row) {
  for (const Limit& limit : row.limits) {
    const Growth here = Growth::measured(row.time, limit.regime, row.letters, 0);
    cells.push_back(
        {row.name, std::string(limit.kind), std::string(limit.printed), here.text(), ""});
  }
}

}  // namespace

SourceTable table_opt_i() {
  SourceTable table{"OPT:I",
                    "The parts of the times of image convolution and matrix product",
                    "how the exact time in lockstep, or the number of shared words of a block, "
                    "grows with each letter where the part dominates",
                    {}};
  const Task image = conv_hmm();
  const Task few = with(image, {{'n', 1024}, {'w', 128}, {'v', 32}});
  append_limit(table.cells, {"Image convolution",
                             sequential<ImageConvolution>,
                             "nv",
                             {{"sequential", "n²v²", with(image, {{'n', 4096}, {'v', 64}})}}});
  append_limit(
      table.cells,
      {"Image convolution",
       opt_time,
       "nvwLldp",
       {{"bandwidth", "n²/w",
         with(image,
              {{'n', 4096}, {'w', 64}, {'v', 1}, {'l', 1}, {'L', 1}, {'d', 256}, {'p', 1024}})},
        {"latency", "n²L/(dp)",
         with(image,
              {{'n', 2048}, {'w', 64}, {'v', 1}, {'l', 1}, {'L', 1 << 20}, {'d', 4}, {'p', 128}})},
        {"shared bandwidth", "n²v²/(dw)",
         with(few, {{'n', 2048}, {'l', 1}, {'L', 1}, {'d', 1}, {'p', 8192}})},
        {"shared latency", "n²v²l/(dp)",
         with(few, {{'n', 2048}, {'l', 1 << 20}, {'L', 1}, {'d', 4}, {'p', 1024}})}}});
  append_limit(table.cells, {"Image convolution",
                             image_words,
                             "wd",
                             {{"capacity", "w²", with(image, {{'w', 1024}, {'v', 1}})}}});

  const Task matrix = mul_hmm();
  append_limit(table.cells, {"Matrix product",
                             sequential<MatrixProduct>,
                             "n",
                             {{"sequential", "n³", with(matrix, {{'n', 1024}})}}});
  append_limit(
      table.cells,
      {"Matrix product",
       opt_time,
       "mnwLldp",
       {{"bandwidth", "n³/(mw)",
         with(matrix,
              {{'n', 1024}, {'w', 8}, {'m', 16}, {'l', 1}, {'L', 1}, {'d', 1024}, {'p', 128}})},
        {"latency", "n³L/(mdp)",
         with(matrix,
              {{'n', 1024}, {'w', 8}, {'m', 32}, {'l', 1}, {'L', 1 << 24}, {'d', 4}, {'p', 128}})},
        {"shared bandwidth", "n³/(dw)",
         with(matrix,
              {{'n', 1024}, {'w', 16}, {'m', 64}, {'l', 1}, {'L', 1}, {'d', 1}, {'p', 1024}})},
        {"shared latency", "n³l/(dp)",
         with(matrix, {{'n', 1024},
                       {'w', 16},
                       {'m', 64},
                       {'l', 1 << 20},
                       {'L', 1},
                       {'d', 4},
                       {'p', 1024}})}}});
  append_limit(table.cells, {"Matrix product",
                             matrix_words,
                             "mwd",
                             {{"capacity", "m²", with(matrix, {{'m', 64}, {'w', 16}})}}});
  return table;
}

}  // namespace bankproof::cli
