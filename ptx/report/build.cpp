// Collects the counts of launches by source line; see build.hpp.
#include "build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "../isa/thread_text.hpp"
#include "text.hpp"

namespace bankproof::ptx {

namespace {

// Whether the opcode is a barrier, or an access to memory other than parameters and constants.
// Unless compilers copy the code, they emit one instruction for each such operation of the source.
bool is_access(std::string_view opcode) {
  constexpr std::array<std::string_view, 15> beginnings = {
      "ld.",       "ldu.",      "st.",          "atom.",        "red.",
      "bar.",      "barrier.",  "cp.async.ca.", "cp.async.cg.", "cp.async.mbarrier.",
      "mbarrier.", "ldmatrix.", "stmatrix.",    "wmma.load.",   "wmma.store."};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return opcode.starts_with(beginning); }) &&
         opcode.find(".param") == std::string_view::npos &&
         opcode.find(".const") == std::string_view::npos;
}

}  // namespace

void ReportBuilder::add(const std::string& kernel, std::span<const Origin> origins,
                        const LaunchCounts& counts) {
  Kernel once(kernel, origins);
  add(once, counts);
}

void ReportBuilder::add(Kernel& kernel, const LaunchCounts& counts) {
  if (std::find(kernels_.begin(), kernels_.end(), kernel.name_) == kernels_.end()) {
    kernels_.push_back(kernel.name_);
  }
  for (std::size_t site = 0; site < kernel.origins_.size(); ++site) {
    if (counts.visits[site] == 0) continue;
    Executions& executed = *place_of(kernel, site).executed;
    executed.visits += counts.visits[site];
    executed.lanes += counts.lanes[site];
  }
  for (const auto& [site, accesses] : counts.accesses) add_accesses(kernel, site, accesses);
  add_faults(kernel, counts);
  time_ += counts.time;
  instructions_ += counts.thread_instructions;
  printed_ += counts.printed;
  launches_ += counts.launches;
}

void ReportBuilder::add_faults(const Kernel& kernel, const LaunchCounts& counts) {
  for (const auto& [key, fault] : counts.faults.all()) add_fault(fault, kernel, counts);
}

void ReportBuilder::add_parents(const std::string& kernel, const LaunchCounts& counts) {
  for (const ChildGrid& child : counts.grids) {
    const std::uint32_t parent = child.by.launch - counts.first;
    const std::string& name =
        parent == 0 ? kernel : counts.kernels[counts.grids[parent - 1].kernel];
    ++children_[{name, counts.kernels[child.kernel]}];
  }
}

void ReportBuilder::add_taken(const std::string& kernel, std::uint64_t from, bool executed) {
  TakenLaunches& taken =
      taken_.try_emplace({from, executed}, TakenLaunches{kernel, from, executed, {}}).first->second;
  const std::uint64_t number = launches_ - 1;
  if (!taken.launches.empty() && taken.launches.back().last + 1 == number) {
    taken.launches.back().last = number;
  } else {
    taken.launches.push_back({number, number});
  }
}

ReportBuilder::Place& ReportBuilder::place_of(Kernel& kernel, std::size_t site) {
  Place& place = kernel.places_[site];
  if (place.line != nullptr) return place;
  const Origin& origin = kernel.origins_[site];
  place.line = &lines_[origin.at];
  place.line->functions.insert(origin.functions.begin(), origin.functions.end());
  const bool own = origin.innermost == origin.at;
  if (!own) place.inlined = &place.line->inlined[origin.innermost];
  const bool access = is_access(origin.opcode);
  const Rank rank = access ? own ? Rank::own_access : Rank::inlined_access
                    : own  ? Rank::own
                           : Rank::inlined;
  // Of other opcodes, each site counts alone: two instructions with the same opcode may be copies,
  // or parts of one computation.
  const std::string opcode = access ? origin.opcode : std::to_string(site);
  place.executed = &place.line->executed[kernel.name_][{rank, origin.column, opcode}];
  return place;
}

void ReportBuilder::add_accesses(Kernel& kernel, std::size_t site, const AccessCounts& accesses) {
  if (accesses.accesses == 0) return;
  Place& place = place_of(kernel, site);
  if (place.inlined != nullptr) *place.inlined += stages_of(accesses);
  AccessCounts added = accesses;
  // A picture names its launch by the number among all launches of the report, not of one kernel.
  for (auto* worst : {&added.worst_shared, &added.worst_global}) {
    if (*worst) (*worst)->warp.launch = static_cast<std::uint32_t>(launches_);
  }
  place.line->counts.add(added);
  if (place.opcode == nullptr) place.opcode = &opcodes_[kernel.origins_[site].opcode];
  place.opcode->add(added);
}

