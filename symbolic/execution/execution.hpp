// Executes a kernel once, for all inputs: one symbolic thread takes every path, and paths are
// joined where they meet. The result is a trace.
//
// A loop whose condition is known in each iteration is written out. Any other loop is executed
// once, for iteration k: a register that grows by the same number in each iteration is start +
// k·step, one that is halved start >> k, and so on (loop_forms.hpp); a register that follows no
// such rule is an unknown. What memory holds is unknown too, and so are floating-point numbers.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "../flow/loops.hpp"
#include "../flow/registers.hpp"
#include "inputs.hpp"
#include "state.hpp"
#include "trace.hpp"

namespace bankproof::symbolic {

/// Thrown for a construct that is not followed.
struct NotFollowed {
  Unsupported what;
};

class Execution {
 public:
  /// Throws NotFollowed, and ptx::Error for code without a meaning.
  Execution(Pool& pool, const ptx::Module& module, const ptx::Function& kernel,
            const Shape& shape = {});

  const Trace& trace() const { return trace_; }
  Inputs& inputs() { return inputs_; }
  /// Adds what has been proved of an iteration.
  void add(const Fact& fact) { trace_.facts.push_back(fact); }
  /// Takes away what has been proved of loops.
  void forget_invariants() {
    std::erase_if(trace_.facts, [](const Fact& fact) {
      return fact.kind == Fact::Kind::invariant || fact.kind == Fact::Kind::bounded;
    });
  }

 private:
  struct Exit {
    std::size_t to;
    Arrival arrival;
  };
  /// How often the trace had what, to go back to.
  struct Mark {
    std::size_t accesses, loads, agreed, results, under_way, barriers, warp_barriers, meetings,
        traps, steps, loops, events, facts;
    std::vector<std::pair<std::size_t, std::size_t>> next;  // how many, of earlier events
  };
  /// One pass through a loop's body.
  struct Pass {
    std::optional<Arrival> back;
    std::vector<Exit> exits;
  };

  // ---- execution.cpp: regions and loops
  std::vector<Exit> region(std::optional<std::size_t> loop, std::size_t first, Arrival start,
                           std::optional<Arrival>& back);
  std::vector<Exit> loop(std::size_t loop, const Arrival& start);
  std::optional<std::vector<Exit>> written_out(std::size_t loop, const Arrival& start);
  std::vector<Exit> summarized(std::size_t loop, const Arrival& start);
  Pass pass(std::size_t loop, const Arrival& start);
  /// Where what is of a loop begins in the trace.
  struct First {
    std::size_t fact = 0;
    std::size_t load = 0;
    std::size_t agreed = 0;
  };
  /// Returns the last iteration.
  Term leave(std::vector<Exit>& exits, const Guard& before, bool all_leave, const First& first,
             std::size_t instance);
  /// Adds the loads, and what threads agree about, from the first ones on whose values have other
  /// names, with these names.
  template <class IsRenamed, class Rename>
  void rename_loads(const First& first, const IsRenamed& is_renamed, const Rename& rename);
  Arrival joined(const Arrival& a, const Arrival& b);
  Mark mark() const;
  void go_back(const Mark& mark);
  std::size_t event(Event::Kind kind, std::size_t index, Arrival& arrival);

  // ---- memory.cpp: instructions that access memory
  void add_access(Access access, Arrival& arrival);
  void access(const ptx::Instruction& i, AccessKind kind, Arrival& arrival);
  bool is_of_parameter_by_name(const ptx::Operand& operand, const Access& access);
  bool is_of_one_place(const ptx::Instruction& i, State& state);
  void load(const ptx::Instruction& i, Arrival& arrival);
  void store(const ptx::Instruction& i, Arrival& arrival);
  /// From now on, it is known that threads agree about the value in a loop.
  void agree(Term value, bool is_loaded);
  std::vector<Term> counters_around() const;
  void atomic(const ptx::Instruction& i, Arrival& arrival);
  void load_matrices(const ptx::Instruction& i, Arrival& arrival);

  // ---- copies.cpp: copies by cp.async
  void copy(const ptx::Instruction& i, Arrival& arrival);
  void meet_copies(std::size_t access, const Arrival& arrival);
  void pass_barrier(Arrival& arrival);
  bool waits_for_copies(std::size_t loop) const;
  std::vector<CopyUnderWay> entering(const std::vector<CopyUnderWay>& copies, std::size_t loop,
                                     Term counter);
  std::vector<CopyUnderWay> in_next_iteration(const std::vector<CopyUnderWay>& copies,
                                              const std::vector<CopyUnderWay>& in_this,
                                              std::size_t loop, Term counter);
  void put_earlier(CopyUnderWay& copy, Term counter, bool is_any);

  // ---- block.cpp: instructions
  void make_inputs();
  std::vector<Exit> block(std::size_t block, Arrival arrival);
  void end(const Arrival& arrival);
  void instruction(const ptx::Instruction& i, Arrival& arrival);
  void barrier(const ptx::Instruction& i, Event::Kind kind, std::vector<Barrier>& all,
               Arrival& arrival);
  void block_barrier(const ptx::Instruction& i, bool reduces, Arrival& arrival);
  void warp_barrier(const ptx::Instruction& i, Arrival& arrival);
  bool is_positive(Term divisor) const;
  void compute_row(const ptx::Instruction& i, Arrival& arrival);
  void move_vector(const ptx::Instruction& i, Arrival& arrival);
  void move_slot(const ptx::Instruction& i, Arrival& arrival);
  Term address_of(const ptx::Instruction& i, std::size_t operand, std::optional<ptx::Space> space,
                  State& state);
  Term converted(const ptx::Instruction& i, Term address);
  Term of_variables(Term address);
  Term scalar(const ptx::Scalar& value, unsigned width, State& state);
  Term source(const ptx::Operand& operand, unsigned width, State& state);
  Term read(const ptx::Register& r, State& state);
  void write(const ptx::Scalar& to, Term value, bool is_signed, Arrival& arrival);
  void write_carry(Term value, Arrival& arrival);
  void forget_results(const ptx::Instruction& i, Arrival& arrival, Scope scope = Scope::thread);
  void depend_on(const ptx::Instruction& i, const std::string& opcode,
                 const std::vector<ptx::Scalar>& to, const std::vector<Term>& sources,
                 Arrival& arrival);
  Guard guard_of(const Arrival& arrival);
  void meeting(const ptx::Instruction& i, const ptx::Operand& mask, Arrival& arrival);
  void meeting(const ptx::Instruction& i, std::uint32_t lanes, Arrival& arrival);
  void come_together(const ptx::Instruction& i, Event::Kind kind, std::vector<Barrier>& all,
                     Arrival& arrival);
  [[noreturn]] static void not_followed(const ptx::Instruction& i, const std::string& why);

  Pool& pool_;
  const ptx::Function& kernel_;
  ptx::Flow flow_;
  Loops loops_;
  Registers registers_;
  std::vector<std::vector<bool>> live_;
  Inputs inputs_;
  Trace trace_;
  bool has_barriers_;
  std::optional<std::size_t> in_loop_;  // in Trace::loops
  std::optional<Term> is_executed_;     // the instruction that is followed, if it has a guard
  /// Results by what they depend on: the instruction, which of its results, and its operands.
  std::map<std::tuple<std::string, std::size_t, unsigned, std::vector<Term>>, Term> results_;
  std::set<Term> agreed_in_loops_;  // values of Trace::agreed
  std::size_t steps_ = 0;
  std::size_t returns_ = 0;  // how often threads ended
};

}  // namespace bankproof::symbolic
