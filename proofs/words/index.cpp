// The steps that index computations have in common.
#include "index.hpp"

#include "../../algorithms/layout.hpp"

namespace bankproof::proofs {
namespace {

void compare(Query& q, const Word& b, const Word& x, const Word& y) {
  q.compare_multiples(b.value(), x.value(), y.value());
}

}  // namespace

Theorem no_overflow(const IndexTheorem& of) {
  const auto claim = [compute = of.compute](Query& q, More more) {
    const WordChecks checks;
    compute(q, more);
    q.prove("no overflow", checks.all());
  };
  return {.id = of.id,
          .source = "bankproof",
          .statement = of.statement,
          .domain = of.domain,
          .unbounded = false,
          .proof = [=](Query& q) { claim(q, 0); },
          .false_twin = [=](Query& q) { claim(q, 1); }};
}

Word size(Query& q, const std::string& name, std::uint64_t example) {
  const IntTerm number = q.number(name, 1, example);
  WordChecks::current().add(number < IntTerm(Word::end));
  return Word(number);
}

Word index(Query& q, const std::string& name, const Word& end, std::uint64_t example) {
  const IntTerm number = q.number(name, 0, example);
  q.assume(number < end.value());
  return Word(number);
}

void limit(Query& q, const IntTerm& x, std::uint64_t most) { q.assume(x <= IntTerm(most)); }

void limit_matrix(Query& q, const Word& rows, const Word& columns, More more) {
  limit(q, rows.value() * columns.value(), Word::end - 1 + more);
  q.compare_multiples(rows.value(), IntTerm(1), columns.value());
  q.compare_multiples(columns.value(), IntTerm(1), rows.value());
}

Word side(Query& q, const std::string& name, std::uint64_t example) {
  Word length = size(q, name, example);
  limit(q, length.value(), std::uint64_t{1} << 30U);
  return length;
}

Matrix::Matrix(Query& q, More more)
    : rows(side(q, "rows", 65535 + more)), columns(side(q, "columns", 65537 - more)) {
  limit_matrix(q, rows, columns, more);
}

void in_rows(Query& q, const Word& i, const Word& rows, const Word& columns) {
  q.compare_multiples(columns.value(), i.value(), rows.value());
  q.compare_multiples(columns.value(), i.value(), IntTerm(0));
}

Threads::Threads(Query& q) : p(side(q, "p", 1)), w(side(q, "w", 1)) {}

Swept::Swept(Query& q, const Word& rows, const Word& columns, const Threads& threads,
             std::uint64_t turn) {
  const SweepShape<Word> shape{rows, columns, threads.p, threads.w};
  const Word row_threads = shape.row_threads();
  const Word rows_at_once = shape.rows_at_once();
  const Word pieces = shape.pieces();
  const Word steps = ceil_div(rows, rows_at_once);
  compare(q, row_threads, rows_at_once, 1);
  compare(q, steps, pieces, columns);
  compare(q, columns, steps, rows);
  const Word t = index(q, "t", shape.turns(), turn);
  const Word thread = index(q, "thread", threads.p);
  q.assume(thread < rows_at_once * row_threads);
  compare(q, pieces, t / pieces, steps);
  compare(q, pieces, t / pieces, 0);
  compare(q, rows_at_once, t / pieces, steps);
  compare(q, rows_at_once, t / pieces, 0);
  compare(q, row_threads, thread / row_threads, rows_at_once);
  compare(q, row_threads, t % pieces, pieces);
  compare(q, row_threads, t % pieces, 0);
  i = shape.row_of(t, thread);
  j = shape.column_of(t, thread);
  q.assume(i < rows && j < columns);
}

Word thread_of_launch(Query& q, const Word& blocks, const Word& p, ThreadExample example) {
  const Word block = index(q, "block", blocks, example.block);
  in_rows(q, block, blocks, p);
  return row_major(block, index(q, "thread", p, example.thread), p);
}

Word item_of_launch(Query& q, const Word& items, const Word& p, ThreadExample example) {
  Word item = thread_of_launch(q, ceil_div(items, p), p, example);
  q.assume(item < items);
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
  WordChecks::current().add(
      implies(x < y, x.value() + IntTerm(Word::end) - y.value() >= end.value()));
}

void word_of_window(Query& q, const WindowOf<Word>& window, const Word& i, const Word& j) {
  const Word row = window.top + i;
  const Word column = window.left + j;
  wraps_beyond(row, window.above, window.rows);
  wraps_beyond(column, window.before, window.columns);
  q.assume(row >= window.above && row - window.above < window.rows);
  q.assume(column >= window.before && column - window.before < window.columns);
  in_rows(q, row - window.above, window.rows, window.pitch);
  window.word(i, j);
}

}  // namespace bankproof::proofs
