// OPT IV and VI (rows I4, X4): when latency is hidden, and whether bandwidth or computation binds.
// The cells are boundaries between regimes, from counted stages and rounds; the charts show
// machines that ran.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../algorithms/machines.hpp"
#include "opt.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

/// The number of threads on all DMMs for which the latency of global memory's rounds equals the
/// stages of these rounds.
double hiding_threads(const Task& task) {
  const OptTime time(task);
  return static_cast<double>(task.machine.threads()) * time.latency / time.bandwidth;
}
/// The number of threads on one DMM for which the latency of shared memory's rounds equals the
/// stages of these rounds.
double hiding_threads_of_dmm(const Task& task) {
  const OptTime time(task);
  return static_cast<double>(task.machine.p) * time.shared_latency / time.computation;
}
/// The number of DMMs for which global memory takes as many stages as shared memory.
double balancing_dmms(const Task& task) {
  const OptTime time(task);
  return static_cast<double>(task.machine.d) * time.computation / time.bandwidth;
}

/// The overlapped time of a machine that runs the task.
template <class A>
double run(const Task& task) {
  Inputs<std::uint64_t> inputs;
  for (const Shape& shape : A::inputs(task)) inputs.emplace_back(shape.size(), 1);
  return with_machine(task.machine, {}, [&](auto& machine) {
    return static_cast<double>(A::template run<std::uint64_t>(task, machine, inputs).time);
  });
}

/// A chart with wL/(dp) on its x axis, and on its y axis the measured time divided by the stages of
/// global memory.
template <class A>
Chart executed(const Task& task) {
  Chart chart{{"wL/(dp)"}, {"time, in stages of global memory"}, {}};
  for (const std::uint64_t p : {16U, 32U, 64U}) {
    Series line{fmt::format("p = {}", p), {}};
    const std::uint64_t threads = task.machine.d * p;
    for (std::uint64_t L = threads / task.machine.w / 16; L <= threads / task.machine.w * 16;
         L *= 2) {
      const Task one = with(task, {{'p', p}, {'L', L}});
      const double x = static_cast<double>(task.machine.w * L) / static_cast<double>(threads);
      line.points.push_back({x, run<A>(one) / OptTime(one).bandwidth});
    }
    chart.lines.push_back(line);
  }
  chart.marks.push_back({"as many threads as registers", 1});
  return chart;
}

constexpr std::string_view how =
    "cells: how the boundary between two parts of the lockstep time grows with each letter, from "
    "counted stages and rounds; chart: machines that ran in overlapped mode, w = 8, l = 1, d = 16";

}  // namespace

SourceTable table_opt_iv() {
  const Task narrow =
      with(conv_hmm(),
           {{'n', 1024}, {'w', 64}, {'v', 2}, {'l', 1024}, {'L', 1024}, {'d', 16}, {'p', 256}});
  const Task wide =
      with(conv_hmm(),
           {{'n', 16384}, {'w', 8192}, {'v', 64}, {'l', 1}, {'L', 1}, {'d', 1}, {'p', 8192}});
  const auto text = [](double (*boundary)(const Task&), const Task& task, const char* letters) {
    return Growth::measured(boundary, task, letters, 0).text();
  };
  return {"OPT:IV",
          "Image convolution: where latency is hidden, and what binds",
          std::string(how) + ", n = 64, v = 1",
          {{"L is hidden from dp =", "times a constant", "wL", text(hiding_threads, narrow, "wLdp"),
            ""},
           {"l is hidden from p =", "times a constant", "wl",
            text(hiding_threads_of_dmm, narrow, "wldp"), ""},
           {"bandwidth binds from d =", "times a constant", "v²", text(balancing_dmms, wide, "vdp"),
            ""}},
          executed<ImageConvolution>(
              with(conv_hmm(), {{'n', 64}, {'w', 8}, {'v', 1}, {'l', 1}, {'d', 16}}))};
}

SourceTable table_opt_vi() {
  const Task base =
      with(mul_hmm(),
           {{'n', 2048}, {'w', 32}, {'m', 64}, {'l', 1024}, {'L', 1024}, {'d', 4}, {'p', 1024}});
  const auto text = [&](double (*boundary)(const Task&), const char* letters) {
    return Growth::measured(boundary, base, letters, 0).text();
  };
  return {
      "OPT:VI",
      "Matrix product: where latency is hidden, and what binds",
      std::string(how) + ", n = 64, m = 8",
      {{"L is hidden from dp =", "times a constant", "wL", text(hiding_threads, "wLdpm"), ""},
       {"l is hidden from p =", "times a constant", "wl", text(hiding_threads_of_dmm, "wldpm"), ""},
       {"bandwidth binds from d =", "times a constant", "m", text(balancing_dmms, "mdpw"), ""}},
      executed<MatrixProduct>(
          with(mul_hmm(), {{'n', 64}, {'w', 8}, {'m', 8}, {'l', 1}, {'d', 16}}))};
}

}  // namespace bankproof::cli
