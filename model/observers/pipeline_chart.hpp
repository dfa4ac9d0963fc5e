// Observer that draws a run as the sources draw runs: the requests in the pipeline registers of
// each memory (THS figure 3.3, MOD figure 3, HMM figure 4), and the duration of each access of a
// warp (the time chart of MOD figure 4). For small runs; it keeps every stage.
//
// Time goes to the right. A memory of latency l is a pipeline of l registers, one below the other.
// A stage enters the first register when it is served, moves down by one register in each time
// unit, and is complete after the last register. Below the memories each warp has a row, with a bar
// for each of its accesses.
//
// Example, DMM with w = 4 and l = 5, W(0) → {7, 5, 15, 0}, W(1) → {10, 11, 12, 9}: 7, 5 and 0 are
// in register 1 at time 0 and in register 5 at time 4. At time 4, 15 is in register 4, and the
// addresses of W(1) are in register 3.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "../observer.hpp"
#include "pipeline_chart/drawing.hpp"
#include "served.hpp"

namespace bankproof {

class PipelineChart : public Observer {
 public:
  explicit PipelineChart(std::string title) : chart_{.title = std::move(title)} {}

  void accessed(const AccessEvent& event) override {
    const Memory& memory = event.memory();
    const chart::WarpName warp{event.warp.block(), event.warp.index()};
    const Operation operation = event.access.operation;
    const std::string what = (event.is_write() ? "writes " : "reads ") + event.array().name();
    chart_.warps.insert(warp);
    chart_.bars.push_back({warp, event.time, event.completion, operation, what});
    chart_.end = std::max(chart_.end, event.completion);
    // On the PRAM no access waits for another: its memory is no pipeline.
    if (memory.kind() == MemoryKind::uniform) return;
    const std::size_t pipeline = pipeline_of(memory);
    const bool narrow = memory.width() <= chart::widest_written;
    const std::size_t first = chart_.stages.size();
    for (std::uint64_t s = 0; s < event.stages; ++s) {
      chart_.stages.push_back({pipeline, warp, event.time + s, operation, what, {}});
    }
    for (const ServedWord& word : served_words(event)) {
      chart::Stage& stage = chart_.stages.at(first + word.stage);
      stage.what += (stage.addresses.empty() ? "[" : ", ") + std::to_string(word.index);
      stage.addresses.push_back(word.address);
      if (narrow) chart_.highest = std::max(chart_.highest, word.address);
    }
    for (std::size_t s = first; s < chart_.stages.size(); ++s) chart_.stages[s].what += "]";
  }

  void launch_ends(const LaunchEvent& event) override { chart_.launch_ends.push_back(event.time); }

  /// The chart that is drawn.
  const chart::Chart& chart() const { return chart_; }
  const std::vector<chart::Pipeline>& pipelines() const { return chart_.pipelines; }
  const std::vector<chart::Stage>& stages() const { return chart_.stages; }
  const std::vector<chart::Bar>& bars() const { return chart_.bars; }

  /// The addresses in register `number`, counted from 1, of a pipeline during the time unit `time`.
  std::vector<Address> in_register(std::size_t pipeline, std::uint64_t number, Time time) const {
    for (const chart::Stage& stage : chart_.stages) {
      if (stage.pipeline == pipeline && stage.time + number == time + 1) return stage.addresses;
    }
    return {};
  }

  /// The picture, as SVG.
  friend std::ostream& operator<<(std::ostream& out, const PipelineChart& drawn) {
    chart::draw(out, drawn.chart_);
    return out;
  }

 private:
  std::size_t pipeline_of(const Memory& memory) {
    const auto [found, is_new] = numbers_.try_emplace(memory.name(), chart_.pipelines.size());
    if (is_new) chart_.pipelines.push_back({memory.name(), memory.width(), memory.latency()});
    return found->second;
  }

  chart::Chart chart_;
  std::map<std::string, std::size_t> numbers_;  ///< of pipelines, by the memory's name
};

}  // namespace bankproof
