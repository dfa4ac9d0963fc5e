// The formulas that a user states for the accesses of lines, as questions.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../claims/question.hpp"
#include "../execution/objects.hpp"
#include "../premises/formula.hpp"
#include "examples.hpp"
#include "lines.hpp"

namespace bankproof::symbolic {

class Addresses {
 public:
  /// Throws PremiseError: a text is no formula, or its line has no access to the array.
  Addresses(Subject& subject, const Request& request, const std::vector<NamedValue>& values,
            const Examples& examples, Lines& lines);

  const Asked& asked() const { return asked_; }
  /// The claim holds for this question, by this formula.
  void shown(std::size_t question, std::size_t formula);
  /// A formula that no access has.
  std::optional<std::string> unused() const;

 private:
  /// A formula, for each value of the names in it that have ranges.
  struct Index {
    std::string text;
    Term term{};
  };
  std::vector<Index> indices_of(const StatedAddress& stated, const Request& request,
                                Formulas& formulas) const;
  void add(const StatedAddress& stated, const std::vector<Index>& indices);
  /// The bytes of an element of the array of an access: as its type says or, if nobody says its
  /// type, as the instruction does.
  std::uint32_t element_bytes(const Access& access,
                              const std::optional<std::vector<Place>>& places);
  [[noreturn]] void refuse(const StatedAddress& stated) const;

  Subject& subject_;
  const std::vector<NamedValue>& values_;
  const Examples& examples_;
  Lines& lines_;
  Asked asked_{.claim = Claim::address};
  /// All formulas, and those of each question.
  std::vector<std::string> formulas_;
  std::vector<std::size_t> first_of_question_;
  std::set<std::size_t> used_;
};

}  // namespace bankproof::symbolic
