// Writes a report as text; see text.hpp.
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "../../text/typed.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::string_view row_format =
    "{:>8} {:>9} {:>5}  {:>9} {:>8} {:>8}  {:>8} {:>8} {:>9} {:>8} {:>8}  {:>9}\n";

std::string row(const std::string& line, const std::string& visits, const std::string& lanes,
                const AccessCounts& counts, std::uint64_t shared_excess,
                std::uint64_t global_excess) {
  const auto number = [](bool present, std::uint64_t value) {
    return present ? std::to_string(value) : std::string("-");
  };
  const bool shared = counts.wavefronts > 0;
  const bool global = counts.sectors > 0;
  return fmt::format(row_format, line, visits, lanes, number(shared, counts.wavefronts),
                     number(shared, counts.ideal_wavefronts), number(shared, shared_excess),
                     number(global, counts.lines), number(global, counts.ideal_lines),
                     number(global, counts.sectors), number(global, counts.ideal_sectors),
                     number(global, global_excess),
                     number(shared || global, counts.wavefronts + counts.lines));
}

std::string table(const KernelReport& report) {
  std::string text = fmt::format("{:<24}  {:<27}  {:<45}\n", "", "shared memory", "global memory");
  text += fmt::format(row_format, "line", "visits", "lanes", "actual", "ideal", "excess", "lines",
                      "ideal", "sectors", "ideal", "excess", "time");
  std::uint64_t shared = 0;
  std::uint64_t global = 0;
  const std::string* file = nullptr;
  for (const LineReport& line : report.lines) {
    shared += line.shared_excess();
    global += line.global_excess();
    if (file == nullptr || *file != line.at.file) text += place_text({line.at.file, 0}) + "\n";
    file = &line.at.file;
    const double lanes = line.visits == 0 ? 0
                                          : static_cast<double>(line.active_lanes) /
                                                static_cast<double>(line.visits);
    text +=
        row(line.at.line == 0 ? "-" : std::to_string(line.at.line), std::to_string(line.visits),
            fmt::format("{:.1f}", lanes), line.counts, line.shared_excess(), line.global_excess());
  }
  return text + row("all", "", "", report.totals, shared, global);
}

}  // namespace

const char* waiver_text(const FaultReport& fault) {
  return fault.suppressed ? " (suppressed)" : fault.known ? " (known)" : "";
}

std::string faults_text(const KernelReport& report) {
  std::string text;
  for (const FaultReport& fault : report.faults) {
    text += fmt::format("{}: {}{}: {}{}\n", chain_text(fault.at, fault.chain), name_of(fault.kind),
                        waiver_text(fault), escaped(fault.message),
                        fault.count > 1 ? fmt::format(" ({} times)", fault.count) : "");
    if (!fault.command.empty()) text += "  alone: " + escaped(fault.command) + "\n";
  }
  return text;
}

namespace {

// Reports excess like a fault; its kind is the name that suppressions use.
std::string excess_text(const Verdict& verdict, const Limits& limits) {
  std::string text;
  const auto add = [&](const LineReport& line, const char* kind, std::uint64_t excess,
                       const char* unit, std::uint64_t ideal,
                       const std::optional<std::uint64_t>& limit) {
    text += fmt::format("{}: {}: {} more than the ideal {}; the limit is {}\n", place_text(line.at),
                        kind, counted(excess, unit), ideal, limit.value_or(0));
  };
  for (const LineReport* const line : verdict.shared) {
    add(*line, "shared_excess", line->shared_excess(), "wavefront", line->counts.ideal_wavefronts,
        limits.max_shared_excess);
  }
  for (const LineReport* const line : verdict.global) {
    add(*line, "global_excess", line->global_excess(), "sector", line->counts.ideal_sectors,
        limits.max_global_excess);
  }
  return text;
}

// "12 wavefronts on 2 lines, 8 sectors on 1 line"
std::string unlimited_text(const Verdict& verdict) {
  std::string text;
  const auto add = [&](const UnlimitedExcess& excess, const char* unit) {
    if (excess.lines == 0) return;
    text += (text.empty() ? "" : ", ") + counted(excess.amount, unit) + " on " +
            counted(excess.lines, "line");
  };
  add(verdict.unlimited_shared, "wavefront");
  add(verdict.unlimited_global, "sector");
  return text;
}

}  // namespace

