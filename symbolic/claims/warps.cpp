// Names the threads of a warp; see warps.hpp.
#include "warps.hpp"

#include <bit>
#include <string>

namespace bankproof::symbolic {

std::vector<Term> counters_of(const Trace& trace) {
  std::vector<Term> counters;
  counters.reserve(trace.loops.size());
  for (const LoopInstance& loop : trace.loops) counters.push_back(loop.counter);
  return counters;
}

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
  if (!length || !y_ || !std::has_single_bit(*length) || *length >= lanes_of_warp) {
    return Layout::unknown;
  }
  x_bits_ = static_cast<unsigned>(std::countr_zero(*length));
  const unsigned rows_bits = lane_bits - x_bits_;
  if (x_->width != x_bits_ || y_->width <= rows_bits) return Layout::unknown;
  const auto rows = z_ ? stated('y') : std::nullopt;
  const bool are_in_one_layer = !z_ || (rows && *rows % (1U << rows_bits) == 0);
  return are_in_one_layer ? Layout::rows : Layout::unknown;
}

void Warp::put_low_bits(std::size_t k, const Axis& axis, Term low) {
  Pool& pool = subject_.pool;
  const unsigned bits = pool.width(low);
  if (axis.width <= bits) {
    threads_.put(k, axis.index, pool.part(low, 0, axis.width));
    return;
  }
  const Term high = pool.part(axis.index, bits, axis.width - bits);
  threads_.put(k, axis.index, pool.joined(high, low));
}

void Warp::put_same(std::size_t k, const std::optional<Axis>& axis) {
  if (axis) threads_.put(k, axis->index, axis->index);
}

void Warp::join(std::size_t k, std::vector<Term>& statements) {
  Pool& pool = subject_.pool;
  const auto any = [&](unsigned bits) {
    return subject_.inputs().unknown("lane" + std::string(k, '\''), bits, Scope::thread);
  };
  switch (layout_) {
    case Layout::row:
      put_low_bits(k, *x_, any(lane_bits));
      put_same(k, y_);
      put_same(k, z_);
      break;
    case Layout::rows:
      put_low_bits(k, *y_, any(lane_bits - x_bits_));
      put_same(k, z_);
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

void Warp::take_lane(std::size_t k, std::uint32_t lane) {
  Pool& pool = subject_.pool;
  const unsigned x_bits = layout_ == Layout::row ? lane_bits : x_bits_;
  put_low_bits(k, *x_, pool.constant(lane & mask_of(x_bits), x_bits));
  if (layout_ == Layout::row) {
    put_same(k, y_);
  } else {
    put_low_bits(k, *y_, pool.constant(lane >> x_bits, lane_bits - x_bits));
  }
  put_same(k, z_);
}

void Warp::take_lane_before(std::size_t k) {
  Pool& pool = subject_.pool;
  threads_.put(k, x_->index, pool.subtract(x_->index, pool.constant(1, x_->width)));
  put_same(k, y_);
  put_same(k, z_);
}

Term is_active(Pool& pool, Threads& threads, std::size_t k, const Access& access) {
  Term all = pool.truth(true);
  for (const Term part : access.guard.parts()) all = pool.both(all, threads.of(k, part));
  return all;
}

Term is_there(const Subject& subject, Threads& threads, std::size_t k, const Access& access) {
  const std::vector<LoopInstance>& loops = subject.trace().loops;
  std::vector<Term> counters;
  for (auto loop = access.loop; loop; loop = loops[*loop].parent) {
    counters.push_back(loops[*loop].counter);
  }
  return threads.is_there(k, counters);
}

void ask_about_choice(Subject& subject, const Access& access, Asked& asked,
                      std::optional<Term> object) {
  const std::vector<Access>& all = subject.trace().accesses;
  const Access* const end = all.data() + all.size();
  for (const Access* other = &access + 1;
       other != end && other->first_of_arrays == access.first_of_arrays; ++other) {
    const auto places = places_of(subject.pool, subject.inputs(), other->address);
    const bool is_in_another =
        object && places && places->size() == 1 && places->front().object != *object;
    if (is_in_another) continue;
    Warp warp(subject, 2);
    std::vector<Term> statements;
    warp.join(1, statements);
    add_guard(warp.threads(), 0, access.guard, statements);
    add_guard(warp.threads(), 1, other->guard, statements);
    if (is_excluded(subject.pool, statements)) continue;
    asked.questions.push_back(Question::can(warp.threads().with_facts(statements),
                                            {warp.threads().participant(0, *access.instruction),
                                             warp.threads().participant(1, *other->instruction)}));
  }
}

}  // namespace bankproof::symbolic
