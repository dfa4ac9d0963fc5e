// Proof steps shared by theorems on index computations.
#include "index.hpp"

#include <utility>

#include "../../../algorithms/layout.hpp"

namespace bankproof::proofs {
namespace {

void compare(Query& q, const Word& b, const Word& x, const Word& y) {
  q.compare_multiples(b.value(), x.value(), y.value());
}

}  // namespace

Theorem no_overflow(const std::string& id, const std::string& algorithm, const std::string& domain,
                    const std::function<void(Query&, More)>& compute) {
  const auto claim = [=](Query& q, More more) {
    using Goals = WordChecks::Goals;
    WordChecks checks(q, more == 0 ? Goals::before_each_guard : Goals::one);
    compute(q, more);
    checks.prove();
  };
  return Theorem{.id = id,
                 .source = "bankproof",
                 .statement = "no index of " + algorithm + " overflows a word of 32 bits",
                 .domain = domain,
                 .unbounded = false}
      .proof([=](Query& q) { claim(q, 0); })
      .false_twin([=](Query& q) { claim(q, 1); });
}

Word size(Query& q, const std::string& name, std::uint64_t example) {
  const IntTerm number = q.number(name, 1, example);
  WordChecks::record(number < Word::end);
  return Word(number);
}

Word index(Query& q, const std::string& name, const Word& end, std::uint64_t example) {
  const IntTerm number = q.number(name, 0, example);
  guard(number < end.value());
  return Word(number);
}

void guard(const Truth& condition) { condition.query()->word_checks().guard(condition); }

void limit(Query& q, const IntTerm& x, std::uint64_t most) { q.assume(x <= most); }

void limit_matrix(Query& q, const Word& rows, const Word& columns, More more) {
  limit(q, rows.value() * columns.value(), Word::end - 1 + more);
  q.compare_multiples(rows.value(), 1, columns.value());
  q.compare_multiples(columns.value(), 1, rows.value());
}

Word side(Query& q, const std::string& name, std::uint64_t example) {
  Word length = size(q, name, example);
  limit(q, length.value(), std::uint64_t{1} << 30U);
  return length;
}

Word radius(Query& q) {
  const IntTerm v = q.number("v", 0, 1);
  limit(q, v, std::uint64_t{1} << 30U);
  return Word(v);
}

WordMatrix::WordMatrix(Query& q, More more)
    : rows(side(q, "rows", 65535 + more)), columns(side(q, "columns", 65537 - more)) {
  limit_matrix(q, rows, columns, more);
}

void in_rows(Query& q, const Word& i, const Word& rows, const Word& columns) {
  q.compare_multiples(columns.value(), i.value(), rows.value());
  q.compare_multiples(columns.value(), i.value(), 0);
}

Word in_turns(Query& q, const Word& items, const Word& threads, const Word& thread,
              const Example& example) {
  const Word turns = ceil_div(items, threads);
  compare(q, threads, turns, 1);
  const Word turn = index(q, "turn" + example.of, turns, example.turn);
  in_rows(q, turn, turns, threads);
  return row_major(turn, thread, threads);
}

Word item_of_thread(Query& q, const Word& items, const Word& p, const Example& example) {
  const Word thread = index(q, "thread" + example.of, p, example.thread);
  Word item = in_turns(q, items, p, thread, example);
  guard(item < items);
  return item;
}

Blocks::Blocks(Query& q, const Word& x, More more, std::uint64_t threads)
    : d(size(q, "d", 1)), p(size(q, "p", threads)) {
  limit(q, x.value() + d.value() * p.value(), Word::end + more);
  compare(q, d, 1, p);
  compare(q, p, 1, d);
}

Word item_of_launch(Query& q, const Word& items, const Blocks& blocks, const Example& example) {
  const Word thread = thread_of_launch(q, blocks.d, blocks.p, example);
  Word item = in_turns(q, items, blocks.d * blocks.p, thread, example);
  guard(item < items);
  return item;
}

Threads::Threads(Query& q) : Threads(q, side(q, "w", 1)) {}
Threads::Threads(Query& q, Word width) : p(side(q, "p", 1)), w(std::move(width)) {}

Swept::Swept(Query& q, const Word& rows, const Word& columns, const Threads& threads,
             const Example& example) {
  const SweepShape<Word> shape{rows, columns, threads.p, threads.w};
  const Word row_threads = shape.row_threads();
  const Word rows_at_once = shape.rows_at_once();
  const Word pieces = shape.pieces();
  const Word steps = ceil_div(rows, rows_at_once);
  compare(q, row_threads, rows_at_once, 1);
  compare(q, steps, pieces, columns);
  compare(q, columns, steps, rows);
  // A turn has at most p rows.
  compare(q, rows_at_once, 1, row_threads);
  const Word t = index(q, "sweep" + example.of, shape.turns(), example.turn);
  const Word thread = index(q, "sweeper" + example.of, threads.p, example.thread);
  guard(thread < rows_at_once * row_threads);
  compare(q, pieces, t / pieces, steps);
  compare(q, pieces, t / pieces, 0);
  compare(q, rows_at_once, t / pieces, steps);
  compare(q, rows_at_once, t / pieces, 0);
  compare(q, row_threads, thread / row_threads, rows_at_once);
  compare(q, row_threads, t % pieces, pieces);
  compare(q, row_threads, t % pieces, 0);
  i = shape.row_of(t, thread);
  j = shape.column_of(t, thread);
  guard(i < rows && j < columns);
}

Word thread_of_launch(Query& q, const Word& blocks, const Word& p, const Example& example) {
  const Word block = index(q, "block" + example.of, blocks, example.block);
  in_rows(q, block, blocks, p);
  return row_major(block, index(q, "thread" + example.of, p, example.thread), p);
}

Word own_item(Query& q, const Word& items, const Word& p, const Example& example) {
  Word item = thread_of_launch(q, ceil_div(items, p), p, example);
  guard(item < items);
  return item;
}

CornerOf<Word> corner_of_block(Query& q, const Word& rows, const Word& columns, const Word& m) {
  const Word down = ceil_div(rows, m);
  const Word across = ceil_div(columns, m);
  compare(q, down, across, columns);
  compare(q, columns, down, rows);
  const Word block = index(q, "block", down * across);
  compare(q, across, block / across, down);
  compare(q, across, block / across, 0);
  compare(q, m, block / across, down);
  compare(q, m, block / across, 0);
  compare(q, m, block % across, across);
  compare(q, m, block % across, 0);
  return {block, columns, m};
}

void wraps_beyond(const Word& x, const Word& y, const Word& end) {
  WordChecks::record(implies(x < y, x.value() + Word::end - y.value() >= end.value()));
}

Truth is_within(const Word& x, const Word& y, const Word& end) {
  return y <= x && x.value() - y.value() < end.value();
}

void word_of_window(Query& q, const WindowOf<Word>& window, const Word& i, const Word& j) {
  const Word row = window.top + i;
  const Word column = window.left + j;
  wraps_beyond(row, window.above, window.rows);
  wraps_beyond(column, window.before, window.columns);
  guard(is_within(row, window.above, window.rows) &&
        is_within(column, window.before, window.columns));
  in_rows(q, row - window.above, window.rows, window.pitch);
  window.word(i, j);
}

}  // namespace bankproof::proofs
