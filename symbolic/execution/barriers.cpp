// Follows barriers, and instructions at which lanes of a warp meet; see execution.hpp.
#include "execution.hpp"

namespace bankproof::symbolic {

void Execution::come_together(const ptx::Instruction& i, Event::Kind kind,
                              std::vector<Barrier>& all, Arrival& arrival) {
  all.push_back({.instruction = &i, .guard = guard_of(arrival), .loop = in_loop_});
  const std::vector<std::size_t> before = arrival.events;
  event(kind, all.size() - 1, arrival);
  // Where the guard does not hold, nothing lies between.
  if (i.guard) arrival.events.insert(arrival.events.end(), before.begin(), before.end());
}
void Execution::barrier(const ptx::Instruction& i, Event::Kind kind, std::vector<Barrier>& all,
                        Arrival& arrival) {
  come_together(i, kind, all, arrival);
  pass_barrier(arrival);
}

void Execution::meeting(const ptx::Instruction& i, const ptx::Operand& mask, Arrival& arrival) {
  const auto* const lanes = std::get_if<ptx::Scalar>(&mask.value);
  const std::optional<Term> known =
      lanes == nullptr ? std::nullopt : std::optional(scalar(*lanes, 32, arrival.state));
  if (!known || !pool_.is_constant(*known)) {
    trace_.has_other_meetings = true;
    return;
  }
  meeting(i, static_cast<std::uint32_t>(pool_.node(*known).value), arrival);
}
void Execution::meeting(const ptx::Instruction& i, std::uint32_t lanes, Arrival& arrival) {
  if (in_loop_) {
    trace_.has_other_meetings = true;
    return;
  }
  come_together(i, Event::Kind::meeting, trace_.meetings, arrival);
  trace_.meetings.back().lanes = lanes;
}

void Execution::block_barrier(const ptx::Instruction& i, bool reduces, Arrival& arrival) {
  const ptx::Operand& name = i.operands.at(reduces ? 1 : 0);
  if (scalar(std::get<ptx::Scalar>(name.value), 32, arrival.state) != pool_.constant(0, 32)) {
    not_followed(i, "a named barrier");
  }
  barrier(i, Event::Kind::barrier, trace_.barriers, arrival);
  // All threads get the same number; those that are in another iteration of a loop get another one.
  if (!reduces) return;
  each_register(i, [&](const ptx::Register& r, bool is_written) {
    if (!is_written) return;
    const unsigned width = std::min(registers_.width(registers_.number(r)), 64U);
    const Term result = inputs_.unknown(r.name, width, in_loop_ ? Scope::thread : Scope::block);
    // On a condition, the register may keep what it has, about which nobody needs to agree.
    if (in_loop_) agree(result, false);
    write(r, result, false, arrival);
  });
}

// One of some lanes, or one in a loop, orders nothing: less is proved.
void Execution::warp_barrier(const ptx::Instruction& i, Arrival& arrival) {
  const auto* const mask = std::get_if<ptx::Scalar>(&i.operands.at(0).value);
  const bool is_of_all = mask != nullptr && !in_loop_ &&
                         pool_.is_constant(scalar(*mask, 32, arrival.state), 0xffffffff);
  if (!is_of_all) return meeting(i, i.operands.at(0), arrival);
  barrier(i, Event::Kind::warp_barrier, trace_.warp_barriers, arrival);
}

}  // namespace bankproof::symbolic
