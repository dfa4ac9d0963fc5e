// Executes regions, which are the whole kernel and the bodies of its loops; see execution.hpp.
#include "execution.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "instructions.hpp"
#include "loop_forms.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

namespace {

constexpr int most_iterations = 130;         // that are written out
constexpr int most_unsure = 4;               // of them, after which some threads may leave
constexpr std::size_t most_accesses = 256;   // of them, in a loop without barriers
constexpr std::size_t most_steps = 100'000;  // blocks in all

Loops loops_or_throw(const ptx::Flow& flow, const ptx::Function& kernel) {
  if (auto loops = loops_of(flow)) return std::move(*loops);
  throw NotFollowed{{"a loop with more than one entry", kernel.place}};
}

}  // namespace

Execution::Execution(Pool& pool, const ptx::Module& module, const ptx::Function& kernel,
                     const Shape& shape)
    : pool_(pool),
      kernel_(kernel),
      flow_(ptx::flow_of(kernel, ptx::file_of(module, kernel))),
      loops_(loops_or_throw(flow_, kernel)),
      registers_(kernel),
      live_(live_on_entry(kernel, flow_, registers_)),
      inputs_(pool, module, kernel, shape),
      has_barriers_(has_barriers(kernel)) {
  make_inputs();
  trace_.events.emplace_back();
  Arrival start{.guard = {}, .state = {}, .events = {0}};
  start.state.registers.resize(registers_.count());
  std::optional<Arrival> back;
  region(std::nullopt, 0, std::move(start), back);
}

std::size_t Execution::event(Event::Kind kind, std::size_t index, Arrival& arrival) {
  const std::size_t made = trace_.events.size();
  trace_.events.push_back({.kind = kind, .index = index, .next = {}});
  for (const std::size_t from : arrival.events) {
    trace_.events[from].next.push_back({.event = made, .again = std::nullopt});
  }
  arrival.events = {made};
  return made;
}

Arrival Execution::joined(const Arrival& a, const Arrival& b) {
  return join(pool_, a, b,
              [&](unsigned width) { return inputs_.unknown("undefined", width, Scope::thread); });
}

std::vector<Execution::Exit> Execution::region(std::optional<std::size_t> loop_number,
                                               std::size_t first, Arrival start,
                                               std::optional<Arrival>& back) {
  std::map<std::size_t, Arrival> arrivals;  // by block
  std::vector<Exit> exits;
  arrivals.emplace(first, std::move(start));
  const auto meet_at = [&](std::optional<Arrival>& place, Arrival arrival) {
    place = place ? joined(*place, arrival) : std::move(arrival);
  };
  const auto is_inside = [&](std::size_t block) {
    if (!loop_number) return true;
    const auto& blocks = loops_.loops[*loop_number].blocks;
    return std::binary_search(blocks.begin(), blocks.end(), block);
  };
  for (const std::size_t number : loops_.order) {
    const auto found = arrivals.find(number);
    if (found == arrivals.end()) continue;
    Arrival arrival = std::move(found->second);
    arrivals.erase(found);
    if (++steps_ > most_steps) throw NotFollowed{{"too many paths", kernel_.place}};
    const auto inner = loops_.of[number];
    const bool begins_loop = inner && inner != loop_number && loops_.loops[*inner].header == number;
    std::vector<Exit> next =
        begins_loop ? loop(*inner, arrival) : block(number, std::move(arrival));
    for (Exit& exit : next) {
      for (std::size_t r = 0; r < registers_.count(); ++r) {
        if (!live_[exit.to][r]) exit.arrival.state.registers[r].reset();
      }
      if (loop_number && exit.to == loops_.loops[*loop_number].header) {
        meet_at(back, std::move(exit.arrival));
      } else if (is_inside(exit.to)) {
        auto& place = arrivals[exit.to];
        place =
            place.state.registers.empty() ? std::move(exit.arrival) : joined(place, exit.arrival);
      } else {
        exits.push_back(std::move(exit));
      }
    }
  }
  return exits;
}

