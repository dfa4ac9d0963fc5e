// Has Z3 exclude the possibilities of questions.
#pragma once

#include <chrono>
#include <functional>
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
  /// If `is_stopped` is true, Z3 is asked no more.
  Excluding(Subject& subject, std::function<bool()> is_stopped)
      : subject_(subject), opaque_(subject.pool), is_stopped_(std::move(is_stopped)) {}

  /// From now on possibilities are those of another question, about which Z3 is asked for a while.
  void begin_question() { begin_ = std::chrono::steady_clock::now(); }

  /// The first possibility that Z3 does not exclude within the bounds, in the question's time; none
  /// if it excludes all. `excluded` says how.
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

  bool ends() const;
  const Excluded* known(const std::vector<Term>& asked) const;
  std::vector<Try> tries(const std::vector<Term>& asked, const Effort& effort);

  void add_definitions(std::vector<Try>& all, const std::vector<Term>& asked, const Effort& effort);

  Subject& subject_;
  Opaque opaque_;
  std::function<bool()> is_stopped_;
  std::chrono::steady_clock::time_point begin_{};
  /// Sorted statements that cannot hold together, and the text for cvc5.
  std::vector<std::pair<std::vector<Term>, Excluded>> never_;
  /// Sorted statements that Z3 has not excluded when it was asked quickly.
  std::set<std::vector<Term>> open_;
  bool foresees_ = true;
};

}  // namespace bankproof::symbolic
