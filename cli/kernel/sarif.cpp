// The SARIF report of a kernel. Each fault is a result at its line. The excess of a line in one
// memory is a single result, however many accesses cause the excess.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "../report/sarif_parts.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"
#include "formats.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Rule {
  const char* id;
  const char* name;
  const char* brief;
  const char* full;
};

// Excess first; then faults in the order of their kinds.
constexpr std::array<Rule, 17> rule_table = {{
    {"bank-conflict", "BankConflict", "A line's shared memory accesses need a bank more than once.",
     "A bank serves different words one after another. Padding, a swizzle or another order of the "
     "threads spreads the words over the banks."},
    {"uncoalesced-access", "UncoalescedAccess",
     "A line's global memory accesses touch more sectors than they need.",
     "A warp's access is served sector by sector of 32 bytes; neighbouring threads should touch "
     "neighbouring elements."},
    {"race", "Race",
     "Two threads access a byte, one of them writes, and nothing orders the two accesses.",
     "No barrier, fence or atomic operation makes one access happen before the other, so that the "
     "result depends on the schedule."},
    {"out_of_bounds", "OutOfBounds", "A thread accesses memory outside of its buffer.",
     "The access is outside of every buffer and outside of the shared memory of the launch."},
    {"misaligned", "Misaligned",
     "A thread accesses an address that is not a multiple of the size of the access.",
     "The address has to be a multiple of the number of bytes that the thread loads or stores; for "
     "a vector, of the bytes of the whole vector."},
    {"uninitialized", "Uninitialized", "A thread reads memory that nobody has written.",
     "Shared memory and newly allocated global memory are undefined until a thread or the host "
     "writes them."},
    {"barrier_divergence", "BarrierDivergence",
     "The threads of a block do not all come to the same barrier.",
     "If only some threads meet the condition under which a barrier stands, these threads wait for "
     "threads that never come."},
    {"deadlock", "Deadlock", "No thread of the launch can go on.",
     "Every thread that still runs waits for something that no thread can do any more."},
    {"inactive_lane", "InactiveLane", "A shuffle reads a lane that does not take part.",
     "The value that the shuffle reads is undefined: the source lane is not in the mask, or has "
     "exited."},
    {"colliding_writes", "CollidingWrites",
     "Lanes of one store write different values to one place.",
     "It is undefined which of the values remains."},
    {"trap", "Trap", "A thread stops the kernel.",
     "The kernel executes a trap, one of its assertions fails, or a thread cannot go on."},
    {"instruction_limit", "InstructionLimit",
     "The threads of a launch execute more instructions than the limit allows.",
     "A loop never ends, or the limit is too low."},
    {"use_after_free", "UseAfterFree", "The program uses memory of the device that it has freed.",
     "A copy, a fill or a kernel uses an allocation after cudaFree, or while nothing orders the "
     "two."},
    {"double_free", "DoubleFree", "Memory of the device is freed twice.",
     "The second call of cudaFree, or of free in a kernel, fails, or frees what another part of "
     "the program has got meanwhile."},
    {"invalid_copy", "InvalidCopy",
     "A copy or a fill leaves the memory of an allocation, or has the wrong direction.",
     "cudaMemcpy and its like may only touch bytes of one allocation, and their kind has to say "
     "where each side is."},
    {"leak", "Leak", "The program ends and has not freed memory of the device.",
     "Every allocation should be freed before the program ends."},
    {"unchecked_error", "UncheckedError",
     "A call of CUDA failed, and the program never looked at the error.",
     "The program went on with results that may be missing. Check what each call returns, and "
     "cudaGetLastError after a launch."},
}};

Json rules() {
  Json all = Json::array();
  for (const Rule& rule : rule_table) {
    all.push_back(sarif_rule(rule.id, rule.name, rule.brief, rule.full));
  }
  return all;
}

std::size_t rule_index(std::string_view id) {
  return static_cast<std::size_t>(std::find_if(rule_table.begin(), rule_table.end(),
                                               [&](const Rule& rule) { return id == rule.id; }) -
                                  rule_table.begin());
}

Json location(const ptx::SourceLine& at) {
  Json physical = {{"artifactLocation", {{"uri", sarif_uri(shown(at.file))}}}};
  if (at.line > 0) physical["region"] = {{"startLine", at.line}};
  return {{"physicalLocation", physical}};
}

/// Why a result does not fail the run.
struct Waiver {
  bool suppressed = false;
  bool known = false;
};

Json result_of(std::string_view rule, const char* level, const std::string& message,
               const ptx::SourceLine& at, const std::string& fingerprint, Waiver waiver,
               bool has_baseline) {
  Json result = {{"ruleId", rule},
                 {"ruleIndex", rule_index(rule)},
                 {"level", level},
                 {"message", {{"text", message}}},
                 {"locations", Json::array({location(at)})},
                 {"partialFingerprints",
                  {{"bankproofLine/v1", fmt::format("{}/{}/{}", rule, shown(at.file), at.line)},
                   {"bankproofFinding/v1", fmt::format("{}/{}", rule, fingerprint)}}}};
  if (has_baseline) result["baselineState"] = waiver.known ? "unchanged" : "new";
  if (waiver.suppressed) {
    result["suppressions"] = Json::array(
        {{{"kind", "external"}, {"justification", "named in the file of suppressions"}}});
  }
  return result;
}

