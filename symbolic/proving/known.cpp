// Gathers the facts; see known.hpp.
#include "known.hpp"

#include "../claims/published.hpp"
#include "agreeing.hpp"

namespace bankproof::symbolic {

Subject subject_of(Pool& pool, Execution& execution, const Request& request,
                   const std::vector<NamedValue>& values,
                   const std::vector<ElementCondition>& conditions) {
  Subject subject{pool, execution};
  subject.draws = draws_of(subject);
  subject.elements.loaded = elements_of(subject);
  subject.agreed = all_agreed(subject);
  subject.published = published_in(subject);
  state_premises(subject, request, values);
  state_elements(subject, conditions, values);
  subject.draw_ranges = draw_ranges(subject);
  return subject;
}

}  // namespace bankproof::symbolic
