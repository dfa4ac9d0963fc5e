// Proves facts about a turn of a loop; see sweeps.hpp.
#include "sweeps.hpp"

namespace bankproof::proofs {

KnownSweeps KnownSweeps::at_turn(Query& q, const FormulaTerms::Names& names,
                                 const FormulaTerms::Places& places,
                                 const WrittenLoop& loop) const {
  FormulaTerms terms(q, names, places);
  const WrittenPointer& limit = loop.limit.node();
  const IntTerm turn = terms(loop.place.node());
  const IntTerm turns = terms(limit);
  // In a loop of ⌈n/p⌉ turns, turn k begins below n: p·k is at least p less than p·⌈n/p⌉.
  if (limit->form == Form::ceiling) {
    q.compare_multiples(terms(limit->parts[1]), turn, turns);
    q.scale(terms(limit->parts[1]), 0, turn);
  }
  for (const SweptTurns& sweep : all) {
    const bool is_swept =
        z3::eq(sweep.count(terms).expression(q.context()), turns.expression(q.context()));
    if (is_swept) sweep.know_turn(q, terms, loop.place);
  }
  if (loop.form != Form::over_powers || !of_level) return *this;
  // A level may sweep over as many rows as it adds pairs.
  const SweepShape<Written> shape = of_level(loop.place);
  q.claim_step("a level has rows", terms(shape.rows.node()) >= 1);
  KnownSweeps known = *this;
  known.all.emplace_back(shape);
  known.all.back().know_shape(q, terms);
  return known;
}

}  // namespace bankproof::proofs
