// Prices accesses by the rules, and remembers the last access of each site; see costs.hpp.
#include "costs.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace bankproof::ptx {
namespace {

constexpr Width words_of_a_line = 32;

/// On the pure machines, an element of several words is accessed word by word.
std::uint32_t words_of(std::uint32_t bytes) { return std::max(1U, bytes / word_bytes); }

ElementRules made_rules(const std::optional<Chip>& chip, std::uint32_t bytes) {
  ElementRules rules{dmm_rule(words_of_a_line, bytes),
                     umm_rule(words_of_a_line, bytes),
                     GlobalMemoryRule(bytes, GlobalMemoryRule::sector_bytes),
                     1,
                     words_of(bytes),
                     {},
                     {},
                     {},
                     true};
  rules.banks_of_words = bytes == word_bytes;
  if (chip) {
    // If an element is too wide for a rule of the chip, the access is split into accesses to the
    // widest elements that the rule allows, one after the other.
    const std::uint32_t widest = chip->shared.widest_element();
    const SharedMemoryRule rule(*chip, std::min(bytes, widest));
    rules.shared = rule;
    rules.shared_turns = bytes / std::min(bytes, widest);
    rules.banks_of_words = rules.banks_of_words && rule.one_word_elements();
    if (const auto lines = global_rule(*chip, bytes)) {
      rules.lines = *lines;
      rules.lines_turns = 1;
    }
  }
  std::vector<std::uint64_t> elements;
  elements.reserve(warp_lanes);
  for (std::uint32_t count = 1; count <= warp_lanes; ++count) {
    elements.push_back(count - 1);
    rules.ideal_shared[count] = rules.banks_of_words ? ideal_of(rules.shared, elements) : 0;
    rules.ideal_lines[count] = ideal_of(rules.lines, elements);
    rules.ideal_sectors[count] = ideal_of(rules.sectors, elements);
  }
  return rules;
}

}  // namespace

const ElementRules& RuleTable::of(std::uint32_t bytes) {
  Entry& entry = entries_.at(static_cast<std::size_t>(std::countr_zero(bytes)));
  std::call_once(entry.made, [&] { entry.rules = made_rules(chip_, bytes); });
  return *entry.rules;
}

MachineRules MachineRules::of(std::string_view name) {
  if (name == "hmm") return {};
  static const auto tables = [] {
    std::vector<std::shared_ptr<RuleTable>> all;
    all.reserve(chips.size());
    for (const Chip& chip : chips) all.push_back(std::make_shared<RuleTable>(chip));
    return all;
  }();
  std::size_t k = 0;
  for (const Chip& chip : chips) {
    if (chip.name == name) return {chip, tables[k]};
    ++k;
  }
  std::string text = "no machine '" + std::string(name) + "' prices kernels; there are hmm";
  for (const Chip& known : chips) text += ", " + std::string(known.name);
  throw std::invalid_argument(text);
}

std::shared_ptr<RuleTable> MachineRules::of_hmm() {
  static const auto table = std::make_shared<RuleTable>(std::nullopt);
  return table;
}

CostCounter::CostCounter(const MachineRules& machine, std::size_t sites)
    : table_(machine.table ? machine.table : std::make_shared<RuleTable>(machine.chip)),
      pattern_of_(sites, TouchedPages::few) {}

const ElementRules& CostCounter::rules_of(std::uint32_t bytes) {
  const std::uint32_t width = std::min(bytes, widest_element);
  const ElementRules*& rules = rules_[static_cast<std::size_t>(std::countr_zero(width))];
  if (rules == nullptr) rules = &table_->of(width);
  return *rules;
}

ElementRules& CostCounter::own_rules_of(std::uint32_t bytes) {
  const std::uint32_t width = std::min(bytes, widest_element);
  auto& rules = own_rules_[static_cast<std::size_t>(std::countr_zero(width))];
  if (!rules) rules = rules_of(bytes);
  return *rules;
}

