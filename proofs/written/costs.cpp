// Writes the closed forms; see costs.hpp.
#include "costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../../algorithms/catalog/catalog.hpp"
#include "in_coq.hpp"
#include "tasks.hpp"

namespace bankproof::proofs {
namespace {

constexpr const char* head =
    R"((* The lockstep times of the algorithms, written by `bankproof prove --coq` from the templates
   that also run on machine words. At the examples, Coq computes what the templates return. *)
From Coq Require Import ZArith.
From Bankproof Require Import Written.
Open Scope bool_scope.
Open Scope Z_scope.
)";

constexpr std::size_t examples_of_definition = 2;

/// Small tasks that the variant can do, the same in each run.
template <class A>
std::vector<Task> examples_of(std::string_view variant, MachineKind machine) {
  std::vector<Task> tasks;
  std::uint64_t drawn = 1;
  const auto number = [&](std::uint64_t least, std::uint64_t more) {
    drawn = drawn * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return least + (drawn >> 33U) % more;
  };
  for (int tries = 0; tries < 1000 && tasks.size() < examples_of_definition; ++tries) {
    Task task{variant, Sizes(A::size_keys), {.machine = machine}};
    for (const SizeKey& key : A::size_keys) {
      task.sizes.set(key.name, number(key.least, std::min<std::uint64_t>(key.tried, 40)));
    }
    MachineParameters& m = task.machine;
    m.w = number(1, 6);
    m.l = number(1, 5);
    m.L = number(1, 9);
    m.d = number(1, 3);
    m.p = m.w * number(1, 4);
    if (A::refusal(task).empty()) tasks.push_back(std::move(task));
  }
  return tasks;
}

void collect_names(const WrittenNode& node, std::set<std::string>& names,
                   std::unordered_set<const WrittenNode*>& met) {
  if (!met.insert(&node).second) return;
  if (node.form == Form::name) names.insert(node.name);
  for (const WrittenPointer& part : node.parts) collect_names(*part, names, met);
}

class Costs {
 public:
  CostsInCoq all() {
    costs_.text = head;
    for_each_algorithm([&]<class A>(A) {
      if constexpr (HasWrittenCost<A>) {
        for (const Variant& variant : A::variants) {
          for (const MachineKind machine : variant.machines) add<A>(variant.name, machine);
        }
      }
    });
    return std::move(costs_);
  }

 private:
  template <class A>
  void add(std::string_view variant, MachineKind machine) {
    constexpr std::array machines = {"pram", "dmm", "umm", "hmm", "async_hmm"};
    const std::string name = coq_name(
        fmt::format("{}_{}_{}", A::name, variant, machines[static_cast<std::size_t>(machine)]));
    const TaskOf<Written> task = written_task<A>(variant, machine);
    const Written time = lockstep_time(A::cost(task), task.machine);
    std::set<std::string> used;
    std::unordered_set<const WrittenNode*> met;
    collect_names(*time.node(), used, met);
    std::string parameters;
    for (const auto& [one, value] : numbers_of(task)) {
      if (used.count(one) != 0) parameters += coq_name(one) + " ";
    }
    define(name, fmt::format("fun {}: Z =>\n{}", parameters, in_coq(time)));
    for (const Task& example : examples_of<A>(variant, machine)) {
      std::string call = name;
      for (const auto& [one, value] : numbers_of(example)) {
        if (used.count(one) != 0) call += fmt::format(" {}", value);
      }
      costs_.text +=
          fmt::format("Example {}_at_{} : {} = {}.\nProof. vm_compute. reflexivity. Qed.\n", name,
                      ++costs_.examples, call, lockstep_time(A::cost(example), example.machine));
    }
  }

  /// Two machines may have the same closed form.
  void define(const std::string& name, const std::string& closed_form) {
    const auto [first, is_new] = names_.try_emplace(closed_form, name);
    costs_.text +=
        fmt::format("\nDefinition {} := {}.\n", name, is_new ? closed_form : first->second);
    ++costs_.definitions;
  }

  CostsInCoq costs_;
  std::map<std::string, std::string> names_;
};

}  // namespace

CostsInCoq costs_in_coq() { return Costs().all(); }

}  // namespace bankproof::proofs
