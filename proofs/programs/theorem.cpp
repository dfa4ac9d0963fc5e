// States the theorems; see theorem.hpp.
#include "theorem.hpp"

#include <algorithm>
#include <utility>

#include "inside.hpp"
#include "races.hpp"

namespace bankproof::proofs {
namespace {

/// The numbers of a task.
struct Numbers {
  TaskOf<Written> task;
  std::vector<IntTerm> all;

  /// `of` makes each number from its name and an example.
  template <class Of>
  Numbers(const ProgramOnFormulas& program, Of of)
      : task{program.variant, {}, {.machine = program.machine}} {
    const auto number = [&](const std::string& name, std::uint64_t example) {
      all.push_back(of(name, example));
      return all.back().written();
    };
    std::uint64_t example = 9;
    for (const std::string_view size : program.sizes) {
      task.sizes.add(size, number(std::string(size), example));
      example -= 2;
    }
    task.machine.p = number("p", 4);
    task.machine.w = number("w", 2);
    if (!is_hierarchical(program.machine)) return;
    task.machine.d = number("d", 3);
    task.machine.capacity = number("capacity", 64);
  }
};

bool is_nothing(const Written& number) {
  return number.node()->form == Form::number && number.node()->value == 0;
}

template <class Visit>
void each_pair(const Rounds<Written>& a, const Rounds<Written>& b, const std::string& memory,
               Visit visit) {
  visit(a.stages, b.stages, memory + ": stages");
  visit(a.rounds, b.rounds, memory + ": rounds");
  visit(a.requests, b.requests, memory + ": requests");
}

void claim_equal(Query& q, SameFormulas& same, const Cost<Written>& program,
                 const Cost<Written>& closed) {
  const auto claim = [&](const Written& a, const Written& b, const std::string& what) {
    if (!is_nothing(a) || !is_nothing(b)) q.claim(what, same.holds(a, b));
  };
  each_pair(program.global, closed.global, "global memory", claim);
  each_pair(program.shared, closed.shared, "shared memory", claim);
  each_pair(program.constant, closed.constant, "constant memory", claim);
  claim(program.overlap, closed.overlap, "rounds at the same time");
  // The claims above say that the program makes these rounds.
  claim(smaller(closed.global.rounds, Written(1)), closed.launches, "launches");
}

void prove(Query& q, const ProgramOnFormulas& program) {
  const Numbers numbers(program, [&](const std::string& name, std::uint64_t example) {
    return q.number(name, 1, example);
  });
  SameFormulas same(q, numbers.all);
  if (program.sweeps) {
    for (const SweepShape<Written>& sweep : program.sweeps(numbers.task)) same.know_sweep(sweep);
  }
  if (program.level) {
    same.know_levels([&](const Written& power) { return program.level(numbers.task, power); });
  }
  claim_equal(q, same, program.run(numbers.task).cost, program.closed(numbers.task));
}

/// The closed form forgets a round.
void claim_false(Query& q, const ProgramOnFormulas& program) {
  const Numbers numbers(
      program, [&](const std::string&, std::uint64_t example) { return q.constant(example); });
  const auto rounds = [&](const Cost<Written>& cost) {
    return q.constant(static_cast<std::uint64_t>(value_of(*cost.global.rounds.node(), {})));
  };
  q.claim("rounds on the global memory",
          rounds(program.run(numbers.task).cost) == rounds(program.closed(numbers.task)) - 1);
}

FormulaTerms::Names names_of(const Numbers& numbers) {
  FormulaTerms::Names names;
  for (const IntTerm& number : numbers.all) {
    const WrittenNode& node = *number.written().node();
    if (node.form == Form::name) names.insert_or_assign(node.name, number);
  }
  return names;
}

/// Runs the program, and proves what `claim` says of its accesses.
template <class Claim>
void prove_of_accesses(Query& q, const ProgramOnFormulas& program, Claim claim) {
  const Numbers numbers(program, [&](const std::string& name, std::uint64_t example) {
    return q.number(name, 1, example);
  });
  const WrittenRun run = program.run(numbers.task);
  const FormulaTerms::Names names = names_of(numbers);
  KnownSweeps sweeps;
  FormulaTerms terms(q, names, {});
  if (program.sweeps) {
    for (const SweepShape<Written>& sweep : program.sweeps(numbers.task)) {
      sweeps.all.emplace_back(sweep).know_shape(q, terms);
    }
  }
  if (program.level) {
    sweeps.of_level = [&](const Written& power) { return program.level(numbers.task, power); };
  }
  claim(Instances{q, names, sweeps}, run);
}

void prove_inside(Query& q, const ProgramOnFormulas& program) {
  prove_of_accesses(q, program, [](const Instances& instances, const WrittenRun& run) {
    for (std::size_t k = 0; k < run.accesses.size(); ++k) {
      claim_inside(instances, run.accesses[k], "access " + std::to_string(k + 1));
    }
  });
}

void prove_no_races(Query& q, const ProgramOnFormulas& program) {
  prove_of_accesses(q, program, [](const Instances& instances, const WrittenRun& run) {
    claim_no_races(instances, run);
  });
}

/// The word of the last thread in the last turns.
WrittenNumber last_word(const WrittenAccess& access) {
  Sample turn;
  const auto value = [&](const Written& formula) {
    return values_at({turn}, formula.node()).front();
  };
  const auto last = [&](const Written& first, const Written& count) {
    return value(first) + value(count) - 1;
  };
  for (const WrittenLoop& loop : access.loops) {
    const WrittenNumber limit = value(loop.limit);
    WrittenNumber place = limit - 1;
    if (loop.form == Form::over_powers) {
      for (place = 1; 2 * place < limit;) place *= 2;
    }
    turn.places[loop.place.node()->value] = place;
  }
  return value(access.index.first) + value(access.index.step) * last(access.first, access.count) +
         value(access.index.row_step) * last(access.first_row, access.rows);
}

/// All words would be the first one.
void claim_in_first_word(Query& q, const ProgramOnFormulas& program) {
  const Numbers numbers(
      program, [&](const std::string&, std::uint64_t example) { return q.constant(example); });
  WrittenNumber last = 0;
  for (const WrittenAccess& access : program.run(numbers.task).accesses) {
    last = std::max(last, last_word(access));
  }
  q.claim("all accesses", q.constant(static_cast<std::uint64_t>(last)) < 1);
}

/// As if a thread's access to the word that it writes were one of another thread.
void claim_words_are_written_once(Query& q, const ProgramOnFormulas& program) {
  const Numbers numbers(
      program, [&](const std::string&, std::uint64_t example) { return q.constant(example); });
  WrittenNumber last = 0;
  for (const WrittenAccess& access : program.run(numbers.task).accesses) {
    if (access.writes) last = last_word(access);
  }
  const auto word = [&] { return q.constant(static_cast<std::uint64_t>(last)); };
  q.claim("the last write", word() != word());
}

}  // namespace

Theorem theorem_on(const ProgramOnFormulas& program) {
  return Theorem{.id = program.id,
                 .source = program.source,
                 .statement = program.what + " makes the rounds that its closed form says",
                 .domain = program.domain}
      .proof([=](Query& q) { prove(q, program); })
      .false_twin([=](Query& q) { claim_false(q, program); });
}

Theorem theorem_on_accesses_of(const ProgramOnFormulas& program) {
  std::string id = program.id;
  id.replace(id.find("program"), 7, "inside");
  return Theorem{.id = id,
                 .source = program.source,
                 .statement = "each access of " + program.what + " lies in its array",
                 .domain = program.domain}
      .proof([=](Query& q) { prove_inside(q, program); })
      .false_twin([=](Query& q) { claim_in_first_word(q, program); });
}

Theorem theorem_on_races_of(const ProgramOnFormulas& program) {
  std::string id = program.id;
  id.replace(id.find("program"), 7, "races");
  return Theorem{.id = id,
                 .source = program.source,
                 .statement = program.what + " has no race",
                 .domain = program.domain}
      .proof([=](Query& q) { prove_no_races(q, program); })
      .false_twin([=](Query& q) { claim_words_are_written_once(q, program); });
}

}  // namespace bankproof::proofs