std::uint32_t& CostCounter::Masks::of(std::uint64_t number, std::uint32_t stamp) {
  std::size_t at = (number * 0x9e3779b97f4a7c15U) >> 56;
  while (entries_[at].stamp == stamp && entries_[at].number != number) {
    at = (at + 1) % entries_.size();
  }
  if (entries_[at].stamp != stamp) entries_[at] = {number, stamp, 0};
  return entries_[at].mask;
}

std::uint32_t CostCounter::next_stamp() {
  if (++stamp_ == 0) {
    masks_ = {};
    lines_ = {};
    stamp_ = 1;
  }
  return stamp_;
}

Cost CostCounter::plain(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes,
                        bool shared) {
  ElementRules& rules = own_rules_of(bytes);
  const std::uint32_t halves = std::max(1U, bytes / widest_element);
  Cost cost;
  const auto in_turns = [&](AccessRule& rule, std::uint32_t turns, std::uint32_t& stages,
                            std::uint32_t& ideal) {
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        indices_[lane] =
            (lanes >> lane & 1U) != 0 ? addresses[lane] / bytes * turns + turn : no_request;
      }
      stages += stages_of(rule, indices_);
      ideal += ideal_of(rule, indices_);
    }
  };
  if (shared) {
    in_turns(rules.shared, rules.shared_turns * halves, cost.stages, cost.ideal);
    cost.turns = rules.shared_turns * halves;
    if (std::holds_alternative<WordMemoryRule>(rules.shared)) cost.turns = words_of(bytes);
  } else {
    in_turns(rules.lines, halves, cost.stages, cost.ideal);
    in_turns(rules.sectors, halves, cost.sectors, cost.ideal_sectors);
    cost.turns = rules.lines_turns * halves;
  }
  std::vector<std::uint64_t> elements(addresses.begin(), addresses.end());
  std::sort(elements.begin(), elements.end());
  // A lane that takes no part has the address of an active lane, and adds no distinct element.
  cost.distinct =
      static_cast<std::uint32_t>(std::unique(elements.begin(), elements.end()) - elements.begin());
  return cost;
}

TouchedParts CostCounter::lines_touched(const LaneAddresses& addresses, LaneMask lanes) {
  // A mask has a bit for each word of a line.
  constexpr std::uint64_t line = GlobalMemoryRule::line_bytes;
  constexpr std::uint32_t words_of_sector = GlobalMemoryRule::sector_bytes / word_bytes;
  const std::uint32_t stamp = next_stamp();
  TouchedParts touched;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    const auto word = static_cast<std::uint32_t>(address % line / word_bytes);
    std::uint32_t& mask = masks_.of(address / line, stamp);
    const std::uint32_t of_sector = 0xFFU << (word / words_of_sector * words_of_sector);
    touched.elements += (mask >> word & 1U) ^ 1U;
    touched.sectors += (mask & of_sector) == 0 ? 1 : 0;
    touched.lines += mask == 0 ? 1 : 0;
    mask |= 1U << word;
  }
  return touched;
}

TouchedParts CostCounter::sectors_touched(const LaneAddresses& addresses, LaneMask lanes,
                                          std::uint32_t bytes) {
  // A mask has a bit for each element of a sector.
  const std::uint32_t stamp = next_stamp();
  const int width = std::countr_zero(bytes);
  TouchedParts touched;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint64_t element = address % GlobalMemoryRule::sector_bytes >> width;
    std::uint32_t& mask = masks_.of(address / GlobalMemoryRule::sector_bytes, stamp);
    touched.elements += (mask >> element & 1U) ^ 1U;
    if (mask == 0) {
      ++touched.sectors;
      touched.lines +=
          std::exchange(lines_.of(address / GlobalMemoryRule::line_bytes, stamp), 1) ^ 1U;
    }
    mask |= 1U << element;
  }
  return touched;
}

