// A warp whose numbers are formulas. It stands for all warps of a launch at once, as they run in
// lockstep, and runs the program that also runs on the machines (model/warp.hpp). What it keeps is
// the cost of the program's accesses, as a formula of the sizes: a loop becomes a sum over its
// turns, and an access becomes a round of the threads that take part.
//
// Thread j of those that take part accesses word first + step·j, so a round is a run or a stride of
// algorithms/rounds.hpp. In a sweep over a matrix, the threads of each row do so. A program that
// needs more than this throws std::logic_error.
//
// Example: `for (auto i : warp.each(n)) co_await a.read(i)` becomes the sum over t of the stages of
// smaller(p, n − t·p) threads from word t·p on.
#pragma once

#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/algorithm.hpp"
#include "../../algorithms/layout.hpp"
#include "../../algorithms/rounds.hpp"
#include "../../model/warp.hpp"
#include "../written/written.hpp"
#include "index.hpp"
#include "run.hpp"

namespace bankproof::proofs {

class WrittenWarp;

/// Values of threads: the accesses of a program on this warp do not depend on them.
struct WrittenValues {
  WrittenValues& operator+=(const WrittenValues&) { return *this; }
  friend WrittenValues operator+(WrittenValues, WrittenValues) { return {}; }
  friend WrittenValues operator*(WrittenValues, WrittenValues) { return {}; }
};

/// An array in the global or in the shared memory, which starts at a multiple of the width.
class WrittenArray {
 public:
  WrittenArray(WrittenWarp& warp, Written size);
  WrittenArray(WrittenWarp& warp, Written size, WrittenArrayName name)
      : warp_(&warp), size_(std::move(size)), name_(std::move(name)) {}

  const Written& size() const { return size_; }

  auto read(const WrittenIndex& index, AccessKind = AccessKind::undeclared) {
    access(index, false);
    return Done<WrittenValues>{};
  }
  auto write(const WrittenIndex& index, const WrittenValues&, AccessKind = AccessKind::undeclared) {
    access(index, true);
    return Done<void>{};
  }

 private:
  /// No program waits for an access.
  template <class Result>
  struct [[nodiscard]] Done {
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    Result await_resume() const noexcept { return Result(); }
  };

  void access(const WrittenIndex& index, bool writes);

  WrittenWarp* warp_;
  Written size_;
  WrittenArrayName name_;
};

/// The warp that a program's coroutine knows.
struct WaitingWarp : bankproof::Warp {
  std::optional<WrittenTruth> condition{};  ///< of the barrier at which the program waits
};

/// The machine on which a program runs, and its launch.
struct WrittenLaunch {
  MachineParametersOf<Written> machine;
  Written threads;     ///< of a block
  Written blocks = 1;  ///< at most one on each DMM, unless there are waves
  /// How many blocks run at the same time, if they run in waves.
  std::optional<Written> at_a_time{};
};

class WrittenWarp {
 public:
  using Number = Written;
  using Truth = WrittenTruth;
  template <class T>
  using ArrayType = WrittenArray;

  explicit WrittenWarp(WrittenLaunch launch);

  const Written& width() const { return launch_.machine.w; }
  const Written& threads() const { return launch_.threads; }
  const Written& block() const { return block_; }

  /// Which threads take part in a turn.
  struct Threads {
    Written count;  ///< of each row
    Numbered numbered = Numbered::in_block;
    Written rows = 1;
    Written first_row = 0;    ///< of the turn's rows
    Written first = 0;        ///< of the row's threads
    Written times = 1;        ///< 0 if no thread takes part
    Written row_threads = 0;  ///< from a row to the next
    /// In turn t of a loop of T turns, rows r take part for which r·T + t is one of so many terms.
    std::optional<Written> terms{};
  };

  WrittenIndex thread() const { return {0, 1}; }
  WrittenIndex same(const Written& address) const { return {address, 0}; }
  /// The same for all threads of a row.
  WrittenIndex same(const WrittenIndex& of_row) const { return of_row; }
  template <class T>
  WrittenValues all(const T&) const {
    return {};
  }

  WrittenMask mask() const { return {taking_part_.count}; }

  /// Fewer threads take part, until the result goes out of scope.
  class [[nodiscard]] Fewer {
   public:
    Fewer(WrittenWarp& warp, const WrittenMask& mask);
    Fewer(WrittenWarp& warp, const WrittenPart& part);
    /// All threads if the condition holds, else none.
    Fewer(WrittenWarp& warp, const WrittenTruth& condition);
    Fewer(const Fewer&) = delete;
    Fewer& operator=(const Fewer&) = delete;
    ~Fewer() { warp_.taking_part_ = before_; }

