// Observer that draws a run as the sources draw theirs: the requests in the pipeline registers of
// each memory (THS figure 3.3, MOD figure 3, HMM figure 4), and how long each access of a warp
// takes (the time chart of MOD figure 4). For small runs; it keeps every stage.
//
// Time goes to the right. A memory of latency l is a pipeline of l registers, one below the other:
// a stage enters the first when it is served, goes down one each time unit, and is complete after
// the last. Below the memories each warp has a row, with a bar for each of its accesses.
//
// Example, DMM with w = 4 and l = 5, W(0) → {7, 5, 15, 0}, W(1) → {10, 11, 12, 9}: 7, 5 and 0 are
// in register 1 at time 0 and in register 5 at time 4, when 15 is in register 4 and W(1)'s in 3.
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
  explicit PipelineChart(std::string title) : title_(std::move(title)) {}

  void accessed(const AccessEvent& event) override {
    const Memory& memory = event.memory();
    const chart::WarpName warp{event.warp.block(), event.warp.index()};
    const std::string what = (event.is_write() ? "writes " : "reads ") + event.array().name();
    bars_.push_back({warp, event.time, event.completion, what});
    end_ = std::max(end_, event.completion);
    ++boxes_;
    // On the PRAM nobody waits for anybody: its memory is no pipeline.
    if (memory.kind() == MemoryKind::uniform) return;
    const std::size_t pipeline = pipeline_of(memory);
    const std::size_t first = stages_.size();
    for (std::uint64_t s = 0; s < event.stages; ++s) {
      stages_.push_back({pipeline, warp, event.time + s, what, {}});
    }
    for (const ServedWord& word : served_words(event)) {
      chart::Stage& stage = stages_.at(first + word.stage);
      stage.what += (stage.addresses.empty() ? "[" : ", ") + std::to_string(word.index);
      stage.addresses.push_back(word.address);
    }
    for (std::size_t s = first; s < stages_.size(); ++s) {
      stages_[s].what += "]";
      const bool written = memory.width() <= chart::widest_written;
      boxes_ += memory.latency() * (1 + (written ? stages_[s].addresses.size() : 0));
    }
  }

  void launch_ends(const LaunchEvent& event) override { launch_ends_.push_back(event.time); }

  /// Boxes and numbers that the drawing has: its size.
  std::uint64_t boxes() const { return boxes_; }

  const std::vector<chart::Pipeline>& pipelines() const { return pipelines_; }
  const std::vector<chart::Stage>& stages() const { return stages_; }
  const std::vector<chart::Bar>& bars() const { return bars_; }

  /// The addresses in a register, from 1, of a pipeline while the time unit `time` lasts.
  std::vector<Address> in_register(std::size_t pipeline, std::uint64_t number, Time time) const {
    for (const chart::Stage& stage : stages_) {
      if (stage.pipeline == pipeline && stage.time + number == time + 1) return stage.addresses;
    }
    return {};
  }

  /// The picture, as SVG.
  friend std::ostream& operator<<(std::ostream& out, const PipelineChart& drawn) {
    chart::draw(out, {drawn.title_, drawn.pipelines_, drawn.stages_, drawn.bars_,
                      drawn.launch_ends_, drawn.end_});
    return out;
  }

 private:
  std::size_t pipeline_of(const Memory& memory) {
    const auto [found, is_new] = numbers_.try_emplace(memory.name(), pipelines_.size());
    if (is_new) pipelines_.push_back({memory.name(), memory.width(), memory.latency()});
    return found->second;
  }

  std::string title_;
  std::map<std::string, std::size_t> numbers_;  ///< of pipelines, by the memory's name
  std::vector<chart::Pipeline> pipelines_;
  std::vector<chart::Stage> stages_;
  std::vector<chart::Bar> bars_;
  std::vector<Time> launch_ends_;
  Time end_ = 0;
  std::uint64_t boxes_ = 0;
};

}  // namespace bankproof