/// No element crosses the end of a line or sector, so each turn of an access touches the same lines
/// and sectors.
Cost CostCounter::of_parts(const TouchedParts& touched, std::uint32_t bytes) {
  const ElementRules& rules = rules_of(bytes);
  return {.stages = touched.lines * rules.lines_turns,
          .ideal = rules.ideal_lines[touched.elements],
          .sectors = touched.sectors,
          .ideal_sectors = rules.ideal_sectors[touched.elements],
          .turns = rules.lines_turns,
          .distinct = touched.elements};
}

Cost CostCounter::global_cost(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
  return of_parts(bytes >= word_bytes ? lines_touched(addresses, lanes)
                                      : sectors_touched(addresses, lanes, bytes),
                  bytes);
}

Cost CostCounter::lanes_of_row(const LaneBits& row) {
  return of_parts({.elements = static_cast<std::uint32_t>(std::popcount(row.lanes)),
                   .sectors = row.touched_sectors(),
                   .lines = row.touched_lines()},
                  row.bytes);
}

Cost CostCounter::priced_anew(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes,
                              bool shared) {
  if (bytes > widest_element) return plain(addresses, lanes, bytes, shared);
  if (!shared) return global_cost(addresses, lanes, bytes);
  const ElementRules& rules = rules_of(bytes);
  if (!rules.banks_of_words) return plain(addresses, lanes, bytes, shared);
  std::array<std::uint8_t, words_of_a_line> of_bank{};
  const std::uint32_t stamp = next_stamp();
  std::uint32_t distinct = 0;
  std::uint32_t stages = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t word =
        addresses[static_cast<std::size_t>(std::countr_zero(rest))] / word_bytes;
    if (std::exchange(masks_.of(word, stamp), 1) != 0) continue;
    ++distinct;
    const std::uint32_t of_this = ++of_bank[word % words_of_a_line];
    stages = std::max(stages, of_this);
  }
  return {.stages = stages, .ideal = rules.ideal_shared[distinct], .distinct = distinct};
}

std::uint64_t CostCounter::period_of(std::uint32_t bytes, bool shared) {
  if (!shared) return GlobalMemoryRule::line_bytes;
  return rules_of(bytes).banks_of_words ? word_bytes : widest_period;
}

const Cost& CostCounter::new_row(std::uint64_t begin, std::uint32_t bytes, bool shared) {
  RowCosts& costs = rows_[shared ? 1 : 0].at(static_cast<std::size_t>(std::countr_zero(bytes)));
  const std::size_t places = std::max<std::size_t>(period_of(bytes, shared) / bytes, 1);
  costs.of.resize(places);
  costs.most = places - 1;
  const std::size_t place = begin / bytes % places;
  costs.of[place] = priced_anew(row_addresses(place * bytes, bytes), all_lanes, bytes, shared);
  return costs.of[place];
}

const Cost* CostCounter::element(std::uint32_t bytes, bool shared) {
  if (bytes > widest_element || (shared && !rules_of(bytes).banks_of_words)) return nullptr;
  Cost& cost = elements_[shared ? 1 : 0].at(static_cast<std::size_t>(std::countr_zero(bytes)));
  if (cost.distinct == 0) cost = priced_anew({}, all_lanes, bytes, shared);
  return &cost;
}

const Cost& CostCounter::priced(std::uint32_t site, const LaneAddresses& addresses, LaneMask lanes,
                                std::uint32_t bytes, bool shared) {
  Pattern& pattern = pattern_at(site);
  const std::uint64_t first = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
  const std::uint64_t period = period_of(bytes, shared);
  const std::uint64_t from = first / period * period;
  std::uint64_t difference = 0;
  LaneAddresses offsets;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    offsets[lane] = addresses[lane] - from;
    difference |= offsets[lane] ^ pattern.offsets[lane];
  }
  if (difference == 0 && pattern.lanes == lanes && pattern.shared == shared) return pattern.cost;
  pattern.offsets = offsets;
  pattern.lanes = lanes;
  pattern.shared = shared;
  pattern.cost = priced_anew(addresses, lanes, bytes, shared);
  return pattern.cost;
}

}  // namespace bankproof::ptx
