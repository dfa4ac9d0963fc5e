// The numbers that lower bounds count, computed from the sizes of a task: the least number of
// requests that a program makes, or the number of words that its result depends on. This file
// computes these numbers independently of the algorithms' bounds. Theorems prove that the bounds
// are no larger.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../../builder/bounds.hpp"
#include "../../builder/ranges.hpp"

namespace bankproof::proofs {

using OfTask = TaskOf<IntTerm>;

inline IntTerm numbers_of_sum(const OfTask& task) { return task.sizes["n"]; }
inline IntTerm weights_of_convolution(const OfTask& task) { return task.sizes["m"]; }
/// The words of y[0 … n + m − 2].
inline IntTerm words_of_y(const OfTask& task) { return task.sizes["n"] + task.sizes["m"] - 1; }
inline IntTerm factors_of_convolution(const OfTask& task) {
  return 2 * (task.sizes["m"] * task.sizes["n"]);
}
inline IntTerm elements_of(const OfTask& task) {
  return task.sizes["rows"] * task.sizes["columns"];
}
/// Two requests for each element of a matrix: one reads the element, and one writes an entry of the
/// table.
inline IntTerm elements_read_and_written(const OfTask& task) { return 2 * elements_of(task); }
inline IntTerm words_of_product(const OfTask& task) {
  const SizesOf<IntTerm>& of = task.sizes;
  return of["rows"] * of["inner"] + of["inner"] * of["columns"] + of["rows"] * of["columns"];
}
inline IntTerm factors_of_product(const OfTask& task) {
  const SizesOf<IntTerm>& of = task.sizes;
  return 2 * (of["rows"] * of["inner"] * of["columns"]);
}

/// The rows, or columns, of an image that stay within its edge, summed over the shifts −v … v. A
/// shift s leaves length − |s| rows or columns within the edge, or 0 if this number is negative.
class Shifts {
 public:
  Shifts(Query& q, IntTerm length, IntTerm v)
      : q_(q), length_(std::move(length)), v_(std::move(v)), within_(q, "within") {
    know(0);
    within_.empty(0);
    within_.empty(1);
    q.induct(0, v_, [this](const IntTerm& k) {
      know_next(k);
      return within_(0 - k, 0) == to_one_side(k);
    });
    within_.split(0 - v_, 0, v_ + 1);
    within_.split(0, 1, v_ + 1);
    q.claim("to both sides", all() == length_ + 2 * to_one_side(v_));
  }
  IntTerm all() const { return within_(0 - v_, v_ + 1); }
  IntTerm to_one_side(const IntTerm& k) const { return within_(1, k + 1); }
  void know_next(const IntTerm& k) const {
    const IntTerm next = k + 1;
    know(next);
    within_.split(1, next, next + 1);
    within_.split(0 - next, 0 - k, 0);
  }

 private:
  void know(const IntTerm& s) const {
    const IntTerm stay = minus_or_zero(length_, s);
    q_.assume(within_.item(s) == stay && within_.item(0 - s) == stay);
  }

  Query& q_;
  IntTerm length_;
  IntTerm v_;
  RangeSum within_;
};

/// The number Shifts::all() for given sizes.
inline IntTerm stay_within(std::uint64_t length, std::uint64_t v) {
  std::uint64_t all = 0;
  for (std::uint64_t s = 0; s <= 2 * v; ++s) {
    const std::uint64_t shift = s < v ? v - s : s - v;
    all += length < shift ? 0 : length - shift;
  }
  return IntTerm(all);
}

/// Returns elements_read_and_written(). Also gives trivial invariants for the two sums in the
/// source's other bounds, which the proof computes, too.
inline IntTerm pixels_read_and_written(const OfTask& task) {
  IntTerm all = elements_read_and_written(task);
  if (all.constant()) return all;
  for (const std::string name : {"shifts of rows", "shifts of columns"}) {
    all.query().give(OverNumbers<IntTerm>(name).holds([](auto&, auto& sum) { return sum >= 0; }));
  }
  return all;
}

/// Factors to fetch: a pixel and a weight for each product whose pixel, shifted by (s, t), is
/// within the edge. Also gives the invariants of two sums in the bound: over the shifts of rows,
/// and over the shifts of columns.
inline IntTerm factors_of_image(const OfTask& task) {
  const IntTerm& rows = task.sizes["rows"];
  const IntTerm& columns = task.sizes["columns"];
  const IntTerm& v = task.sizes["v"];
  if (const auto radius = v.constant()) {
    return 2 * stay_within(*rows.constant(), *radius) * stay_within(*columns.constant(), *radius);
  }
  Query& q = rows.query();
  const Shifts down(q, rows, v);
  const Shifts across(q, columns, v);
  // The bound adds up over the rows first. The invariant of the columns needs that sum.
  const auto summed = std::make_shared<IntTerm>(0);
  q.give(OverNumbers<IntTerm>("shifts of rows").holds([=](auto& k, auto& sum) {
    down.know_next(k);
    *summed = sum;
    return sum == down.to_one_side(k);
  }));
  q.give(OverNumbers<IntTerm>("shifts of columns").holds([=, &q](auto& k, auto& sum) {
    across.know_next(k);
    const IntTerm half = down.to_one_side(v);
    const IntTerm of_columns = across.to_one_side(k);
    q.multiply_equals(sum, *summed, half);
    q.multiply_equals(half, sum, of_columns);
    q.multiply_equals(rows, sum, of_columns);
    q.multiply_equals(columns, *summed, half);
    return sum == of_columns;
  }));
  const IntTerm as_halves = rows + 2 * down.to_one_side(v);
  q.multiply_equals(across.all(), down.all(), as_halves);
  q.multiply_equals(as_halves, across.all(), columns + 2 * across.to_one_side(v));
  return 2 * (down.all() * across.all());
}

}  // namespace bankproof::proofs