// ---- Loops

Execution::Pass Execution::pass(std::size_t number, const Arrival& start) {
  Pass made;
  made.exits = region(number, loops_.loops[number].header, start, made.back);
  return made;
}

std::vector<Execution::Exit> Execution::loop(std::size_t number, const Arrival& start) {
  if (auto exits = written_out(number, start)) return std::move(*exits);
  return summarized(number, start);
}

std::optional<std::vector<Execution::Exit>> Execution::written_out(std::size_t number,
                                                                   const Arrival& start) {
  const Mark before = mark();
  std::vector<Exit> all;
  Arrival next = start;
  // Some threads may leave the loop earlier than others, if it surely ends soon.
  int unsure = loops_.is_innermost(number) ? most_unsure : 1;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    Pass made = pass(number, next);
    // The condition is known if the loop surely ends, or surely goes on.
    if (made.back && made.back->guard.parts() != next.guard.parts()) --unsure;
    for (Exit& exit : made.exits) all.push_back(std::move(exit));
    if (!made.back) return all;
    const bool has_many = trace_.accesses.size() - before.accesses > most_accesses;
    if (unsure == 0 || (has_many && trace_.barriers.size() == before.barriers)) break;
    next = std::move(*made.back);
  }
  go_back(before);
  return std::nullopt;
}

