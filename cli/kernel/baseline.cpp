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
#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;
using Key = std::pair<std::string, std::string>;  // kind and fingerprint

constexpr const char* shared_kind = "shared_excess";
constexpr const char* global_kind = "global_excess";

/// Reads the parts of a report that matter here. An error names the field that is not as expected.
class Reader {
 public:
  explicit Reader(const std::string& file) : baseline_{file, {}} {}

  Baseline read() {
    constexpr std::size_t longest = std::size_t{1} << 28;
    const Json report = parsed_json(baseline_.file, whole_file(baseline_.file, longest, "report"));
    for (const Json& fault : list(report, "faults")) {
      std::string kind = text(fault, "kind");
      add(std::move(kind), fault, text(fault, "message"), 0);
    }
    for (const Json& line : list(report, "lines")) {
      add(shared_kind, line, "", amount(line, "shared", "excess"));
      add(global_kind, line, "", amount(line, "global", "excess_sectors"));
    }
    return std::move(baseline_);
  }

 private:
  [[noreturn]] void fail(std::string_view field) const {
    throw InputError(
        fmt::format("{}: {} is missing or of another type; a baseline is a report that "
                    "--format json of this version wrote",
                    baseline_.file, in_quotes(field)));
  }

  const Json& field(const Json& object, const char* name) const {
    if (!object.is_object() || !object.contains(name)) fail(name);
    return object[name];
  }
  const Json& list(const Json& object, const char* name) const {
    const Json& found = field(object, name);
    if (!found.is_array()) fail(name);
    return found;
  }
  std::string text(const Json& object, const char* name) const {
    const Json& found = field(object, name);
    if (!found.is_string()) fail(name);
    return found.get<std::string>();
  }
  std::uint64_t amount(const Json& object, const char* part, const char* name) const {
    const Json& found = field(field(object, part), name);
    if (!found.is_number_unsigned()) fail(name);
    return found.get<std::uint64_t>();
  }

  void add(std::string kind, const Json& at, std::string message, std::uint64_t excess) {
    const Json& line = field(at, "line");
    if (!line.is_number_unsigned() || line.get<std::uint64_t>() > UINT32_MAX) fail("line");
    const ptx::SourceLine place{text(at, "file"), line.get<std::uint32_t>()};
    baseline_.findings.push_back({std::move(kind), text(at, "fingerprint"), ptx::place_text(place),
                                  std::move(message), excess});
  }

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
