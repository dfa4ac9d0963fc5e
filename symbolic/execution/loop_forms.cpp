// Recognizes how a loop changes registers; see loop_forms.hpp.
#include "loop_forms.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

#include "../terms/evaluate.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

bool is_older(const Pool& pool, Term term, Term oldest) {
  bool older = true;
  std::unordered_map<Term, bool> met;
  each_unknown(pool, term, met, [&](Term unknown) { older = older && unknown < oldest; });
  return older;
}

namespace {

constexpr std::size_t most_buffers = 16;

/// Loops are unrolled by at most 2^6.
constexpr unsigned most_shift = 6;

/// The numbers start, f(start), f(f(start)), … up to the one in front of `start` again; empty if
/// `after` depends on more than the header, or does not come back soon.
std::vector<std::uint64_t> ring_of(Pool& pool, Term header, Term after, Term start) {
  if (!pool.is_constant(start)) return {};
  bool is_function = true;
  std::unordered_map<Term, bool> met;
  each_unknown(pool, after, met,
               [&](Term unknown) { is_function = is_function && unknown == header; });
  if (!is_function) return {};
  std::vector<std::uint64_t> numbers{pool.node(start).value};
  while (numbers.size() <= most_buffers) {
    Values values(pool, [&](Term) { return numbers.back(); });
    const std::uint64_t next = values(after);
    if (next == numbers.front()) return numbers;
    numbers.push_back(next);
  }
  return {};
}

std::optional<Term> in_ring(Pool& pool, Term header, Term after, Term start, Term counter) {
  const std::vector<std::uint64_t> numbers = ring_of(pool, header, after, start);
  if (numbers.empty()) return std::nullopt;
  const unsigned width = pool.width(header);
  const Term turn = pool.remainder(counter, pool.constant(numbers.size(), 64), false);
  const std::uint64_t step = numbers.size() > 1 ? numbers[1] - numbers[0] : 0;
  bool is_even = true;
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    is_even = is_even && numbers[k] - numbers[k - 1] == step;
  }
  if (is_even) return pool.add(start, pool.scale(pool.part(turn, 0, width), step));
  Term form = pool.constant(numbers.back(), width);
  for (std::size_t k = numbers.size() - 1; k-- > 0;) {
    form =
        pool.choice(pool.equal(turn, pool.constant(k, 64)), pool.constant(numbers[k], width), form);
  }
  return form;
}

/// Where each iteration leaves what depends on its number alone.
std::optional<Term> of_iteration_before(Pool& pool, Term after, Term start, Term counter) {
  bool is_of_number = true;
  std::unordered_map<Term, bool> met;
  each_unknown(pool, after, met,
               [&](Term unknown) { is_of_number = is_of_number && unknown <= counter; });
  if (!is_of_number) return std::nullopt;
  const auto at = [&](Term number) {
    Substitution by(pool);
    by.put(counter, number);
    return by(after);
  };
  const Term before = at(pool.subtract(counter, pool.constant(1, 64)));
  if (at(pool.constant(~std::uint64_t{0}, 64)) == start) return before;
  return pool.choice(pool.equal(counter, pool.constant(0, 64)), start, before);
}

/// The number whose lowest bits operand k of the sum has: with the factors of its parts in the sum,
/// if that is x minus these bits, and so small a number as the bits have.
Term whole_of(Pool& pool, Term term, std::size_t k) {
  const Node sum = pool.node(term);
  const Term low = pool.node(sum.operands[k]).operands[0];
  const Node bits = pool.node(low);
  if (sum.coefficients[k] == mask_of(sum.width)) {
    const Term others = pool.add(term, sum.operands[k]);
    const Node parts = pool.node(others);
    const std::uint64_t number = parts.op == Operator::sum ? parts.value : 0;
    const auto small = static_cast<std::uint64_t>(
        signed_value(bits.op == Operator::sum ? bits.value : 0, bits.width));
    const Term x = pool.add(others, pool.constant(small - number, sum.width));
    if (pool.part(x, 0, bits.width) == low) return x;
  }
  return pool.widened(low, sum.width);
}

