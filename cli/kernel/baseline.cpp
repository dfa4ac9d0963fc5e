// See baseline.hpp.
#include "baseline.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "../../ptx/report/text.hpp"
#include "../support/words.hpp"
#include "written_report.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;
using Key = std::pair<std::string, std::string>;  // kind and fingerprint

constexpr const char* shared_kind = "shared_excess";
constexpr const char* global_kind = "global_excess";

/// Collects the findings of a report.
class Reader {
 public:
  explicit Reader(const std::string& file)
      : report_(file, "a baseline is a report that --format json of this version wrote"),
        baseline_{file, {}} {}

  Baseline read() {
    const Json whole = report_.whole();
    for (const Json& fault : report_.list(whole, "faults")) {
      std::string kind = report_.text(fault, "kind");
      add(std::move(kind), fault, report_.text(fault, "message"), 0);
    }
    for (const Json& line : report_.list(whole, "lines")) {
      add(shared_kind, line, "", amount(line, "shared", "excess"));
      add(global_kind, line, "", amount(line, "global", "excess_sectors"));
    }
    return std::move(baseline_);
  }

 private:
  std::uint64_t amount(const Json& line, const char* part, const char* name) const {
    return report_.number(report_.field(line, part), name);
  }

  void add(std::string kind, const Json& at, std::string message, std::uint64_t excess) {
    baseline_.findings.push_back({std::move(kind), report_.text(at, "fingerprint"),
                                  ptx::place_text(report_.line(at)), std::move(message), excess});
  }

  WrittenReport report_;
  Baseline baseline_;
};

bool is_over(std::uint64_t excess, const std::optional<std::uint64_t>& limit) {
  return limit && excess > *limit;
}

}  // namespace

Baseline read_baseline(const std::string& file) { return Reader(file).read(); }

std::vector<std::string> compare(ptx::KernelReport& report, const Baseline& baseline,
                                 const ptx::Limits& limits) {
  std::vector<const Baseline::Finding*> expected;
  std::set<Key> had;
  for (const Baseline::Finding& finding : baseline.findings) {
    if (finding.kind == shared_kind && !is_over(finding.excess, limits.max_shared_excess)) continue;
    if (finding.kind == global_kind && !is_over(finding.excess, limits.max_global_excess)) continue;
    expected.push_back(&finding);
    had.insert({finding.kind, finding.fingerprint});
  }
  std::set<Key> has;
  std::size_t known = 0;
  const auto mark = [&](std::string_view kind, const std::string& fingerprint, bool& is_known) {
    const Key key(kind, fingerprint);
    has.insert(key);
    is_known = had.contains(key);
    known += is_known ? 1 : 0;
  };
  report.has_baseline = true;
  for (ptx::FaultReport& fault : report.faults) {
    mark(name_of(fault.kind), fault.fingerprint, fault.known);
  }
  for (ptx::LineReport& line : report.lines) {
    if (is_over(line.shared_excess(), limits.max_shared_excess)) {
      mark(shared_kind, line.fingerprint, line.shared_known);
    }
    if (is_over(line.global_excess(), limits.max_global_excess)) {
      mark(global_kind, line.fingerprint, line.global_known);
    }
  }
  std::vector<std::string> notes = {
      fmt::format("{} in {}", ptx::counted(known, "known finding"), baseline.file)};
  for (const Baseline::Finding* const finding : expected) {
    if (has.contains({finding->kind, finding->fingerprint})) continue;
    const std::string message = finding->message.empty() ? "" : ": " + finding->message;
    notes.push_back("gone: " + finding->place + ": " + finding->kind + message);
  }
  return notes;
}

}  // namespace bankproof::cli
