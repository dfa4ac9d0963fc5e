// See check_report.hpp.
#include "check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <variant>

namespace bankproof::cli {
namespace {

template <class Index>
AccessResult check_access(std::span<const Index> permutation, Designation designation,
                          const MemoryChoice& memory, std::uint64_t max_stages) {
  AccessResult result;
  result.designation = designation;
  result.report = analyze(permutation, designation, memory.rule);
  if (memory.sectors) result.sectors = analyze(permutation, designation, *memory.sectors);
  if (memory.machine == "umm") {
    const bool is_the_same = memory.element_bytes == word_bytes;
    result.distribution =
        is_the_same ? result.report.stages : distribution(permutation, memory.width());
  }
  result.worst = look_at_warp(permutation, designation, memory.rule, result.report.worst_warp);
  result.over_limit = result.report.warps_over(max_stages);
  return result;
}

}  // namespace

std::string_view AccessResult::name() const {
  return designation == Designation::destination ? "destination" : "source";
}

std::string_view AccessResult::formula() const {
  return designation == Designation::destination ? "b[P(i)] ← a[i]" : "b[i] ← a[P⁻¹(i)]";
}

std::string_view AccessResult::element_name() const {
  return designation == Designation::destination ? "P(i)" : "P⁻¹(i)";
}

bool CheckReport::within_limit() const {
  return std::all_of(accesses.begin(), accesses.end(),
                     [](const AccessResult& access) { return access.over_limit == 0; });
}

std::uint64_t CheckReport::warps_checked() const {
  std::uint64_t warps = 0;
  for (const AccessResult& access : accesses) warps += access.report.warps;
  return warps;
}

CheckReport check_permutation(const PermutationArgument& permutation, const MemoryChoice& memory,
                              const std::vector<Designation>& accesses,
                              std::optional<std::uint64_t> max_stages) {
  // Wide elements take several stages even in the best case.
  const std::uint64_t limit = max_stages.value_or(memory.ideal_of_full_warp());
  CheckReport report{permutation, memory, limit, max_stages.has_value(), {}};
  std::visit(
      [&]<class Index>(const std::vector<Index>& values) {
        for (const Designation designation : accesses) {
          report.accesses.push_back(
              check_access(std::span<const Index>(values), designation, memory, limit));
        }
      },
      permutation.values);
  return report;
}

Crowd most_crowded_bank(const std::vector<LaneReport>& lanes) {
  std::map<Bank, std::set<std::uint64_t>> words;
  for (const LaneReport& lane : lanes) words[lane.place.bank].insert(lane.place.group);
  Crowd crowd;
  for (const auto& [bank, distinct] : words) {
    if (distinct.size() > crowd.words) crowd = {bank, distinct.size()};
  }
  return crowd;
}

Width lanes_together(const MemoryChoice& memory, const std::vector<LaneReport>& lanes) {
  const auto* const shared = std::get_if<SharedMemoryRule>(&memory.rule);
  if (shared == nullptr) return memory.width();
  std::vector<Address> elements(memory.width(), no_request);
  for (const LaneReport& lane : lanes) elements[lane.lane] = lane.element;
  return static_cast<Width>(shared->lanes_per_group(elements));
}

std::vector<LaneReport> slowest_group(const MemoryChoice& memory,
                                      const std::vector<LaneReport>& lanes) {
  const Width together = lanes_together(memory, lanes);
  std::map<Width, std::vector<LaneReport>> groups;
  for (const LaneReport& lane : lanes) groups[lane.lane / together].push_back(lane);
  std::vector<LaneReport> slowest;
  for (auto& [number, group] : groups) {
    if (most_crowded_bank(group).words > most_crowded_bank(slowest).words) slowest.swap(group);
  }
  return slowest;
}

std::vector<std::uint64_t> groups_of(const std::vector<LaneReport>& lanes) {
  std::set<std::uint64_t> groups;
  for (const LaneReport& lane : lanes) groups.insert(lane.place.group);
  return {groups.begin(), groups.end()};
}

namespace {
/// The name of what a bank serves at a time: one word, or all its words of one row.
std::string part_of_a_row(const MemoryChoice& memory) {
  const auto* const shared = std::get_if<SharedMemoryRule>(&memory.rule);
  const std::uint32_t words = shared == nullptr ? 1 : shared->words_per_row() / shared->banks();
  if (words <= 2) return words == 1 ? "word" : "word pair";
  return fmt::format("{}-word row", words);
}
}  // namespace

std::string reason(const MemoryChoice& memory, const std::vector<LaneReport>& lanes) {
  const auto* words = std::get_if<WordMemoryRule>(&memory.rule);
  const std::string turn =
      words != nullptr && words->turns() > 1
          ? fmt::format(", in the first of {} turns (a turn serves one word of each element)",
                        words->turns())
          : "";
  if (conflicts_in_groups(memory.rule)) {
    return fmt::format(
        "its {} touch {}{}", counted(lanes.size(), "thread"),
        counted(groups_of(lanes).size(), memory.is_chip() ? "128-byte line" : "address group"),
        turn);
  }
  const Width together = lanes_together(memory, lanes);
  const Crowd crowd = most_crowded_bank(slowest_group(memory, lanes));
  const std::string part = part_of_a_row(memory);
  std::set<Width> groups;
  for (const LaneReport& lane : lanes) groups.insert(lane.lane / together);
  if (groups.size() > 1) {
    return fmt::format(
        "the warp is served as {} groups of {} lanes, one after the other, and one group asks bank "
        "{} for {}",
        groups.size(), together, crowd.bank,
        counted(crowd.words, crowd.words == 1 ? part : "different " + part));
  }
  return fmt::format("bank {} is asked for {}{}", crowd.bank,
                     counted(crowd.words, "different " + part), turn);
}

}  // namespace bankproof::cli
