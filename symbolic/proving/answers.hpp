// Has solvers answer the questions of a claim, and the machine replay what they find.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../replay/replay.hpp"
#include "../solving/decide.hpp"
#include "bounds.hpp"
#include "examples.hpp"
#include "excluding.hpp"
#include "lines.hpp"
#include "reasons.hpp"

namespace bankproof::symbolic {

class Answers {
 public:
  Answers(Subject& subject, const Examples& examples, const UsualBounds& usual,
          const Replays& replays, Lines& lines, std::function<bool()> is_stopped)
      : subject_(subject),
        examples_(examples),
        usual_(usual),
        replays_(replays),
        lines_(lines),
        excluding_(subject, std::move(is_stopped)),
        reasons_(subject, examples, usual, lines) {}

  struct Answer {
    /// Nothing: the claim holds for the participants.
    std::optional<Finding> finding{};
    /// Then, or if it holds within bounds: the way in which it was shown, and what Z3 found
    /// impossible, for cvc5.
    std::size_t way = 0;
    std::vector<Excluded> excluded{};
  };
  /// How much time what solvers do not answer at once may take: as much as it needs, only the quick
  /// steps, these with little time for examples, or those of the first way.
  enum class Haste : std::uint8_t { none, little, some, much };
  /// Questions that are asked next.
  void foresee(Claim claim, std::span<const Question> questions) {
    excluding_.foresee(claim, questions);
  }
  /// `so_far` are bounds that other questions of the claim need.
  Answer operator()(Claim claim, const Question& question, Haste haste,
                    const SizeBounds& so_far = {});

 private:
  /// What is not excluded in one of the ways of a question, and values for which it holds.
  struct Open {
    const Possibility* possibility = nullptr;
    std::optional<Model> model{};
  };
  /// Bounds within which a question is answered, and how.
  struct Within {
    Bounds bounds;
    std::size_t way = 0;
    std::vector<Excluded> excluded{};
  };
  std::optional<Within> within(Claim claim, const Question& question);
  static Answer assumed(Finding finding, Within bounded);
  bool at_first_sight(Claim claim, Finding& finding, const Question& question) const;
  Example replayed(Claim claim, const Finding& finding, const Question& question,
                   const Possibility& possibility, const Model& model) const;
  Example example(Claim claim, const Finding& finding, const Question& question,
                  const Possibility& possibility, const Model& model) const;
  std::optional<std::string> misplaced(const Question& question, const Launch& launch,
                                       const Model& model, const ptx::AccessPicture& picture,
                                       bool is_shared) const;

  Subject& subject_;
  const Examples& examples_;
  const UsualBounds& usual_;
  const Replays& replays_;
  Lines& lines_;
  Excluding excluding_;
  Reasons reasons_;
};

}  // namespace bankproof::symbolic