   private:
    WrittenWarp& warp_;
    Threads before_;
  };
  Fewer only(const WrittenMask& mask) { return {*this, mask}; }
  Fewer only(const WrittenPart& part) { return {*this, part}; }
  Fewer only_if(const WrittenTruth& condition) { return {*this, condition}; }
  Fewer only_if(const WrittenMask& rows) { return {*this, rows}; }

  /// The turns of a loop.
  struct Turns {
    Form form = Form::over_numbers;
    Written limit;
    Written place;
    Threads taking_part;
    bool falls = false;
  };
  /// A loop whose body runs once, for the turn or the power `place`.
  template <class Index>
  class [[nodiscard]] Loop {
   public:
    Loop(WrittenWarp& warp, const Turns& turns, Index index)
        : warp_(warp), index_(std::move(index)) {
      warp_.begin_loop(turns);
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop() { warp_.end_loop(); }

    class Iterator {
     public:
      explicit Iterator(const Index& index) : index_(&index) {}
      Index operator*() const { return *index_; }
      Iterator& operator++() {
        is_over_ = true;
        return *this;
      }
      bool operator!=(std::default_sentinel_t) const { return !is_over_; }

     private:
      const Index* index_;
      bool is_over_ = false;
    };
    Iterator begin() const { return Iterator(index_); }
    std::default_sentinel_t end() const { return {}; }

   private:
    WrittenWarp& warp_;
    Index index_;
  };

  Loop<WrittenIndex> each(const Written& n) { return each(n, threads(), Numbered::in_block); }
  Loop<WrittenIndex> falling_turns(const Written& n);
  Loop<WrittenIndex> each_of_launch(const Written& n) {
    return each(n, launch_.blocks * threads(), Numbered::in_launch);
  }
  Loop<Written> rising_powers(const Written& end) { return powers(end, false); }
  Loop<Written> falling_powers(const Written& end) { return powers(end, true); }
  Loop<Written> times(const Written& n) {
    const Written k = Written::new_place();
    return {*this, {Form::over_numbers, n, k, taking_part_}, k};
  }
  Loop<WrittenElement> each_element(const Written& rows, const Written& columns);

  template <class T>
  WrittenArray& shared(const Written& size, const std::string&) {
    return shared_.emplace_back(*this, size, new_array(true));
  }
  WrittenArrayName new_array(bool shared = false) { return {++arrays_, 0, shared}; }

  /// Runs a program of this warp to its end, and adds what it costs.
  void run(Program program);
  /// The cost of all that ran; it counts no launches.
  Cost<Written> cost();
  WrittenRun result();

 private:
  friend class WrittenArray;
  struct Frame {
    Turns turns{};
    Cost<Written> cost{};
  };

  Loop<WrittenIndex> each(const Written& n, const Written& at_once, Numbered numbered);
  Loop<Written> powers(const Written& end, bool falls) {
    const Written power = Written::new_place();
    return {*this, {Form::over_powers, end, power, taking_part_, falls}, power};
  }
  void begin_waves();
  void end_wave();
  void begin_loop(Turns turns);
  void end_loop();
  static Written added_up(const Turns& turns, const Written& term);
  bool all_take_part() const;
  void take_terms(const WrittenMask::Rows& rows);
  void access_terms(WrittenAccess access, MemoryKind kind);
  void access(WrittenAccess access);
  void keep_access(WrittenAccess access, std::vector<WrittenLoop> loops);
  std::vector<WrittenLoop> loops() const;
  Rounds<Written> round_in_block(const WrittenIndex& index, MemoryKind kind) const;
  bool meets_one_bank(const WrittenIndex& index, MemoryKind kind) const;
  Written stages_of_row(const WrittenIndex& index, const Written& row, MemoryKind kind) const;

  WrittenLaunch launch_;
  Written place_of_block_ = Written::new_place();
  Written block_ = place_of_block_;  // the same for all that a program does
  Threads taking_part_;
  std::size_t arrays_ = 0;
  std::size_t numbered_ = 0;  // accesses and barriers
  std::vector<WrittenAccess> accesses_;
  std::vector<WrittenBarrier> barriers_;
  std::vector<Frame> frames_{1};  // of the loops; keeps who took part before each one
  std::deque<WrittenArray> shared_;
};

/// All elements of a rows × columns matrix, for the threads of the block (sweep.hpp).
inline WrittenWarp::Loop<WrittenElement> sweep(WrittenWarp& warp, const Written& rows,
                                               const Written& columns) {
  return warp.each_element(rows, columns);
}

/// Waits at a barrier that the program reaches under a condition.
struct [[nodiscard]] WrittenBarrierAwaiter {
  WrittenTruth condition;
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> program) const {
    static_cast<WaitingWarp&>(*program.promise().warp).condition = condition;
    barrier().await_suspend(program);
  }
  void await_resume() const noexcept {}
};
inline WrittenBarrierAwaiter barrier_if(const WrittenTruth& condition) { return {condition}; }

}  // namespace bankproof::proofs
