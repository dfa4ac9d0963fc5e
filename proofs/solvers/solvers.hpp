// The two solvers. Z3 is called through its library, cvc5 as a process of its own that reads the
// exported SMT-LIB text. Limits are on the work done, which repeats exactly from run to run; a
// clock only guards against a solver that hangs. Whatever is not exactly an answer is none: a
// limit, a crash, an unreadable line, a missing program.
#pragma once

#include <z3++.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bankproof::proofs {

enum class Answer : std::uint8_t { satisfiable, unsatisfiable, unknown, error };

struct Reply {
  Answer answer = Answer::error;
  std::string why;  ///< of the last two
  /// Which of the statements cannot all be true, of those that are unsatisfiable; empty if the
  /// solver does not say.
  std::vector<std::size_t> core = {};
  bool is_missing = false;  ///< there is no such program
  /// Values of unknowns, of statements that are satisfiable; empty if the solver does not say.
  std::vector<z3::expr> example = {};
};

/// A solver that crashes, says what cannot be read, or contradicts itself or the other one.
class SolverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How far solvers may go with one question.
struct Limits {
  unsigned z3_steps = 20'000'000;
  unsigned cvc5_steps = 2'000'000;
  unsigned seconds = 20;      ///< a guard
  std::string cvc5 = "cvc5";  ///< the program
};

/// The limits as Z3 has them. An interrupt ends the program: Z3's own handler is for one solver at
/// a time.
z3::params z3_limits(z3::context& context, const Limits& limits);

/// Whether all of this can be true at a time, as SMT-LIB 2 text.
std::string question(z3::context& context, const std::vector<z3::expr>& assertions);

/// Z3's answer.
Reply ask_z3(z3::context& context, const std::vector<z3::expr>& assertions,
             const Limits& limits = {});

/// cvc5's answers to several questions, in one process. After the first that is neither yes nor no
/// the others are not asked.
std::vector<Reply> ask_cvc5(const std::vector<std::string>& questions, const Limits& limits = {});

/// Who is asked: the first is handed terms, the second text. Of theorems cvc5 decides most goals in
/// less than 20,000 steps; where it goes astray in too few facts it is to say so soon (check.hpp).
struct Solvers {
  std::function<Reply(z3::context&, const std::vector<z3::expr>&)> first = {};  ///< Z3 if empty
  std::function<std::vector<Reply>(const std::vector<std::string>&)> second =
      [](const std::vector<std::string>& questions) {
        return ask_cvc5(questions, {.cvc5_steps = 100'000});
      };
};

}  // namespace bankproof::proofs
