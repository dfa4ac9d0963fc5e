// Has Z3 exclude the possibilities of questions.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "../claims/question.hpp"
#include "../solving/decide.hpp"
#include "../solving/opaque.hpp"

namespace bankproof::symbolic {

class Excluding {
 public:
  explicit Excluding(Subject& subject) : subject_(subject), opaque_(subject.pool) {}

  /// The first possibility that Z3 does not exclude within the bounds; none if it excludes all.
  /// `excluded` says how.
  const Possibility* first_open(Claim claim, const std::vector<Possibility>& way,
                                const std::vector<Term>& bounds, bool is_quick,
                                std::vector<Excluded>& excluded);

  /// Asks about the questions' first ways at once, on all processors, as long as Z3 excludes most
  /// of them: those with one possibility. What it finds is known from now on.
  void foresee(Claim claim, std::span<const Question> questions);

 private:
  /// Statements that say the same or less, and how long Z3 looks at them.
  struct Try {
    std::vector<Term> statements;
    Effort effort;
  };

  const Excluded* known(const std::vector<Term>& asked) const;
  std::vector<Try> tries(const std::vector<Term>& asked, const Effort& effort);

  Subject& subject_;
  Opaque opaque_;
  /// Sorted statements that cannot hold together, and the text for cvc5.
  std::vector<std::pair<std::vector<Term>, Excluded>> never_;
  /// Sorted statements that Z3 has not excluded when it was asked quickly.
  std::set<std::vector<Term>> open_;
  bool foresees_ = true;
};

}  // namespace bankproof::symbolic
