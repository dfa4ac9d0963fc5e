// Cuts a function into basic blocks at its branches and labels.
#include "flow.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace bankproof::ptx {

namespace {

constexpr std::array<std::string_view, 5> block_ends{"bra", "brx", "ret", "exit", "trap"};

// Many branches that share a long table of targets could turn a short text into a huge graph.
constexpr std::size_t most_edges = std::size_t{1} << 24U;

/// Whether it is a call of __assertfail, which ends the launch as trap does.
bool fails_assertion(const Instruction& instruction) {
  return instruction.base == "call" &&
         std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const Operand& operand) {
                       const auto* scalar = std::get_if<Scalar>(&operand.value);
                       const auto* symbol = scalar ? std::get_if<Symbol>(scalar) : nullptr;
                       return symbol && symbol->name == "__assertfail";
                     });
}

const Instruction* block_end(const Statement& statement) {
  const auto* instruction = std::get_if<Instruction>(&statement);
  const bool ends = instruction && (std::find(block_ends.begin(), block_ends.end(),
                                              instruction->base) != block_ends.end() ||
                                    fails_assertion(*instruction));
  return ends ? instruction : nullptr;
}

class FlowBuilder {
 public:
  FlowBuilder(const Function& function, const std::string& file)
      : body_(function.body), file_(file) {}

  Flow run() {
    cut();
    last_into_.assign(flow_.blocks.size(), flow_.blocks.size());
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) connect(b);
    ExitGraph graph;
    for (const Block& block : flow_.blocks) {
      graph.successors.push_back(block.successors);
      graph.exits.push_back(block.exits);
    }
    flow_.post_dominator = immediate_post_dominators(graph);
    return std::move(flow_);
  }

 private:
  [[noreturn]] void unsupported(const Instruction& branch) const {
    throw Error("unsupported: this form of " + branch.base, file_, branch.place);
  }

  // The statements to which a branch can go.
  std::vector<std::size_t> targets(const Instruction& branch) const {
    if (branch.base != "bra" && branch.base != "brx") return {};
    if (branch.operands.empty()) unsupported(branch);
    const auto* scalar = std::get_if<Scalar>(&branch.operands.back().value);
    const auto* name = scalar ? std::get_if<LabelName>(scalar) : nullptr;
    if (!name) unsupported(branch);
    const Statement& at = body_[name->statement];
    if (branch.base == "bra") {
      if (branch.operands.size() != 1 || !std::holds_alternative<Label>(at)) unsupported(branch);
      return {name->statement};
    }
    const auto* table = std::get_if<BranchTargets>(&at);
    if (branch.operands.size() != 2 || !table) unsupported(branch);
    std::vector<std::size_t> result;
    result.reserve(table->targets.size());
    for (const LabelName& target : table->targets) result.push_back(target.statement);
    return result;
  }

  void cut() {
    std::vector<bool> leads(body_.size() + 1);
    leads[0] = true;
    for (std::size_t s = 0; s < body_.size(); ++s) {
      const Instruction* end = block_end(body_[s]);
      if (!end) continue;
      leads[s + 1] = true;
      for (const std::size_t target : targets(*end)) leads[target] = true;
    }
    for (std::size_t s = 0; s < body_.size(); ++s) {
      if (leads[s]) flow_.blocks.push_back({s, s, {}, false});
      flow_.blocks.back().end = s + 1;
      flow_.block_of.push_back(flow_.blocks.size() - 1);
    }
    if (body_.empty()) flow_.blocks.emplace_back();
  }

  void connect(std::size_t b) {
    Block& block = flow_.blocks[b];
    const Instruction* end = block.end > block.begin ? block_end(body_[block.end - 1]) : nullptr;
    if (!end || end->guard) {
      if (b + 1 < flow_.blocks.size()) {
        block.successors.push_back(b + 1);
      } else {
        block.exits = true;
      }
    }
    if (!end) return;
    if (end->base == "ret" || end->base == "exit") block.exits = true;
    for (const std::size_t successor : block.successors) last_into_[successor] = b;
    for (const std::size_t target : targets(*end)) {
      const std::size_t successor = flow_.block_of[target];
      if (std::exchange(last_into_[successor], b) == b) continue;
      if (++edges_ > most_edges) unsupported(*end);
      block.successors.push_back(successor);
    }
  }

  const std::vector<Statement>& body_;
  const std::string& file_;
  Flow flow_;
  // For each block, the block from which connect() last found an edge into it.
  std::vector<std::size_t> last_into_;
  std::size_t edges_ = 0;
};

}  // namespace

Flow flow_of(const Function& function, const std::string& file) {
  return FlowBuilder(function, file).run();
}

}  // namespace bankproof::ptx
