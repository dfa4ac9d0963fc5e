// Adds and compares indices; see index.hpp.
#include "index.hpp"

#include <stdexcept>

#include "simple.hpp"

namespace bankproof::proofs {

void refuse(const std::string& what) { throw std::logic_error("a program on formulas " + what); }

Written WrittenIndex::word(const Written& row, const Written& lane) const {
  if (diagonal) {
    return bankproof::diagonal<Written>(diagonal->i.word(row, lane), diagonal->j.word(row, lane),
                                        diagonal->w);
  }
  const Written of_row = plus(first, product_of(step_of(row_step), row));
  return plus(of_row, product_of(step_of(step), lane));
}

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
  if (is_number(i.step, 0) && !is_number(i.row_step, 0)) return {0, WrittenMask::Rows{i, end}};
  if (!is_number(i.row_step, 0)) refuse("masks rows of a sweep");
  if (i.numbered != Numbered::in_block) refuse("masks threads of several blocks");
  const Written left = is_number(i.first, 0) ? end : minus_or_zero(end, i.first);
  return {is_number(i.step, 1) ? left : ceil_div(left, i.step)};
}
WrittenMask operator==(const WrittenIndex& i, const Written& number) {
  if (i.numbered != Numbered::in_block || !is_number(i.first, 0) || !is_number(i.step, 1) ||
      !is_number(number, 0)) {
    refuse("selects a thread that is not thread 0");
  }
  return {1};
}

}  // namespace bankproof::proofs
