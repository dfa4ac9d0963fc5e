// Looks behind each load for the instructions that use it; see selected_loads.hpp.
#include "selected_loads.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "lasting_comparisons.hpp"
#include "registers.hpp"

namespace bankproof::ptx {

namespace {

using Name = RegisterName;

/// How the instruction selects the register's value; nothing if it does anything else with it.
std::optional<UnusedIf> selection(const Instruction& i, const Name& loaded) {
  if (i.base != "selp" || i.guard || i.operands.size() != 4) return std::nullopt;
  const auto is_loaded = [&](std::size_t operand) {
    const Register* const r = register_of(i, operand);
    return r != nullptr && name_of(*r) == loaded;
  };
  const Register* const predicate = register_of(i, 3);
  if (predicate == nullptr || is_loaded(0) || is_loaded(1) == is_loaded(2)) return std::nullopt;
  return UnusedIf{*predicate, is_loaded(2)};
}

/// The registers that a comparison mentions, if it may be executed earlier, where the instructions
/// between do not mention them; empty for other instructions.
std::set<Name> registers_of_comparison(const Instruction& i) {
  std::set<Name> found;
  if (i.base != "setp" || i.guard || register_of(i, 0) == nullptr) return found;
  each_register(i, [&](const Register& r) { found.insert(name_of(r)); });
  return found;
}

struct Selection {
  UnusedIf unused;
  std::optional<std::size_t> comparison;  // the statement that has to be moved before the load
};

/// Finds what selects the value of the load at [begin], whose register is mentioned so often in
/// the whole function.
std::optional<Selection> selected_behind(const Function& function, std::size_t begin,
                                         std::size_t end, const Name& loaded,
                                         std::size_t mentioned) {
  std::optional<UnusedIf> found;
  std::set<Name> before;  // what the instructions between the load and the last selection mention
  std::map<Name, std::size_t> comparisons;  // those that may be moved, by their predicates
  for (std::size_t at = begin + 1; at < end && mentioned > 1; ++at) {
    const auto* const i = std::get_if<Instruction>(&function.body[at]);
    if (i == nullptr) continue;
    if (!mentions(*i, loaded)) {
      const std::set<Name> compared = registers_of_comparison(*i);
      const bool depends = std::any_of(compared.begin(), compared.end(), [&](const Name& name) {
        return before.count(name) != 0 || (found && name_of(found->predicate) == name);
      });
      each_register(*i, [&](const Register& r) {
        before.insert(name_of(r));
        comparisons.erase(name_of(r));
      });
      if (!compared.empty() && !depends) comparisons[name_of(*register_of(*i, 0))] = at;
      continue;
    }
    const auto one = selection(*i, loaded);
    if (!one) return std::nullopt;
    const Name predicate = name_of(one->predicate);
    if (found && (name_of(found->predicate) != predicate || found->value != one->value))
      return std::nullopt;
    // It may have been written.
    if (before.count(predicate) != 0 && comparisons.count(predicate) == 0) return std::nullopt;
    found = one;
    if (const auto* const result = register_of(*i, 0)) before.insert(name_of(*result));
    --mentioned;
  }
  if (!found || mentioned != 1) return std::nullopt;
  const auto comparison = comparisons.find(name_of(found->predicate));
  if (comparison == comparisons.end()) return Selection{*found, std::nullopt};
  return Selection{*found, comparison->second};
}

using Mentions = std::map<Name, std::vector<std::size_t>>;  // statements, once for each mention

/// How all uses of the register that is loaded at `load` select its value, wherever they are.
std::optional<UnusedIf> selected_anywhere(const Function& function, std::size_t load,
                                          const Name& loaded,
                                          const std::vector<std::size_t>& mentions) {
  std::optional<UnusedIf> found;
  std::size_t writes = 0;
  for (const std::size_t at : mentions) {
    if (at == load) {
      if (++writes > 1) return std::nullopt;  // it is part of the address, too
      continue;
    }
    const auto one = selection(std::get<Instruction>(function.body[at]), loaded);
    if (!one) return std::nullopt;
    if (found &&
        (name_of(found->predicate) != name_of(one->predicate) || found->value != one->value)) {
      return std::nullopt;
    }
    found = one;
  }
  return found;
}

}  // namespace

SelectedLoads::SelectedLoads(const Function& function, const Flow& flow) {
  Mentions mentions;
  bool selects = false;
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    const auto* const i = std::get_if<Instruction>(&function.body[at]);
    if (i == nullptr) continue;
    selects = selects || i->base == "selp";
    each_register(*i, [&](const Register& r) { mentions[name_of(r)].push_back(at); });
  }
  if (!selects) return;
  const LastingComparisons lasting(function, flow);
  for (const Block& block : flow.blocks) {
    for (std::size_t at = block.begin; at < block.end; ++at) {
      const auto* const i = std::get_if<Instruction>(&function.body[at]);
      if (i == nullptr || i->base != "ld" || i->guard) continue;
      const Register* const loaded = register_of(*i, 0);
      if (loaded == nullptr) continue;
      const Name name = name_of(*loaded);
      const std::vector<std::size_t>& its_mentions = mentions.at(name);
      if (const auto found = selected_behind(function, at, block.end, name, its_mentions.size())) {
        loads_.emplace(i, found->unused);
        // The first load behind which it stands is the earliest place.
        if (found->comparison && moved_.insert(*found->comparison).second) {
          before_.emplace(at, Placed{*found->comparison, false});
        }
      } else if (const auto unused = selected_anywhere(function, at, name, its_mentions)) {
        const Name predicate = name_of(unused->predicate);
        const bool is_known = lasting.is_fixed(predicate, at);
        const auto comparison = is_known ? std::nullopt : lasting.of(predicate, at);
        const bool is_read_unwritten =
            std::any_of(its_mentions.begin(), its_mentions.end(), [&](std::size_t use) {
              return use != at && !lasting.is_written_before(predicate, use);
            });
        if (!is_known && (!comparison || is_read_unwritten)) continue;
        loads_.emplace(i, *unused);
        if (comparison) before_.emplace(at, Placed{*comparison, true});
      }
    }
  }
}

std::vector<SelectedLoads::Placed> SelectedLoads::in_order(std::size_t begin,
                                                           std::size_t end) const {
  std::vector<Placed> order;
  for (std::size_t at = begin; at < end; ++at) {
    const auto [first, last] = before_.equal_range(at);
    for (auto placed = first; placed != last; ++placed) order.push_back(placed->second);
    if (moved_.count(at) == 0) order.push_back({at, false});
  }
  return order;
}

std::optional<UnusedIf> SelectedLoads::of(const Instruction& load) const {
  const auto found = loads_.find(&load);
  return found == loads_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace bankproof::ptx