std::string place_text(const SourceLine& at) {
  const std::string file = at.file.empty() ? "(no line)" : escaped(at.file);
  return at.line == 0 ? file : fmt::format("{}:{}", file, at.line);
}

std::string chain_text(const SourceLine& at, const std::vector<SourceLine>& chain) {
  std::string text = place_text(at);
  if (chain.size() < 2) return text;
  std::string links;
  for (const SourceLine& link : chain) {
    links += (links.empty() ? "" : ", ") + place_text(link);
  }
  return text + " (from " + links + ")";
}

std::string counted(std::uint64_t number, const char* thing, const char* ending) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : ending);
}

std::vector<std::string> child_texts(const KernelReport& report) {
  std::vector<std::string> texts;
  texts.reserve(report.children.size());
  for (const ChildLaunches& child : report.children) {
    texts.push_back(fmt::format("{} of {}: child of {}", counted(child.launches, "launch", "es"),
                                escaped(child.kernel), escaped(child.parent)));
  }
  return texts;
}

std::vector<std::string> library_texts(const KernelReport& report) {
  if (report.library_calls.empty()) return {};
  std::string names;
  for (const auto& [name, count] : report.library_calls) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, count);
  }
  return {"calls of libraries were checked as a whole, and inside them nothing is counted: " +
          names};
}

std::vector<std::string> taken_texts(const KernelReport& report) {
  constexpr std::size_t most_lines = 20;
  constexpr std::size_t most_ranges = 8;
  std::vector<std::string> texts;
  for (const TakenLaunches& taken : report.taken) {
    if (texts.size() == most_lines) {
      texts.push_back(
          fmt::format("{} more launches have such repeats", report.taken.size() - most_lines));
      break;
    }
    std::string numbers;
    for (std::size_t k = 0; k < std::min(taken.launches.size(), most_ranges); ++k) {
      const LaunchRange& range = taken.launches[k];
      numbers += (k == 0 ? "" : ", ") + std::to_string(range.first);
      if (range.last != range.first) numbers += "-" + std::to_string(range.last);
    }
    if (taken.launches.size() > most_ranges) numbers += ", …";
    texts.push_back(fmt::format(
        "{} of {} ({}) {} launch {}; --every-launch judges all",
        counted(taken.count(), "launch", "es"), escaped(taken.kernel), numbers,
        taken.executed ? "judged once: the kernel makes the same accesses for all values, as in"
                       : "not executed: the same kernel, arguments and memory as",
        taken.from));
  }
  return texts;
}

std::string verdict_text(const KernelReport& report, const Limits& limits) {
  const Verdict verdict = judge(report, limits);
  if (verdict.passes()) {
    return verdict.limits_all() ? "passes"
                                : "passes; excess is not limited: " + unlimited_text(verdict);
  }
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!verdict.faults.empty()) add(counted(verdict.faults.size(), "fault"));
  if (!verdict.shared.empty()) {
    add(fmt::format("{} with more than {} excess wavefronts",
                    counted(verdict.shared.size(), "line"), limits.max_shared_excess.value_or(0)));
  }
  if (!verdict.global.empty()) {
    add(fmt::format("{} with more than {} excess sectors", counted(verdict.global.size(), "line"),
                    limits.max_global_excess.value_or(0)));
  }
  return "fails: " + text;
}

std::string as_text(const KernelReport& report, const Limits& limits) {
  std::string text = fmt::format("{} on {}\n", escaped(report.kernel), escaped(report.machine));
  text +=
      fmt::format("{}, {}, {} by threads\n\n", counted(report.launches, "launch", "es"),
                  counted(report.time, "time unit"), counted(report.instructions, "instruction"));
  text += table(report);
  const std::string findings = faults_text(report) + excess_text(judge(report, limits), limits);
  if (!findings.empty()) text += "\n" + findings;
  return text + "\n" + verdict_text(report, limits) + "\n";
}

}  // namespace bankproof::ptx