std::vector<Execution::Exit> Execution::summarized(std::size_t number, const Arrival& start) {
  const Loop& loop = loops_.loops[number];
  std::vector<bool> is_written(registers_.count());
  for (const std::size_t b : loop.blocks) {
    for (std::size_t s = flow_.blocks[b].begin; s < flow_.blocks[b].end; ++s) {
      const auto* const i = std::get_if<ptx::Instruction>(&kernel_.body[s]);
      if (i == nullptr) continue;
      each_register(*i, [&](const ptx::Register& r, bool writes) {
        if (writes) is_written[registers_.number(r)] = true;
      });
    }
  }
  const Term counter = inputs_.counter("k" + std::to_string(number));
  Arrival head = start;
  head.state.carry.reset();
  head.state.copies = entering(start.state.copies, number, counter);
  std::vector<std::size_t> open;  // registers of which no rule is known
  for (std::size_t r = 0; r < registers_.count(); ++r) {
    if (!is_written[r]) continue;
    if (!live_[loop.header][r] || !start.state.registers[r]) {
      head.state.registers[r].reset();
      continue;
    }
    open.push_back(r);
    head.state.registers[r] = inputs_.unknown(
        "r" + std::to_string(r), pool_.width(*start.state.registers[r]), Scope::thread);
  }
  std::vector<LoopInstance::Counted> counted;
  const Mark before = mark();
  const std::optional<std::size_t> outer = in_loop_;
  for (;;) {
    go_back(before);
    // The loop as it stands in the trace.
    const std::size_t instance = trace_.loops.size();
    trace_.loops.push_back({.header = loop.header,
                            .parent = outer,
                            .counter = counter,
                            .last = {},
                            .has_barrier = false,
                            .counted = {},
                            .open = {},
                            .entered = start.guard.parts(),
                            .went_on = {},
                            .renamed = {},
                            .earlier = {}});
    const std::size_t barriers = trace_.barriers.size();
    const First first{trace_.facts.size(), trace_.loads.size(), trace_.agreed.size()};
    const std::size_t returned = returns_;
    Arrival begin = head;
    const std::size_t head_event = event(Event::Kind::head, instance, begin);
    in_loop_ = instance;
    Pass made = pass(number, begin);
    in_loop_ = outer;
    bool finds_more = false;
    if (made.back) {
      std::vector<std::size_t> rest;
      for (const std::size_t r : open) {
        const Term unknown = *head.state.registers[r];
        const auto form = form_of(pool_, unknown, made.back->state.registers[r].value_or(unknown),
                                  *start.state.registers[r], counter, counter);
        if (form) {
          head.state.registers[r] = form;
          counted.push_back({*form, *start.state.registers[r]});
          finds_more = true;
        } else {
          rest.push_back(r);
        }
      }
      open = std::move(rest);
      // Copies of earlier iterations, once the registers are known.
      if (!finds_more && !made.back->state.copies.empty()) {
        std::vector<CopyUnderWay> copies = all_under_way(
            entering(start.state.copies, number, counter),
            in_next_iteration(made.back->state.copies, head.state.copies, number, counter));
        finds_more = !are_the_same(copies, head.state.copies);
        if (finds_more) head.state.copies = std::move(copies);
      }
    }
    if (finds_more) continue;
    trace_.loops[instance].has_barrier = trace_.barriers.size() != barriers;
    trace_.loops[instance].counted = counted;
    if (made.back) {
      for (const std::size_t from : made.back->events) {
        trace_.events[from].next.push_back({.event = head_event, .again = instance});
      }
      // The iteration before went on.
      Substitution earlier(pool_);
      earlier.put(counter, pool_.subtract(counter, pool_.constant(1, 64)));
      const Met met = meet(pool_, made.back->guard, start.guard);
      trace_.loops[instance].went_on = {met.rest_of_a};
      std::unordered_map<Term, bool> seen;
      const auto of_earlier = [&](Term term) {
        each_unknown(pool_, term, seen, [&](Term unknown) {
          if (unknown <= counter || inputs_.scope(unknown) != Scope::thread) return;
          const Term older = inputs_.another(unknown, pool_.name(unknown));
          earlier.put(unknown, older);
          trace_.loops[instance].earlier.emplace_back(unknown, older);
        });
        return earlier(term);
      };
      const Term went_on = of_earlier(met.rest_of_a);
      const Term is_first = pool_.equal(counter, pool_.constant(0, 64));
      for (const std::size_t r : open) {
        const Term value = *head.state.registers[r];
        const Term next = made.back->state.registers[r].value_or(value);
        trace_.loops[instance].open.push_back({value, *start.state.registers[r], next});
        const Term is = pool_.choice(is_first, *start.state.registers[r], of_earlier(next));
        trace_.facts.push_back({.kind = Fact::Kind::went_on,
                                .counter = value,
                                .term = pool_.equal(value, is),
                                .about = {},
                                .entered = start.guard.parts()});
      }
      rename_loads(
          first, [&](Term value) { return seen.count(value) != 0; }, of_earlier);
      trace_.facts.push_back({.kind = Fact::Kind::went_on,
                              .counter = counter,
                              .term = pool_.either(is_first, went_on),
                              .about = {},
                              .entered = start.guard.parts()});
    }
    trace_.loops[instance].last =
        leave(made.exits, start.guard, returns_ == returned, first, instance);
    return std::move(made.exits);
  }
}

template <class IsRenamed, class Rename>
void Execution::rename_loads(const First& first, const IsRenamed& is_renamed,
                             const Rename& rename) {
  std::vector<Load> renamed;
  // An address depends on older loads, which then have other names, too.
  for (std::size_t l = trace_.loads.size(); l-- > first.load;) {
    const Load load = trace_.loads[l];
    if (is_renamed(load.value)) {
      renamed.push_back(
          {rename(load.value), rename(load.address), rename(load.guard), load.access});
    }
  }
  trace_.loads.insert(trace_.loads.end(), renamed.rbegin(), renamed.rend());
  for (std::size_t a = first.agreed, end = trace_.agreed.size(); a < end; ++a) {
    Agreed one = trace_.agreed[a];
    if (!is_renamed(one.value)) continue;
    one.value = rename(one.value);
    for (Term& iteration : one.iterations) iteration = rename(iteration);
    trace_.agreed.push_back(std::move(one));
  }
}