/// A term that, times 2^shift, is this one: also of x minus its lowest bits.
std::optional<Term> without_factor(Pool& pool, Term term, unsigned shift) {
  if (const auto plain = pool.without_factor(term, shift)) return plain;
  const Node sum = pool.node(term);
  if (sum.op != Operator::sum) return std::nullopt;
  for (std::size_t k = 0; k < sum.operands.size(); ++k) {
    const Node extended = pool.node(sum.operands[k]);
    if (extended.op != Operator::zero_extended) continue;
    const Node low = pool.node(extended.operands[0]);
    if (low.width < shift) continue;
    const Term x = whole_of(pool, term, k);
    if (x == sum.operands[k]) continue;
    const std::uint64_t times = sum.coefficients[k];
    const Term others = pool.add(term, pool.scale(pool.subtract(x, sum.operands[k]), times));
    const auto rest = pool.without_factor(others, shift);
    if (!rest) continue;
    const Term high = pool.shift_right(x, pool.constant(low.width, sum.width), false);
    return pool.subtract(*rest, pool.scale(high, times << (low.width - shift)));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Term> form_of(Pool& pool, Term header, Term after, Term start, Term counter,
                            Term oldest) {
  if (after == header) return start;
  const unsigned width = pool.width(header);
  if (width == 1) return std::nullopt;
  const Term step = pool.subtract(after, header);
  if (is_older(pool, step, oldest)) {
    return pool.add(start, pool.multiply(pool.part(counter, 0, width), step));
  }
  const Node node = pool.node(after);
  // What decides is the same in all iterations.
  if (node.op == Operator::choice && is_older(pool, node.operands[0], oldest)) {
    const auto yes = form_of(pool, header, node.operands[1], start, counter, oldest);
    const auto no = form_of(pool, header, node.operands[2], start, counter, oldest);
    if (yes && no) return pool.choice(node.operands[0], *yes, *no);
  }
  // Counts of 32 bits are enough: a shift by more leaves nothing.
  const auto times = [&](unsigned places) {
    const Term many = pool.scale(counter, places);
    const Term is_more = pool.below(pool.constant(64, 64), counter, false);
    return pool.choice(is_more, pool.constant(64, 64), many);
  };
  if (node.op == Operator::sum && node.value == 0 && node.operands.size() == 1 &&
      node.operands[0] == header && std::has_single_bit(node.coefficients[0])) {
    return pool.shift_left(start,
                           times(static_cast<unsigned>(std::countr_zero(node.coefficients[0]))));
  }
  if (node.op == Operator::zero_extended) {
    const Node inner = pool.node(node.operands[0]);
    if (inner.op == Operator::part && inner.operands[0] == header &&
        inner.value + inner.width == width) {
      return pool.shift_right(start, times(static_cast<unsigned>(inner.value)), false);
    }
  }
  if (const auto ring = in_ring(pool, header, after, start, counter)) return ring;
  return of_iteration_before(pool, after, start, counter);
}

std::optional<LastIteration> last_iteration(Pool& pool, Term leaves, Term counter, Term oldest) {
  const Node equal = pool.node(leaves);
  if (equal.op != Operator::equal) return std::nullopt;
  const Term difference = pool.subtract(equal.operands[0], equal.operands[1]);
  const unsigned width = pool.width(difference);
  const Term count = pool.part(counter, 0, width);
  for (unsigned shift = 0; shift <= most_shift && shift < width; ++shift) {
    const Term steps = pool.scale(count, std::uint64_t{1} << shift);
    for (const bool goes_up : {true, false}) {
      const Term rest = goes_up ? pool.subtract(difference, steps) : pool.add(difference, steps);
      if (!is_older(pool, rest, oldest)) continue;
      const auto solution = without_factor(pool, goes_up ? pool.negative(rest) : rest, shift);
      if (!solution) return std::nullopt;
      return LastIteration{pool.zero_extended(pool.part(*solution, 0, width - shift), 64),
                           shift == 0};
    }
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
