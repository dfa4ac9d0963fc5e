// Names the threads of a warp; see warps.hpp.
#include "warps.hpp"

#include <bit>
#include <string>

namespace bankproof::symbolic {

namespace {

std::vector<Term> counters_of(const Trace& trace) {
  std::vector<Term> counters;
  counters.reserve(trace.loops.size());
  for (const LoopInstance& loop : trace.loops) counters.push_back(loop.counter);
  return counters;
}

}  // namespace

Warp::Warp(Subject& subject, std::size_t count)
    : subject_(subject),
      threads_(subject, Which::of_one_block, count, counters_of(subject.trace())),
      x_(axis('x')),
      y_(axis('y')),
      z_(axis('z')),
      layout_(find_layout()) {}

std::optional<Warp::Axis> Warp::axis(char name) const {
  if (!threads_.has_axis(name)) return std::nullopt;
  const Pool& pool = subject_.pool;
  Term index = *subject_.inputs().special(std::string("%tid.") + name);
  // An axis of a stated length may have an index of fewer bits.
  if (pool.node(index).op == Operator::zero_extended) index = pool.node(index).operands[0];
  if (pool.node(index).op != Operator::unknown) return std::nullopt;
  return Axis{index, pool.width(index)};
}

Warp::Layout Warp::find_layout() {
  const Pool& pool = subject_.pool;
  const auto stated = [&](char name) -> std::optional<std::uint64_t> {
    const Term size = *subject_.inputs().special(std::string("%ntid.") + name);
    return pool.is_constant(size) ? std::optional(pool.node(size).value) : std::nullopt;
  };
  if (!x_) return Layout::unknown;
  if (!y_ && !z_) return Layout::row;
  const auto length = stated('x');
  if (length && *length % lanes_of_warp == 0) return Layout::row;
  if (!length || !y_ || !std::has_single_bit(*length) || *length > lanes_of_warp) {
    return Layout::unknown;
  }
  x_bits_ = static_cast<unsigned>(std::countr_zero(*length));
  const unsigned rows_bits = lane_bits - x_bits_;
  if (x_->width != x_bits_ || y_->width <= rows_bits) return Layout::unknown;
  const auto rows = z_ ? stated('y') : std::nullopt;
  const bool are_in_one_layer = !z_ || (rows && *rows % (1U << rows_bits) == 0);
  return are_in_one_layer ? Layout::rows : Layout::unknown;
}

void Warp::join(std::size_t k, std::vector<Term>& statements) {
  Pool& pool = subject_.pool;
  Inputs& inputs = subject_.inputs();
  // The indices of thread 0, but for some of the lowest bits.
  const auto beside = [&](const Axis& axis, unsigned bits) {
    if (axis.width <= bits) return;
    const Term high = pool.part(axis.index, bits, axis.width - bits);
    const Term low = inputs.unknown("lane" + std::string(k, '\''), bits, Scope::thread);
    threads_.put(k, axis.index, pool.joined(high, low));
  };
  const auto same = [&](const std::optional<Axis>& axis) {
    if (axis) threads_.put(k, axis->index, axis->index);
  };
  switch (layout_) {
    case Layout::row:
      beside(*x_, lane_bits);
      same(y_);
      same(z_);
      break;
    case Layout::rows:
      beside(*y_, lane_bits - x_bits_);
      same(z_);
      break;
    case Layout::unknown: {
      const auto warp = [&](std::size_t thread) {
        return pool.part(threads_.number(thread), lane_bits, 32 - lane_bits);
      };
      statements.push_back(pool.equal(warp(0), warp(k)));
      break;
    }
  }
}

Term Warp::neighbor(std::size_t k, std::size_t of, bool is_before) {
  Pool& pool = subject_.pool;
  const auto beside = [&](Term number) {
    const Term one = pool.constant(1, pool.width(number));
    return is_before ? pool.subtract(number, one) : pool.add(number, one);
  };
  const auto index = [&](const Axis& axis) { return threads_.of(of, axis.index); };
  const auto same = [&](const std::optional<Axis>& axis) {
    if (axis) threads_.put(k, axis->index, index(*axis));
  };
  switch (layout_) {
    case Layout::row:
      threads_.put(k, x_->index, beside(index(*x_)));
      same(y_);
      same(z_);
      return pool.truth(true);
    case Layout::rows: {
      const unsigned bits = lane_bits - x_bits_;
      const Term y = index(*y_);
      const Term lane = beside(pool.joined(pool.part(y, 0, bits), index(*x_)));
      threads_.put(k, x_->index, pool.part(lane, 0, x_bits_));
      threads_.put(
          k, y_->index,
          pool.joined(pool.part(y, bits, y_->width - bits), pool.part(lane, x_bits_, bits)));
      same(z_);
      return pool.truth(true);
    }
    default:
      return pool.equal(threads_.number(k), beside(threads_.number(of)));
  }
}

}  // namespace bankproof::symbolic
