// Looks for the writes of registers; see lasting_comparisons.hpp.
#include "lasting_comparisons.hpp"

#include <variant>

namespace bankproof::ptx {

namespace {

/// The blocks on paths that begin with the blocks `from` and do not enter `avoided`.
std::vector<bool> reachable(const Flow& flow, std::vector<std::size_t> from,
                            std::optional<std::size_t> avoided) {
  std::vector<bool> found(flow.blocks.size());
  while (!from.empty()) {
    const std::size_t block = from.back();
    from.pop_back();
    if (found[block] || block == avoided) continue;
    found[block] = true;
    const std::vector<std::size_t>& next = flow.blocks[block].successors;
    from.insert(from.end(), next.begin(), next.end());
  }
  return found;
}

}  // namespace

LastingComparisons::LastingComparisons(const Function& function, const Flow& flow)
    : function_(function), flow_(flow) {
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    const auto* const i = std::get_if<Instruction>(&function.body[at]);
    if (i == nullptr) continue;
    each_written_register(*i, [&](const Register& r) { writes_[name_of(r)].push_back(at); });
  }
}

const Instruction* LastingComparisons::only_write(const RegisterName& name) const {
  const auto found = writes_.find(name);
  if (found == writes_.end() || found->second.size() != 1) return nullptr;
  const auto& i = std::get<Instruction>(function_.body[found->second.front()]);
  return i.guard ? nullptr : &i;
}

bool LastingComparisons::is_written_before(const RegisterName& name, std::size_t statement) const {
  if (only_write(name) == nullptr) return false;
  const std::size_t write = writes_.at(name).front();
  const std::size_t its_block = flow_.block_of[write];
  const std::size_t block = flow_.block_of[statement];
  if (its_block == block) return write < statement;
  return !reachable(flow_, {0}, its_block)[block];
}

bool LastingComparisons::is_fixed(const RegisterName& name, std::size_t statement) const {
  if (!is_written_before(name, statement)) return false;
  const std::vector<std::size_t>& next = flow_.blocks[flow_.block_of[statement]].successors;
  return !reachable(flow_, next, std::nullopt)[flow_.block_of[writes_.at(name).front()]];
}

std::optional<std::size_t> LastingComparisons::of(const RegisterName& predicate,
                                                  std::size_t statement) const {
  const Instruction* const comparison = only_write(predicate);
  if (comparison == nullptr || comparison->base != "setp") return std::nullopt;
  if (register_of(*comparison, 0) == nullptr) return std::nullopt;  // it gives two predicates
  bool fixed = true;
  for (std::size_t k = 1; k < comparison->operands.size(); ++k) {
    each_register(comparison->operands[k],
                  [&](const Register& r) { fixed = fixed && is_fixed(name_of(r), statement); });
  }
  if (!fixed) return std::nullopt;
  return writes_.at(predicate).front();
}

}  // namespace bankproof::ptx
