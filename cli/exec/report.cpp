// See report.hpp.
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "../../ptx/report/html.hpp"
#include "../../ptx/report/text.hpp"
#include "../kernel/formats.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"

namespace bankproof::cli {

std::string shown_count(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "es");
}

std::vector<std::string> notes_of(const Gathered& run, const Ended& ended) {
  std::vector<std::string> notes;
  if (ended.signal != 0) {
    notes.push_back(fmt::format("signal {} killed the program", ended.signal));
  }
  if (run.without_end != 0) {
    notes.push_back(fmt::format(
        "{} ended without exit(): the findings so far are here, the counts of accesses are not",
        shown_count(run.without_end, "process")));
  }
  // A failure that is a finding has been told.
  std::vector<std::string> failures;
  for (const std::string& message : run.messages) {
    const bool is_told = std::any_of(run.report.faults.begin(), run.report.faults.end(),
                                     [&](const ptx::FaultReport& fault) {
                                       return fault.message.find(message) != std::string::npos;
                                     });
    if (!is_told) failures.push_back(message);
  }
  constexpr std::size_t most_failures = 20;
  for (std::size_t k = 0; k < std::min(failures.size(), most_failures); ++k) {
    notes.push_back("a call failed: " + failures[k]);
  }
  if (failures.size() > most_failures) {
    notes.push_back(fmt::format("{} more calls failed", failures.size() - most_failures));
  }
  if (run.unchecked != 0) {
    notes.push_back(fmt::format("{} ran unchecked", shown_count(run.unchecked, "launch")));
  }
  return notes;
}

namespace {

/// The last line of the report.
std::string summary(const Gathered& run, std::size_t findings) {
  const std::string calls = fmt::format(" and {} call{} of libraries", run.library_calls,
                                        run.library_calls == 1 ? "" : "s");
  return fmt::format("bankproof: {}{} checked on {}: {}\n", shown_count(run.launches, "launch"),
                     run.library_calls == 0 ? "" : calls,
                     run.report.machine.empty() ? "the machine" : run.report.machine,
                     findings == 0
                         ? "no finding"
                         : fmt::format("{} finding{}", findings, findings == 1 ? "" : "s"));
}

}  // namespace

void require_launches(const Gathered& run, const Ended& ended, bool has_findings) {
  if (run.cannot_start) {
    throw InputError("a kernel of the program could not run here: " +
                     (run.messages.empty() ? "" : run.messages.front()));
  }
  if (run.launches != 0 || run.library_calls != 0) return;
  if (run.unchecked != 0) {
    throw InputError("--kernels and --launches leave out every launch of the program (" +
                     std::to_string(run.unchecked) + "), so nothing was checked");
  }
  if (has_findings) return;  // of calls
  if (!run.kernel.empty()) {
    const std::string end = ended.signal == 0
                                ? "the program ended"
                                : fmt::format("signal {} killed the program", ended.signal);
    throw InputError(end + " while its first launch ran, of " + shown(run.kernel) +
                     ", so nothing was checked");
  }
  const std::string code =
      ended.code == 0 ? "" : fmt::format("; it ended with code {}", ended.code);
  if (run.processes == 0) {
    throw InputError(
        "the program did not load the machine's CUDA runtime, or had it do no work, so nothing was "
        "checked" +
        code);
  }
  std::string below;
  for (const std::string& message : run.messages) below += shown(message) + "\n";
  throw InputError("the program launched no kernel, so nothing was checked" + code, below);
}

std::string report_text(const std::string& format, const Gathered& run, const ptx::Limits& limits,
                        const std::vector<std::string>& notes) {
  const ptx::KernelReport& report = run.report;
  if (format == "json") return kernel_as_json(report, limits, notes);
  if (format == "sarif") return kernel_as_sarif(report, limits, notes);
  if (format == "junit") return kernel_as_junit(report, limits, notes);
  if (format == "html") return ptx::as_html(report, sources_of(report), limits);
  std::string text = ptx::as_text(report, limits);
  for (const std::string& note : notes) text += "note: " + shown(note) + "\n";
  const ptx::Verdict verdict = judge(report, limits);
  const std::size_t findings =
      verdict.faults.size() + verdict.shared.size() + verdict.global.size();
  return text + summary(run, findings);
}

}  // namespace bankproof::cli
