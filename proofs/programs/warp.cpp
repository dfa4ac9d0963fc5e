// Keeps the costs of accesses; see warp.hpp.
#include "warp.hpp"

#include <algorithm>
#include <stdexcept>

#include "../written/evaluate.hpp"
#include "relations.hpp"
#include "simple.hpp"

namespace bankproof::proofs {
namespace {

bool depends_on(const Written& formula, const Written& place) {
  const auto& places = formula.node()->places;
  return std::find(places.begin(), places.end(), place.node()->value) != places.end();
}

void add_to(Written& sum, const Written& term) { sum = plus(sum, term); }
/// The other parts of a sum that has this place as one of its parts.
Written without(const Written& sum, const Written& place) {
  if (sum.node() == place.node()) return 0;
  if (sum.node()->form == Form::plus) {
    const Written a(sum.node()->parts[0]);
    const Written b(sum.node()->parts[1]);
    if (!depends_on(b, place)) return plus(without(a, place), b);
    if (!depends_on(a, place)) return plus(a, without(b, place));
  }
  refuse("has addresses that do not rise one by one");
}

void add_to(Rounds<Written>& sum, const Rounds<Written>& term) {
  add_to(sum.stages, term.stages);
  add_to(sum.rounds, term.rounds);
  add_to(sum.requests, term.requests);
}

}  // namespace

WrittenArray::WrittenArray(WrittenWarp& warp, Written size)
    : WrittenArray(warp, std::move(size), warp.new_array()) {}

void WrittenArray::access(const WrittenIndex& index, bool writes) {
  WrittenAccess access;
  access.array = name_;
  access.size = size_;
  access.writes = writes;
  access.index = index;
  warp_->access(std::move(access));
}

WrittenWarp::Fewer::Fewer(WrittenWarp& warp, const WrittenMask& mask)
    : warp_(warp), before_(warp.taking_part_) {
  if (before_.numbered != Numbered::in_block) refuse("masks threads of several blocks");
  if (mask.rows) {
    warp.take_terms(*mask.rows);
    return;
  }
  // Each block has a thread 0.
  const bool is_one = is_number(mask.count, 1) && warp.all_take_part();
  warp.taking_part_.count = is_one ? mask.count : smaller(before_.count, mask.count);
}

WrittenWarp::Fewer::Fewer(WrittenWarp& warp, const WrittenPart& part)
    : warp_(warp), before_(warp.taking_part_) {
  const auto& [window, i, j] = part;
  Threads& threads = warp.taking_part_;
  if (!is_number(threads.first, 0) || !is_number(threads.first_row, 0))
    refuse("masks a window twice");
  if (!is_number(i.step, 0) || !is_number(i.row_step, 1) || !is_number(j.step, 1) ||
      !is_number(j.row_step, 0)) {
    refuse("masks a window by other indices than those of a sweep");
  }
  const auto in = window.part({i.first, threads.rows, j.first, threads.count});
  threads.count = in.column.count;
  threads.rows = in.row.count;
  threads.first = in.thread;
  threads.first_row = in.first_row;
}

WrittenWarp::Fewer::Fewer(WrittenWarp& warp, const WrittenTruth& condition)
    : warp_(warp), before_(warp.taking_part_) {
  if (!is_number(before_.times, 1)) refuse("has a condition within a condition");
  const bool is_known = is_of_numbers(*condition.node());
  warp.taking_part_.times = is_known ? Written(static_cast<int>(value_of(*condition.node(), {})))
                                     : select(condition, Written(1), Written(0));
}

WrittenWarp::WrittenWarp(WrittenLaunch launch)
    : launch_(std::move(launch)), taking_part_{launch_.threads} {
  if (is_number(launch_.blocks, 1)) block_ = 0;
  if (launch_.at_a_time) begin_waves();
}

/// A loop around the program: in each turn, the blocks of a wave run it.
void WrittenWarp::begin_waves() {
  const Written& all = launch_.blocks;
  const Written wave = Written::new_place();
  const Written first = wave * *launch_.at_a_time;
  frames_.push_back(
      {.turns = {Form::over_numbers, ceil_div(all, *launch_.at_a_time), wave, taking_part_}});
  block_ = first + place_of_block_;
  launch_.blocks = smaller(*launch_.at_a_time, all - first);
}

/// The blocks of a wave make the same rounds on their shared memories; DMM 0 has the most blocks.
void WrittenWarp::end_wave() {
  Rounds<Written>& each = frames_.back().cost.shared;
  each.stages = product_of(ceil_div(launch_.blocks, launch_.machine.d), each.stages);
  each.requests = product_of(launch_.blocks, each.requests);
  end_loop();
}

/// The rows whose index is c + r·T + t and below the end, in turn t of a loop of T turns: the terms
/// c, c + 1, …, T for each row.
void WrittenWarp::take_terms(const WrittenMask::Rows& rows) {
  const Turns& loop = frames_.back().turns;
  const Written each = step_of(rows.index.row_step);
  const Written first = without(rows.index.first, loop.place);
  if (frames_.size() < 2 || !are_alike(each.node(), loop.limit.node()) || taking_part_.terms) {
    refuse("masks rows whose terms are no turns of the loop");
  }
  const Written end = first + taking_part_.rows * each;
  taking_part_.terms = minus_or_zero(smaller(end, rows.end), first);
}

/// All turns of the loop over terms at once. Row r in turn t has term r*T + t, so that terms follow
/// each other: accesses at r*T + t are accesses at k for all terms k (proofs/coq/Terms.v). A turn
/// is a round if its first row takes part.
void WrittenWarp::access_terms(WrittenAccess access, MemoryKind kind) {
  const WrittenIndex index = access.index;
  const bool shared = access.array.shared;
  const Turns& loop = frames_.back().turns;
  if (!are_alike(step_of(index.row_step).node(), loop.limit.node())) {
    refuse("accesses rows whose terms are no turns of the loop");
  }
  if (!shared && !is_number(launch_.blocks, 1))
    refuse("accesses terms in global memory from many blocks");
  const Threads rows = taking_part_;
  taking_part_.rows = 1;
  const Written k = Written::new_place();
  const Written& terms = *rows.terms;
  const WrittenIndex of_term{without(index.first, loop.place) + k, index.step};
  std::vector<WrittenLoop> around = loops();
  around.back() = {Form::over_numbers, terms, k};
  access.index = of_term;
  keep_access(std::move(access), std::move(around));
  const Written stages = stages_of_row(of_term, 0, kind);
  taking_part_ = rows;
  Cost<Written>& cost = frames_.at(frames_.size() - 2).cost;
  add_to(shared ? cost.shared : cost.global,
         {depends_on(stages, k) ? Written::of(Form::over_numbers, {terms, k, stages})
                                : product_of(terms, stages),
          smaller(loop.limit, terms), product_of(terms, rows.count)});
}

bool WrittenWarp::all_take_part() const {
  const Threads& threads = taking_part_;
  return threads.count.node() == launch_.threads.node() && threads.numbered == Numbered::in_block &&
         is_number(threads.times, 1);
}

WrittenWarp::Loop<WrittenIndex> WrittenWarp::falling_turns(const Written& n) {
  const Written turn = Written::new_place();
  return {*this,
          {Form::over_numbers, ceil_div(n, threads()), turn, taking_part_, true},
          {turn * threads(), 1}};
}

WrittenWarp::Loop<WrittenIndex> WrittenWarp::each(const Written& n, const Written& at_once,
                                                  Numbered numbered) {
  if (!all_take_part()) refuse("has a loop of some threads");
  const Written turn = Written::new_place();
  const Written first = turn * at_once;
  return {*this,
          {Form::over_numbers, ceil_div(n, at_once), turn, {smaller(at_once, n - first), numbered}},
          {first, 1, numbered}};
}

WrittenWarp::Loop<WrittenElement> WrittenWarp::each_element(const Written& rows,
                                                            const Written& columns) {
  if (!all_take_part()) refuse("has a loop of some threads");
  const SweepShape<Written> shape{rows, columns, threads(), width()};
  const Written turn = Written::new_place();
  const SweepTurn<Written> elements = shape.turn(turn);
  const WrittenIndex row{elements.row, 0, Numbered::in_block, 1};
  Threads taking_part{.count = elements.columns, .rows = elements.rows};
  taking_part.row_threads = shape.row_threads();
  return {*this,
          {Form::over_numbers, shape.turns(), turn, std::move(taking_part)},
          {row, {elements.column, 1}}};
}

void WrittenWarp::begin_loop(Turns turns) {
  if (depends_on(turns.limit, place_of_block_)) refuse("has a loop that differs between blocks");
  std::swap(taking_part_, turns.taking_part);
  frames_.push_back({.turns = std::move(turns)});
}

/// The sum of a term over the turns of a loop. It multiplies the parts of the term that no turn
/// changes by the number of turns, and adds up the others.
Written WrittenWarp::added_up(const Turns& turns, const Written& term) {
  if (is_number(term, 0)) return term;
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
  change_each(frame.cost, [&](const Written& term) { return added_up(turns, term); });
  add_to(frames_.back().cost.global, frame.cost.global);
  add_to(frames_.back().cost.shared, frame.cost.shared);
}

/// The stages in which the threads of a row access their words.
/// Whether each thread of a row takes a stage of its own, as a stride of the width does
/// (M1.stride.at_least).
bool WrittenWarp::meets_one_bank(const WrittenIndex& index, MemoryKind kind) const {
  const WrittenNode& step = *index.step.node();
  return kind == MemoryKind::banks && step.form == Form::times && step.parts[0] == width().node() &&
         is_number(Written(step.parts[1]), 1);
}

Written WrittenWarp::stages_of_row(const WrittenIndex& index, const Written& row,
                                   MemoryKind kind) const {
  const Written& count = taking_part_.count;
  const Written& first = taking_part_.first;
  const Written up_to_row =
      plus(index.first, product_of(index.row_step, plus(row, taking_part_.first_row)));
  const Run<Written> run{plus(up_to_row, product_of(index.step, first)), count, first};
  if (is_number(index.step, 1)) return stages_of(kind, run, width());
  // The threads of a warp access one word.
  if (is_number(index.step, 0) && kind != MemoryKind::uniform) {
    return is_number(first, 0) ? ceil_div(count, width()) : bank_stages(run, width());
  }
  if (meets_one_bank(index, kind)) return count;
  return stages_of_stride(kind, run, index.step, width());
}

Rounds<Written> WrittenWarp::round_in_block(const WrittenIndex& index, MemoryKind kind) const {
  const Written& rows = taking_part_.rows;
  if (is_number(taking_part_.count, 1) && is_number(rows, 1)) return {1, 1, 1};
  if (is_number(rows, 1)) return one_round(stages_of_row(index, 0, kind), taking_part_.count);
  if (kind == MemoryKind::uniform) refuse("sweeps over a matrix on a PRAM");
  const bool same_in_rows =
      is_number(index.row_step, 0) || is_number(index.step, 0) || meets_one_bank(index, kind);
  const Written stages =
      same_in_rows
          ? product_of(rows, stages_of_row(index, 0, kind))
          : sum_over(rows, [&](const Written& row) { return stages_of_row(index, row, kind); });
  return one_round(stages, product_of(rows, taking_part_.count));
}

std::vector<WrittenLoop> WrittenWarp::loops() const {
  std::vector<WrittenLoop> all;
  for (std::size_t k = 1; k < frames_.size(); ++k) {
    const Turns& turns = frames_[k].turns;
    all.push_back({turns.form, turns.limit, turns.place, turns.falls});
    // The blocks of a wave, in the loop over waves.
    if (k == 1 && launch_.at_a_time)
      all.push_back({Form::over_numbers, launch_.blocks, place_of_block_});
  }
  const bool has_blocks = !launch_.at_a_time && !is_number(launch_.blocks, 1);
  if (has_blocks) all.insert(all.begin(), {Form::over_numbers, launch_.blocks, place_of_block_});
  return all;
}

void WrittenWarp::keep_access(WrittenAccess access, std::vector<WrittenLoop> loops) {
  const Threads& threads = taking_part_;
  access.loops = std::move(loops);
  access.rows = threads.rows;
  access.count = threads.count;
  access.first_row = threads.first_row;
  access.first = threads.first;
  access.times = threads.times;
  access.row_threads = threads.row_threads;
  access.knows_thread = threads.numbered == Numbered::in_block && !threads.terms;
  access.number = ++numbered_;
  accesses_.push_back(std::move(access));
}

void WrittenWarp::access(WrittenAccess access) {
  const WrittenIndex& index = access.index;
  const bool shared = access.array.shared;
  const bool has_shared_memory = is_hierarchical(launch_.machine.machine);
  const MemoryKind kind =
      shared && has_shared_memory ? MemoryKind::banks : launch_.machine.memory();
  Cost<Written>& cost = frames_.back().cost;
  if (index.numbered != taking_part_.numbered && !is_number(index.step, 0)) {
    refuse("accesses words by the numbers of threads that do not take part");
  }
  const auto in_condition = [&](Rounds<Written> round) {
    change_each(round, [&](const Written& n) { return product_of(taking_part_.times, n); });
    return round;
  };
  if (taking_part_.numbered == Numbered::in_launch) {
    keep_access(access, loops());
    if (shared) refuse("accesses shared memory in a loop over the threads of the launch");
    if (!is_number(index.step, 1))
      refuse("accesses global memory in strides of the launch's threads");
    // The threads of a block access the words behind those of the block before.
    const Written& count = taking_part_.count;
    const Written stages =
        over_turns(count, threads(), [&](const Written& first, const Written& words) {
          return stages_of(kind, Run<Written>{index.first + first, words}, width());
        });
    add_to(cost.global, in_condition(one_round(stages, count)));
    return;
  }
  if (taking_part_.terms) return access_terms(std::move(access), kind);
  keep_access(access, loops());
  Rounds<Written> round = round_in_block(index, kind);
  if (shared) {
    change_each(round, [&](const Written& number) {
      if (depends_on(number, place_of_block_)) refuse("whose blocks differ in shared memory");
      return number;
    });
    add_to(cost.shared, in_condition(round));
    return;
  }
  const auto of_all = [&](const Written& number) {
    if (!depends_on(number, place_of_block_)) return product_of(launch_.blocks, number);
    return Written::of(Form::over_numbers, {launch_.blocks, place_of_block_, number});
  };
  add_to(cost.global, in_condition(one_round(of_all(round.stages), of_all(round.requests))));
}

void WrittenWarp::run(Program program) {
  WaitingWarp host;
  host.set_program(std::move(program));
  for (host.resume(); host.state == bankproof::Warp::State::barrier; host.resume()) {
    barriers_.push_back({std::exchange(host.condition, std::nullopt), loops(), ++numbered_});
  }
  host.finish();
}

Cost<Written> WrittenWarp::cost() {
  if (launch_.at_a_time) {
    if (frames_.size() > 1) end_wave();
    return frames_.front().cost;
  }
  Cost<Written> cost = frames_.front().cost;
  cost.shared.requests = product_of(launch_.blocks, cost.shared.requests);
  return cost;
}

WrittenRun WrittenWarp::result() {
  const std::size_t loops_over_blocks = launch_.at_a_time              ? 2
                                        : is_number(launch_.blocks, 1) ? 0
                                                                       : 1;
  return {cost(), accesses_, barriers_, width(), {block_, loops_over_blocks}};
}

}  // namespace bankproof::proofs
