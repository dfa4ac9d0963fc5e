// The two solvers. Z3 is called through its library. cvc5 is a separate process that reads the
// exported SMT-LIB text. Limits count the work done, which repeats exactly from run to run; a clock
// only guards against a solver that hangs. Anything but a definite answer is `unknown` or an error:
// a limit, a crash, an unreadable line, a missing program.
#pragma once

#include <z3++.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bankproof::proofs {

/// A solver's answer: whether all assertions can be true at once.
struct Answer {
  enum class Kind : std::uint8_t { satisfiable, unsatisfiable, unknown, error };
  using enum Kind;

  Kind kind = error;
  std::string why;  ///< for `unknown` and `error`
  /// For `unsatisfiable`: the positions of assertions that cannot all be true. Empty if the solver
  /// does not name them.
  std::vector<std::size_t> core = {};
  bool is_missing = false;  ///< the program does not exist
  /// For `satisfiable`: values of the unknowns. Empty if the solver does not give them.
  std::vector<z3::expr> example = {};
};

/// A solver crashes, prints something unreadable, or contradicts itself or the other solver.
class SolverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Limits on the work for one answer.
struct Limits {
  unsigned z3_steps = 20'000'000;
  unsigned z3_seed = 0;
  unsigned cvc5_steps = 2'000'000;
  unsigned seconds = 20;      ///< only a guard
  std::string cvc5 = "cvc5";  ///< the program's name
};

/// A limit of Z3's time. Every solver needs it: Z3's own handler of interrupts, which this switches
/// off, would take the place of the program's.
z3::params z3_clock(z3::context& context, unsigned milliseconds);

/// The limits as Z3 parameters. Z3 does not handle interrupts, so an interrupt ends the program:
/// Z3's own handler works for one solver at a time only.
z3::params z3_limits(z3::context& context, const Limits& limits);

/// SMT-LIB 2 text that asks whether all assertions can be true at once.
std::string question(z3::context& context, const std::vector<z3::expr>& assertions);

/// Z3's answer.
Answer ask_z3(z3::context& context, const std::vector<z3::expr>& assertions,
              const Limits& limits = {});

/// Asks cvc5 several questions in one process, and returns its answers. After the first answer that
/// is neither `sat` nor `unsat`, cvc5 gets no further question.
std::vector<Answer> ask_cvc5(const std::vector<std::string>& questions, const Limits& limits = {});

/// The two solvers: the first takes terms, the second takes text. cvc5 decides most goals of
/// theorems in less than 20,000 steps. cvc5 may get too few facts to decide a goal, and should then
/// give up soon (check.hpp).
struct Solvers {
  std::function<Answer(z3::context&, const std::vector<z3::expr>&)> first = {};  ///< Z3 if empty
  std::function<std::vector<Answer>(const std::vector<std::string>&)> second =
      [](const std::vector<std::string>& questions) {
        return ask_cvc5(questions, {.cvc5_steps = 100'000});
      };
};

}  // namespace bankproof::proofs
