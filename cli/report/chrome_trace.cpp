// See chrome_trace.hpp.
#include "chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "../../model/observers/served.hpp"
#include "../support/errors.hpp"

namespace bankproof::cli {

void ChromeTrace::add(Span span) {
  if (spans_.size() == most_events) {
    throw UsageError(
        fmt::format("--trace: more than {} events; choose smaller sizes", most_events));
  }
  spans_.push_back(std::move(span));
}

void ChromeTrace::add_stages(const AccessEvent& event, std::uint64_t process) {
  const Memory& memory = event.memory();
  if (tracks_ == Tracks::memories) {
    add({process, 0, before_ + event.time, event.stages,
         fmt::format("block {}, warp {}", event.warp.block(), event.warp.index())});
    return;
  }
  const bool groups = memory.kind() == MemoryKind::groups;
  std::uint64_t groups_served = 0;
  for (const ServedWord& word : served_words(event)) {
    if (groups && word.stage < groups_served) continue;
    if (groups) ++groups_served;
    const std::uint64_t track =
        memory.kind() == MemoryKind::banks ? word.address % memory.width() : 0;
    const std::string name = groups ? fmt::format("group {}", word.address / memory.width())
                                    : fmt::format("{}[{}]", event.array().name(), word.index);
    add({process, track, before_ + event.time + word.stage, 1, name});
  }
}

void ChromeTrace::launch_begins(const LaunchEvent& event) {
  if (event.number == 0) before_ = end_;
}

bool ChromeTrace::has_banks(std::uint64_t process) const {
  return tracks_ == Tracks::banks && kinds_.at(process) == MemoryKind::banks;
}

void ChromeTrace::accessed(const AccessEvent& event) {
  end_ = std::max(end_, before_ + event.completion);
  const Memory& memory = event.memory();
  const std::uint64_t next = processes_.size() + 1;
  const std::uint64_t process = processes_.try_emplace(memory.name(), next).first->second;
  kinds_[process] = memory.kind();
  // On the PRAM no access waits for another, so its memory gets no tracks.
  if (memory.kind() != MemoryKind::uniform) add_stages(event, process);
  const auto warp = warps_.try_emplace({event.warp.block(), event.warp.index()}, warps_.size());
  add({0, warp.first->second, before_ + event.time, event.completion - event.time,
       fmt::format("{} {}", event.is_write() ? "write" : "read", event.array().name())});
}

std::string ChromeTrace::text() const {
  using Json = nlohmann::ordered_json;
  Json events = Json::array();
  // Numbers start at 1: to Perfetto, process 0 and thread 0 are the idle ones of Linux.
  const auto event = [](const char* kind, const std::string& name, std::uint64_t process,
                        std::uint64_t track) {
    return Json{{"ph", kind}, {"name", name}, {"pid", process + 1}, {"tid", track + 1}};
  };
  const auto name = [&](const char* what, std::uint64_t process, std::uint64_t track,
                        const std::string& text) {
    events.push_back(event("M", what, process, track));
    events.back()["args"]["name"] = text;
  };
  name("process_name", 0, 0, "warps");
  for (const auto& [block_and_warp, track] : warps_) {
    name("thread_name", 0, track,
         fmt::format("block {}, warp {}", block_and_warp.first, block_and_warp.second));
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> tracks;
  for (const Span& span : spans_) tracks.emplace(span.process, span.track);
  for (const auto& [memory, process] : processes_) {
    name("process_name", process, 0, memory);
    for (const auto& [of_process, track] : tracks) {
      if (of_process != process) continue;
      name("thread_name", process, track,
           tracks_ == Tracks::memories ? "port"
           : has_banks(process)        ? fmt::format("bank {}", track)
                                       : "address line");
    }
  }
  for (const Span& span : spans_) {
    events.push_back(event("X", span.name, span.process, span.track));
    events.back()["ts"] = span.begin;
    events.back()["dur"] = span.length;
  }
  return Json{{"displayTimeUnit", "ms"}, {"traceEvents", events}}.dump() + "\n";
}

}  // namespace bankproof::cli
