// What launches do in the interpreter and on compiled code, to compare both.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/exec/compiled_code.hpp"
#include "../kernel_run.hpp"

namespace bankproof::ptx {

using When = CompileOptions::When;

/// All that a launch gives, as text.
struct Outcome {
  std::vector<std::uint32_t> out;
  std::vector<std::uint64_t> visits;
  std::vector<std::uint64_t> lanes;
  std::vector<std::string> counts;
  std::vector<std::string> faults;
  std::string printed;
  std::vector<std::vector<Event>> events;
  bool operator==(const Outcome&) const = default;
};

inline Outcome outcome_of(const LaunchResult& result, std::vector<std::uint32_t> out) {
  Outcome outcome{std::move(out), result.visits, result.lanes, {}, {}, result.printed, {}};
  for (const EventList events : result.events.warps) {
    outcome.events.emplace_back(events.begin(), events.end());
  }
  for (const auto& [site, c] : result.counts) {
    std::string text = std::to_string(site) + ": ";
    for (const std::uint64_t number : {c.accesses, c.lanes, c.wavefronts, c.ideal_wavefronts,
                                       c.lines, c.ideal_lines, c.sectors, c.ideal_sectors}) {
      text += std::to_string(number) + " ";
    }
    outcome.counts.push_back(text);
  }
  for (const auto& [key, fault] : result.faults.all()) {
    outcome.faults.push_back(std::string(name_of(fault.kind)) + " " + std::to_string(fault.site) +
                             " " + std::to_string(fault.other_site) + " " +
                             std::to_string(fault.thread.block) + ":" +
                             std::to_string(fault.thread.thread) + " " + fault.message + " x" +
                             std::to_string(fault.count));
  }
  return outcome;
}

struct Ways {
  When when = When::always;
  std::uint64_t mixed = 0;
  std::uint64_t schedule = 0;
  compiled::Mistake mistake = compiled::Mistake::none;
};

/// Runs the kernel twice on the same buffer, which has a word for each thread, or `words`.
inline Outcome outcome(const std::string& text, std::uint32_t threads, const Ways& ways,
                       std::size_t words = 0) {
  constexpr std::uint32_t blocks = 3;
  KernelRun run(text, "k");
  const std::size_t size = words != 0 ? words : std::size_t{blocks} * threads;
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(size));
  RunOptions options;
  options.compile = {.when = ways.when, .mixed = ways.mixed, .mistake = ways.mistake};
  options.schedule = ways.schedule;
  options.most_instructions = 1'000'000;
  options.record_events = true;
  run.interpret();
  run.launch({blocks, 1, 1}, {threads, 1, 1}, options);
  const LaunchResult& result = run.launch({blocks, 1, 1}, {threads, 1, 1}, options);
  const bool compiles = ways.when == When::always;
  EXPECT_EQ(run.program().compiled->pieces() != nullptr, compiles)
      << run.program().compiled->why_not();
  return outcome_of(result, run.data<std::uint32_t>(out));
}

}  // namespace bankproof::ptx