Json fault_result(const ptx::FaultReport& fault, bool fails, bool has_baseline) {
  const std::string times = fault.count > 1 ? fmt::format(" ({} times)", fault.count) : "";
  Json result = result_of(name_of(fault.kind), fails ? "error" : "warning",
                          shown(fault.message) + times + ".", fault.at, fault.fingerprint,
                          {fault.suppressed, fault.known}, has_baseline);
  if (!fault.command.empty()) result["properties"] = {{"command", shown(fault.command)}};
  // Lists the calls that the compiler inlined; the first location is the faulty code itself.
  if (fault.chain.size() > 1) {
    Json related = Json::array();
    for (std::size_t k = 0; k < fault.chain.size(); ++k) {
      Json link = location(fault.chain[k]);
      link["id"] = k;
      link["message"] = {{"text", k == 0 ? "here" : "inlined into here"}};
      related.push_back(std::move(link));
    }
    result["relatedLocations"] = related;
  }
  return result;
}

/// The excess of a line in one memory.
struct Excess {
  const ptx::LineReport* line;
  bool shared;
  std::uint64_t amount;
};

std::vector<Excess> excesses(const ptx::KernelReport& report) {
  std::vector<Excess> all;
  for (const ptx::LineReport& line : report.lines) {
    if (line.shared_excess() > 0) all.push_back({&line, true, line.shared_excess()});
    if (line.global_excess() > 0) all.push_back({&line, false, line.global_excess()});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Excess& a, const Excess& b) { return a.amount > b.amount; });
  return all;
}

Json excess_result(const Excess& excess, const ptx::Verdict& verdict, bool has_baseline) {
  const ptx::AccessCounts& counts = excess.line->counts;
  const ptx::LineReport& line = *excess.line;
  const Waiver waiver = excess.shared ? Waiver{line.shared_suppressed, line.shared_known}
                                      : Waiver{line.global_suppressed, line.global_known};
  const auto& failing = excess.shared ? verdict.shared : verdict.global;
  const bool over = std::find(failing.begin(), failing.end(), excess.line) != failing.end();
  const std::string message =
      excess.shared
          ? fmt::format("Shared memory: {} where {} would be enough, in {} of warps.",
                        counted(counts.wavefronts, "wavefront"), counts.ideal_wavefronts,
                        counted(excess.line->visits, "visit"))
          : fmt::format("Global memory: {} in {} where {} in {} would be enough, in {} of warps.",
                        counted(counts.sectors, "sector"), counted(counts.lines, "line"),
                        counts.ideal_sectors, counts.ideal_lines,
                        counted(excess.line->visits, "visit"));
  Json result =
      result_of(excess.shared ? "bank-conflict" : "uncoalesced-access", over ? "error" : "warning",
                message, line.at, line.fingerprint, waiver, has_baseline);
  result["properties"] = {{"excess", excess.amount}};
  return result;
}

}  // namespace

std::string kernel_as_sarif(const ptx::KernelReport& report, const ptx::Limits& limits,
                            const std::vector<std::string>& notes) {
  const ptx::Verdict verdict = judge(report, limits);
  Json results = Json::array();
  for (const ptx::FaultReport& fault : report.faults) {
    const bool fails =
        std::find(verdict.faults.begin(), verdict.faults.end(), &fault) != verdict.faults.end();
    results.push_back(fault_result(fault, fails, report.has_baseline));
  }
  for (const Excess& excess : excesses(report)) {
    results.push_back(excess_result(excess, verdict, report.has_baseline));
  }
  const std::size_t more =
      results.size() > most_sarif_results ? results.size() - most_sarif_results : 0;
  results.erase(results.end() - static_cast<std::ptrdiff_t>(more), results.end());

  Json invocation = {{"executionSuccessful", true},
                     {"exitCode", verdict.passes() ? exit_clean : exit_finding}};
  Json said = Json::array();
  for (const std::string& note : notes) {
    said.push_back({{"level", "note"}, {"message", {{"text", shown(note)}}}});
  }
  if (more > 0) {
    said.push_back({{"level", "note"},
                    {"message", {{"text", counted(more, "more result") + " not listed."}}}});
  }
  if (!said.empty()) invocation["toolExecutionNotifications"] = said;
  Json run = sarif_run(rules(), invocation);
  run["results"] = results;
  run["properties"] = {{"checked", checked_json(report)},
                       {"taken", taken_json(report)},
                       {"children", children_json(report)}};
  return sarif_text(run);
}

}  // namespace bankproof::cli
