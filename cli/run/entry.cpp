// See entry.hpp.
#include "entry.hpp"

#include "../../algorithms/catalog/catalog.hpp"

namespace bankproof::cli {
namespace {

template <class A>
Outcome<std::uint64_t> run_on_machine(const Task& task, const Conditions& conditions,
                                      const Inputs<std::uint64_t>& inputs,
                                      std::span<Observer* const> observers) {
  return with_machine(task.machine, conditions, [&](auto& machine) {
    for (Observer* const observer : observers) machine.attach(*observer);
    return A::template run<std::uint64_t>(task, machine, inputs);
  });
}

template <class A>
std::uint64_t shared_words_of(const Task& task) {
  if constexpr (requires { A::shared_words(task); }) {
    return is_hierarchical(task.machine.machine) ? A::shared_words(task) : 0;
  } else {
    return 0;
  }
}

template <class A>
AlgorithmEntry entry_of() {
  constexpr bool permutes = requires { &A::complete; };
  const auto overlapped_time = [](const Task& task) -> std::optional<Time> {
    if constexpr (requires { A::overlapped_time(task); }) {
      return A::overlapped_time(task);
    } else {
      return std::nullopt;
    }
  };
  return {A::name,
          A::does,
          A::size_keys,
          A::variants,
          permutes,
          A::inputs,
          A::output,
          A::refusal,
          shared_words_of<A>,
          A::template expected<std::uint64_t>,
          run_on_machine<A>,
          [](const Task& task) { return A::cost(task); },
          overlapped_time,
          upper_bound<A>,
          lower_bounds<A>,
          global_cost_bound<A>};
}

}  // namespace

std::span<const AlgorithmEntry> algorithm_entries() {
  static const std::vector<AlgorithmEntry> entries = [] {
    std::vector<AlgorithmEntry> all;
    for_each_algorithm([&]<class A>(A) { all.push_back(entry_of<A>()); });
    return all;
  }();
  return entries;
}

}  // namespace bankproof::cli
