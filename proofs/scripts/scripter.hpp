// Follows the steps of a proof and writes what they are in Coq; see script.hpp.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../written/in_coq.hpp"
#include "../written/unified.hpp"
#include "cores.hpp"
#include "script.hpp"

namespace bankproof::proofs {

inline std::string fact_name(FactNumber fact) { return fmt::format("F{}", fact); }

/// The numbers that a scope introduces, and its premises about them.
struct Frame {
  std::vector<const WrittenNode*> numbers = {};
  std::vector<const WrittenNode*> sums = {};  ///< parts of sums so far
  std::vector<std::pair<FactNumber, WrittenPointer>> guards = {};
};

class Scripter {
 public:
  using Kind = Step::Kind;

  Scripter(Query& query, Needed needed) : goals_(query.goals()), needed_(std::move(needed)) {
    frames_.emplace_back();
    follow(query.script());
  }
  Scripted scripted();

 private:
  void write(const std::string& line) { out_ += line + "\n"; }
  void follow(const Script& script);
  bool is_inside() const { return frames_.size() > 1; }
  void follow(const Step& step);
  static std::string arrows(std::size_t arity) {
    std::string text;
    for (std::size_t k = 0; k < arity; ++k) text += "Z -> ";
    return text;
  }
  void know(const Step& step, const std::string& proof);
  /// The text of the step's fact.
  const std::string& text(const Step& step);

  // Formulas and their names (formulas.cpp)
  std::string statement(const WrittenPointer& formula);
  /// Gives names to the parts that have no unknowns, with their values.
  void name_constants(const WrittenPointer& node);
  /// A statement as readers of the theorem see it, without names of parts.
  std::string plain(const WrittenPointer& formula);
  std::string number(const WrittenPointer& formula);
  std::string numbers(const std::vector<WrittenPointer>& terms);
  void define(const Step& step);
  DefinedInCoq plain_with_places() const;
  /// Whether the query made this number for a part of a formula, so that it is no number of the
  /// theorem.
  bool is_witness(const WrittenNode& number) const;
  void label(const Step& step);
  /// Names the parts of a fact that a scope had named, and that are what other names are.
  void name_again(FactNumber fact);
  bool label_again(const WrittenPointer& node);
  std::string printed_name(const WrittenNode& node) const;
  std::unordered_set<const WrittenNode*> unknowns_of(const WrittenNode& formula) const;
  void collect(const WrittenNode& node, std::unordered_set<const WrittenNode*>& met,
               std::unordered_set<const WrittenNode*>& unknowns) const;

  // Premises, and functions (premises.cpp)
  void introduce(const WrittenPointer& formula);
  /// In a scope, a function has the scope's numbers as its first arguments.
  void introduce_function(const Step& step);
  void suppose_of_theorem(const Step& step);
  /// A premise about numbers of scopes holds for all such numbers.
  void suppose_for_all(const Step& step);

  // Laws of arithmetic (laws.cpp)
  void apply_law(const Step& step);
  void find_cofactors(const Step& step);
  static std::vector<WrittenPointer> results_of(const Step& step);

  // Goals (goals.cpp)
  /// Keeps these facts alone, and the equalities of the parts that they name.
  std::string keeping(const std::string& facts, const std::string& texts);
  void prove(const Step& step);
  /// The name of a claim in which constants have been replaced by their values.
  std::string with_values(FactNumber fact);
  static std::string part_name(const Step& step, std::size_t part) {
    return fmt::format("{}_{}", fact_name(step.fact), part);
  }
  /// The proof of a claim from those of its parts.
  static std::string joined(const Step& step, const WrittenNode& claim, std::size_t& next);
  void prove_part(const std::string& fact, const WrittenPointer& formula, const Cases& cases,
                  const Goal& goal);
  std::string in_cases(const Cases& cases, const std::string& claim, const Goal& goal,
                       std::vector<std::string> conditions);
  std::string of_case(const Cases& one, const std::string& claim, const Goal& goal,
                      const std::vector<std::string>& conditions);
  /// Writes the tactics which show that functions have the same values at the same numbers, for all
  /// values in the texts and in their parts, and adds the texts of these values.
  std::string values_alike(std::string& texts);
  /// The names of values of functions that are parts of the formula.
  void collect_values(const WrittenNode& node,
                      std::map<std::string, std::set<std::string>>& values) const;
  static bool is_in(const std::string& name, const std::string& texts);
  static bool is_of_name(char one) {
    return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_' || one == '\'';
  }

  // Scopes (scopes.cpp)
  template <class Inside>
  void within(Frame frame, Inside inside) {
    const auto defined = defined_;
    const auto looked_at = looked_at_;
    const auto witnesses = witnesses_;
    const auto equalities = equalities_;
    frames_.push_back(std::move(frame));
    inside();
    frames_.pop_back();
    defined_ = defined;
    looked_at_ = looked_at;
    witnesses_ = witnesses;
    equalities_ = equalities;
  }
  /// Shows the claims of a scope for all its numbers.
  void show_for_all(const Step& step);
  void under_premise(const Step& step);
  static const Step& first_guard(const Step& step);
  void induct(const Step& step);

  // Sums (sums.cpp)
  void add_up(const Step& step);
  /// What an induction along a chain shows: the chain ends, the parts are counts, and the
  /// invariant.
  std::string chain_shows(const Step& step, const std::string& counts);

  const std::vector<Goal>& goals_;
  Needed needed_;
  std::set<FactNumber> unneeded_;  ///< that terms are counts of which nobody needs it
  Unified unified_;
  DefinedInCoq defined_;
  /// Parts in which all constants have names.
  std::unordered_set<const WrittenNode*> looked_at_;
  std::map<std::string, std::string> witnesses_;
  std::map<std::string, std::string> equalities_;
  std::set<std::string> constants_;  ///< names of parts without unknowns
  std::map<FactNumber, std::string> text_of_;
  std::map<FactNumber, WrittenPointer> formula_of_;
  std::unordered_map<const WrittenNode*, const Step*> label_of_;
  std::map<std::string, std::string> text_of_value_;
  std::vector<WrittenPointer> kept_;
  DefinedInCoq plain_;  ///< what statements for readers have in place of names
  std::unordered_map<const WrittenNode*, std::vector<const WrittenNode*>> depends_on_;
  std::set<FactNumber> introduced_;
  std::vector<Frame> frames_;
  std::vector<std::string> variables_, names_;
  std::vector<std::string> premises_, premise_names_;
  std::vector<std::string> hypotheses_, hypothesis_names_;
  std::vector<std::string> claims_, shown_;
  std::string out_;
  std::unordered_map<const WrittenNode*, std::string> just_shown_;  ///< by scopes
  int labels_ = 0;
  int scopes_ = 0;
  int places_ = 0;
};

}  // namespace bankproof::proofs