// Behind the loop, what is of its last iteration has other names than what is of any iteration.
Term Execution::leave(std::vector<Exit>& exits, const Guard& before, bool all_leave,
                      const First& first, std::size_t instance) {
  const Term oldest = trace_.loops[instance].counter;
  Substitution last(pool_);
  std::unordered_map<Term, bool> seen;
  const auto rename = [&](Term term) {
    each_unknown(pool_, term, seen, [&](Term unknown) {
      if (unknown < oldest || inputs_.scope(unknown) != Scope::thread) return;
      const Term renamed = inputs_.another(unknown, "last " + pool_.name(unknown));
      last.put(unknown, renamed);
      trace_.loops[instance].renamed.emplace_back(unknown, renamed);
    });
    return last(term);
  };
  Term leaves = pool_.truth(false);
  for (Exit& exit : exits) {
    Guard guard;
    for (const Term part : exit.arrival.guard.parts()) guard = guard.with(pool_, rename(part));
    leaves = pool_.either(leaves, meet(pool_, guard, before).rest_of_a);
    exit.arrival.guard = all_leave && exits.size() == 1 ? before : guard;
    for (std::size_t r = 0; r < registers_.count(); ++r) {
      auto& value = exit.arrival.state.registers[r];
      if (value) value = rename(*value);
    }
    exit.arrival.state.carry.reset();
    for (CopyUnderWay& copy : exit.arrival.state.copies) {
      for (Access& access : copy.accesses) {
        access.address = rename(access.address);
        Guard of_copy;
        for (const Term part : access.guard.parts()) of_copy = of_copy.with(pool_, rename(part));
        access.guard = of_copy;
      }
    }
  }
  if (all_leave && exits.size() == 1) {
    if (const auto known = last_iteration(pool_, leaves, rename(oldest), oldest)) {
      Substitution by(pool_);
      by.put(rename(oldest), known->number);
      // Solvers know more about an iteration than about the bits of a size that was divided.
      const std::vector<Term> bits = pool_.node(known->number).operands;
      const auto is_plain = [&](Term value) {
        bool plain = true;
        each_term(pool_, {value}, [&](Term term, const Node&) {
          const bool is_cut = !bits.empty() && (term == known->number || term == bits.front());
          plain = plain && !is_cut;
        });
        return plain;
      };
      for (auto& value : exits.front().arrival.state.registers) {
        if (!value) continue;
        const Term known_value = by(*value);
        if (known->goes_by_one || is_plain(known_value)) value = known_value;
      }
      trace_.facts.push_back({.kind = Fact::Kind::went_on,
                              .counter = oldest,
                              .term = pool_.at_most(oldest, known->number, false),
                              .about = {},
                              .entered = before.parts()});
    }
  }
  const std::size_t end = trace_.facts.size();
  for (std::size_t f = first.fact; f < end; ++f) {
    const Term renamed = rename(trace_.facts[f].term);
    if (renamed != trace_.facts[f].term) {
      Fact fact = trace_.facts[f];
      fact.counter = rename(fact.counter);
      fact.term = renamed;
      for (Term& about : fact.about) about = rename(about);
      for (Term& part : fact.entered) part = rename(part);
      trace_.facts.push_back(std::move(fact));
    }
  }
  if (all_leave && !exits.empty()) {
    // Whoever comes to the loop leaves it by one of its exits, in some iteration.
    Fact fact{.kind = Fact::Kind::ends,
              .counter = rename(oldest),
              .term = leaves,
              .about = {},
              .entered = before.parts()};
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, leaves, met, [&](Term unknown) {
      if (unknown > oldest) fact.about.push_back(unknown);
    });
    trace_.facts.push_back(std::move(fact));
  }
  rename_loads(
      first, [&](Term value) { return seen.count(value) != 0; }, rename);
  return rename(oldest);
}

}  // namespace bankproof::symbolic
