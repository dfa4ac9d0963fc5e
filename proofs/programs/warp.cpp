// Keeps the costs of accesses; see warp.hpp.
#include "warp.hpp"

#include <algorithm>
#include <stdexcept>

namespace bankproof::proofs {
namespace {

bool is(const Written& formula, WrittenNumber number) {
  return formula.node()->form == Form::number && formula.node()->value == number;
}

bool depends_on(const Written& formula, const Written& place) {
  const auto& places = formula.node()->places;
  return std::find(places.begin(), places.end(), place.node()->value) != places.end();
}

[[noreturn]] void refuse(const std::string& what) {
  throw std::logic_error("a program on formulas " + what);
}

/// Like a + b and b·a, without the numbers that change nothing.
Written plus(const Written& a, const Written& b) {
  if (is(a, 0)) return b;
  return is(b, 0) ? a : a + b;
}
void add_to(Written& sum, const Written& term) { sum = plus(sum, term); }
Written product_of(const Written& a, const Written& b) {
  if (is(a, 0) || is(b, 0)) return 0;
  return is(a, 1) ? b : a * b;
}

void add_to(Rounds<Written>& sum, const Rounds<Written>& term) {
  add_to(sum.stages, term.stages);
  add_to(sum.rounds, term.rounds);
  add_to(sum.requests, term.requests);
}

}  // namespace

WrittenIndex operator+(const WrittenIndex& i, const Written& b) {
  return {i.first + b, i.step, i.numbered, i.row_step};
}
WrittenIndex operator*(const Written& b, const WrittenIndex& i) {
  return {b * i.first, product_of(b, i.step), i.numbered, product_of(b, i.row_step)};
}
WrittenIndex operator+(const WrittenIndex& i, const WrittenIndex& j) {
  if (i.numbered != j.numbered) refuse("adds indices of threads that are numbered otherwise");
  return {i.first + j.first, plus(i.step, j.step), i.numbered, plus(i.row_step, j.row_step)};
}

WrittenMask operator<(const WrittenIndex& i, const Written& end) {
  if (!is(i.row_step, 0)) refuse("masks rows of a sweep");
  if (i.numbered != Numbered::in_block) refuse("masks threads of several blocks");
  const Written left = is(i.first, 0) ? end : minus_or_zero(end, i.first);
  return {is(i.step, 1) ? left : ceil_div(left, i.step)};
}
WrittenMask operator==(const WrittenIndex& i, const Written& number) {
  if (i.numbered != Numbered::in_block || !is(i.first, 0) || !is(i.step, 1) || !is(number, 0)) {
    refuse("selects a thread that is not thread 0");
  }
  return {1};
}

void WrittenArray::access(const WrittenIndex& index) { warp_->access(index, shared_); }

WrittenWarp::Fewer::Fewer(WrittenWarp& warp, const WrittenMask& mask)
    : warp_(warp), before_(warp.taking_part_) {
  if (warp.numbered_ != Numbered::in_block) refuse("masks threads of several blocks");
  // Each block has a thread 0.
  const bool is_one = is(mask.count, 1) && warp.all_take_part();
  warp.taking_part_ = is_one ? mask.count : smaller(warp.taking_part_, mask.count);
}

WrittenWarp::WrittenWarp(WrittenLaunch launch)
    : launch_(std::move(launch)), taking_part_(launch_.threads) {
  if (is(launch_.blocks, 1)) block_ = 0;
}

WrittenWarp::Loop<WrittenIndex> WrittenWarp::falling_turns(const Written& n) {
  const Written turn = Written::new_place();
  return {*this,
          {Form::over_numbers, ceil_div(n, threads()), turn, taking_part_, numbered_, rows_},
          {turn * threads(), 1}};
}

WrittenWarp::Loop<WrittenIndex> WrittenWarp::each(const Written& n, const Written& at_once,
                                                  Numbered numbered) {
  if (!all_take_part()) refuse("has a loop of some threads");
  const Written turn = Written::new_place();
  const Written first = turn * at_once;
  return {*this,
          {Form::over_numbers, ceil_div(n, at_once), turn, smaller(at_once, n - first), numbered},
          {first, 1, numbered}};
}

WrittenWarp::Loop<WrittenElement> WrittenWarp::each_element(const Written& rows,
                                                            const Written& columns) {
  if (!all_take_part()) refuse("has a loop of some threads");
  const SweepShape<Written> shape{rows, columns, threads(), width()};
  const Written turn = Written::new_place();
  const SweepTurn<Written> elements = shape.turn(turn);
  const WrittenIndex row{elements.row, 0, Numbered::in_block, 1};
  return {*this,
          {Form::over_numbers, shape.turns(), turn, elements.columns, Numbered::in_block,
           elements.rows},
          {row, {elements.column, 1}}};
}

void WrittenWarp::begin_loop(Turns turns) {
  if (depends_on(turns.limit, block_)) refuse("has a loop that differs between blocks");
  std::swap(taking_part_, turns.taking_part);
  std::swap(numbered_, turns.numbered);
  std::swap(rows_, turns.rows);
  frames_.push_back({.turns = std::move(turns)});
}

/// The sum of a term over the turns of a loop. It multiplies the parts of the term that no turn
/// changes by the number of turns, and adds up the others.
Written WrittenWarp::added_up(const Turns& turns, const Written& term) {
  if (is(term, 0)) return term;
  if (turns.form == Form::over_numbers && !depends_on(term, turns.place)) {
    return product_of(turns.limit, term);
  }
  const WrittenNode& node = *term.node();
  const bool is_sum = node.form == Form::plus;
  if (is_sum && turns.form == Form::over_numbers) {
    const Written a(node.parts[0]);
    const Written b(node.parts[1]);
    if (!depends_on(a, turns.place) || !depends_on(b, turns.place)) {
      return plus(added_up(turns, a), added_up(turns, b));
    }
  }
  return Written::of(turns.form, {turns.limit, turns.place, term});
}

void WrittenWarp::end_loop() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  const Turns& turns = frame.turns;
  taking_part_ = turns.taking_part;
  numbered_ = turns.numbered;
  rows_ = turns.rows;
  change_each(frame.cost, [&](const Written& term) { return added_up(turns, term); });
  add_to(frames_.back().cost.global, frame.cost.global);
  add_to(frames_.back().cost.shared, frame.cost.shared);
}