namespace {

const Origin& origin_of(std::span<const Origin> origins, std::uint32_t site) {
  static const Origin nowhere;
  return site < origins.size() ? origins[site] : nowhere;
}

/// Names a thread. One of a grid that a kernel launched has its kernel, and who launched it where.
std::string named(const ThreadName& thread, const std::string& kernel,
                  std::span<const Origin> origins, const LaunchCounts& counts) {
  const std::uint32_t number = thread.launch - counts.first;
  if (number == 0 || number > counts.grids.size()) {
    return thread_text(thread, counts.grid, counts.block);
  }
  const ChildGrid& child = counts.grids[number - 1];
  const std::uint32_t parent = child.by.launch - counts.first;
  const bool is_first = parent == 0;
  const ChildGrid* const above = is_first ? nullptr : &counts.grids[parent - 1];
  return fmt::format("{} of {}, which {} of {} launched at {}",
                     thread_text(thread, child.grid, child.block), counts.kernels[child.kernel],
                     is_first ? thread_text(child.by, counts.grid, counts.block)
                              : thread_text(child.by, above->grid, above->block),
                     is_first ? kernel : counts.kernels[above->kernel],
                     place_text(origin_of(origins, child.site).at));
}

}  // namespace

void ReportBuilder::add_fault(const Fault& fault, const Kernel& kernel,
                              const LaunchCounts& counts) {
  const Origin& origin = origin_of(kernel.origins_, fault.site);
  const Origin& other = origin_of(kernel.origins_, fault.other_site);
  ThreadName thread = fault.thread;
  const std::uint32_t grid = counts.grids.empty() ? 0 : thread.launch - counts.first;
  thread.launch = static_cast<std::uint32_t>(launches_) + grid;
  FaultReport made;
  made.kind = fault.kind;
  made.at = origin.at;
  made.chain = origin.chain;
  made.functions = origin.functions;
  made.message = fmt::format("{}: {}", named(fault.thread, kernel.name_, kernel.origins_, counts),
                             fault.message);
  made.count = fault.count;
  if (!other.at.file.empty()) {
    const bool is_freed =
        fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::double_free;
    made.message +=
        fmt::format("; {} at {}", is_freed ? "it was freed" : "the other is", place_text(other.at));
  }
  const auto [found, is_new] =
      faults_.try_emplace({fault.kind, origin.at, origin.chain, other.at}, thread, made);
  if (is_new) return;
  SeenFault& seen = found->second;
  made.count += seen.report.count;
  if (thread < seen.thread) {
    seen = {thread, std::move(made)};
  } else {
    seen.report.count = made.count;
  }
}

LineReport ReportBuilder::line_report(const SourceLine& at, const Line& line) {
  LineReport report;
  report.at = at;
  report.counts = line.counts;
  report.time = stages_of(line.counts);
  for (const auto& [kernel, executed] : line.executed) {
    Rank best = Rank::inlined;
    Executions most;
    for (const auto& [representative, executions] : executed) {
      const Rank rank = std::get<Rank>(representative);
      if (rank > best || (rank == best && executions.visits > most.visits)) {
        best = rank;
        most = executions;
      }
    }
    report.visits += most.visits;
    report.active_lanes += most.lanes;
  }
  report.functions.assign(line.functions.begin(), line.functions.end());
  std::vector<std::pair<SourceLine, std::uint64_t>> inlined(line.inlined.begin(),
                                                            line.inlined.end());
  std::stable_sort(inlined.begin(), inlined.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  report.inlined.reserve(inlined.size());
  for (const auto& [place, time] : inlined) report.inlined.push_back(place);
  return report;
}

KernelReport ReportBuilder::report(const std::function<std::string(std::uint32_t)>& names) const {
  KernelReport result;
  result.kernel = fmt::format("{}", fmt::join(kernels_, ", "));
  result.machine = machine_;
  result.launches = launches_;
  result.time = time_;
  result.instructions = instructions_;
  result.printed = printed_;
  result.opcodes = opcodes_;
  for (const auto& [at, line] : lines_) {
    result.lines.push_back(line_report(at, line));
    result.totals.add(line.counts);
    if (const auto& picture = line.counts.worst_global; picture && names) {
      result.buffers.try_emplace(picture->buffer, names(picture->buffer));
    }
  }
  for (const auto& [from, taken] : taken_) result.taken.push_back(taken);
  for (const auto& [pair, count] : children_) {
    result.children.push_back({pair.second, pair.first, count});
  }
  for (const auto& [key, seen] : faults_) result.faults.push_back(seen.report);
  std::stable_sort(result.faults.begin(), result.faults.end(),
                   [](const FaultReport& a, const FaultReport& b) {
                     return std::tie(a.at, a.kind) < std::tie(b.at, b.kind);
                   });
  return result;
}

}  // namespace bankproof::ptx