Rounds<Written> WrittenWarp::round_in_block(const WrittenIndex& index, MemoryKind kind) const {
  if (is(taking_part_, 1) && is(rows_, 1)) return {1, 1, 1};
  const auto stages_of_row = [&](const Written& first) {
    const Run<Written> run{first, taking_part_};
    if (is(index.step, 1)) return stages_of(kind, run, width());
    // The threads of a warp access one word.
    if (is(index.step, 0) && kind != MemoryKind::uniform) return ceil_div(taking_part_, width());
    return stages_of_stride(kind, run, index.step, width());
  };
  Written stages;
  if (is(rows_, 1)) {
    stages = stages_of_row(index.first);
  } else if (is(index.row_step, 0) || is(index.step, 0)) {
    stages = product_of(rows_, stages_of_row(index.first));
  } else {
    stages = sum_over(rows_, [&](const Written& row) {
      return stages_of_row(index.first + index.row_step * row);
    });
  }
  // On the PRAM, all rows take one stage together.
  if (kind == MemoryKind::uniform && !is(rows_, 1)) stages = smaller(stages, Written(1));
  return one_round(stages, product_of(rows_, taking_part_));
}

void WrittenWarp::access(const WrittenIndex& index, bool shared) {
  const bool has_shared_memory = is_hierarchical(launch_.machine.machine);
  const MemoryKind kind =
      shared && has_shared_memory ? MemoryKind::banks : launch_.machine.memory();
  Cost<Written>& cost = frames_.back().cost;
  if (index.numbered != numbered_ && !is(index.step, 0)) {
    refuse("accesses words by the numbers of threads that do not take part");
  }
  if (numbered_ == Numbered::in_launch) {
    if (shared) refuse("accesses shared memory in a loop over the threads of the launch");
    if (!is(index.step, 1)) refuse("accesses global memory in strides of the launch's threads");
    // The threads of a block access the words behind those of the block before.
    const Written stages =
        over_turns(taking_part_, threads(), [&](const Written& first, const Written& words) {
          return stages_of(kind, Run<Written>{index.first + first, words}, width());
        });
    add_to(cost.global, one_round(stages, taking_part_));
    return;
  }
  Rounds<Written> round = round_in_block(index, kind);
  if (shared) {
    change_each(round, [&](const Written& number) {
      if (depends_on(number, block_)) refuse("whose blocks differ in shared memory");
      return number;
    });
    add_to(cost.shared, round);
    return;
  }
  const auto of_all = [&](const Written& number) {
    if (!depends_on(number, block_)) return product_of(launch_.blocks, number);
    return Written::of(Form::over_numbers, {launch_.blocks, block_, number});
  };
  add_to(cost.global, one_round(of_all(round.stages), of_all(round.requests)));
}

void WrittenWarp::run(Program program) {
  bankproof::Warp host;
  host.set_program(std::move(program));
  do {
    host.resume();
  } while (host.state == bankproof::Warp::State::barrier);
  host.finish();
}

Cost<Written> WrittenWarp::cost() const {
  Cost<Written> cost = frames_.front().cost;
  cost.shared.requests = product_of(launch_.blocks, cost.shared.requests);
  return cost;
}

}  // namespace bankproof::proofs
