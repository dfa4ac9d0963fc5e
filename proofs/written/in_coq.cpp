// Prints formulas; see in_coq.hpp.
#include "in_coq.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "evaluate.hpp"
#include "unified.hpp"

namespace bankproof::proofs {
namespace {

/// Which parts are defined where. A region is the whole formula, or a part of a sum that depends on
/// the sum's place: 0, or this place.
class Regions {
 public:
  explicit Regions(const WrittenNode& whole) {
    count(whole);
    for (const WrittenNode* const node : all_) {
      if (uses_.at(node) == 1 || node->parts.empty() || !is_number(node->form)) continue;
      shared_[node->places.empty() ? 0 : node->places.back()].push_back(node);
    }
  }

  /// The parts that the formula has several times, each one behind its own parts.
  const std::vector<const WrittenNode*>& shared_in(WrittenNumber region) { return shared_[region]; }

 private:
  void count(const WrittenNode& node) {
    if (++uses_[&node] > 1) return;
    for (const WrittenPointer& part : node.parts) count(*part);
    all_.push_back(&node);
  }

  std::unordered_map<const WrittenNode*, int> uses_;
  std::vector<const WrittenNode*> all_;  // parts first
  std::map<WrittenNumber, std::vector<const WrittenNode*>> shared_;
};

class Printer {
 public:
  Printer(const WrittenNode& whole, const DefinedInCoq& defined)
      : regions_(whole), defined_(defined.parts), places_(defined.places) {}

  std::string statement(const WrittenNode& node) {
    const auto joined = [&](const char* connective) {
      return fmt::format("({} {} {})", statement(*node.parts[0]), connective,
                         statement(*node.parts[1]));
    };
    switch (node.form) {
      case Form::equal:
        return infix(node, "=");
      case Form::at_most:
        return infix(node, "<=");
      case Form::both:
        return joined("/\\");
      case Form::either:
        return joined("\\/");
      case Form::implication:
        return joined("->");
      case Form::negation: {
        const WrittenNode& what = *node.parts[0];
        if (what.form != Form::at_most) return fmt::format("(~ {})", statement(what));
        return fmt::format("({} < {})", part(what, 1), part(what, 0));
      }
      default:
        throw NoText("a comparison of machine words");
    }
  }

  std::string number(const WrittenNode& node) { return written(node); }

  /// The text of what is in the region of this place, with definitions in front.
  std::string region(WrittenNumber place, const WrittenNode& node) {
    return with_definitions(place, node, [&] { return printed(node); });
  }
  std::string whole_statement(const WrittenNode& node) {
    return with_definitions(0, node, [&] { return statement(node); });
  }

 private:
  template <class Print>
  std::string with_definitions(WrittenNumber place, const WrittenNode& node, Print print) {
    std::string lets;
    std::vector<const WrittenNode*> defined;
    for (const WrittenNode* const one : regions_.shared_in(place)) {
      if (!is_part(*one, node) || defined_.count(one) != 0) continue;
      const std::string text = written(*one);
      const std::string name = fmt::format("v'{}", ++names_);
      lets += fmt::format("let {} := {} in\n", name, text);
      defined_[one] = name;
      defined.push_back(one);
    }
    const std::string text = lets + print();
    for (const WrittenNode* const one : defined) defined_.erase(one);
    return lets.empty() ? text : "(" + text + ")";
  }

  /// Whether `part` is in the formula. Looked up once for each of the two.
  bool is_part(const WrittenNode& part, const WrittenNode& whole) {
    const auto [found, is_new] = parts_.try_emplace(&whole);
    if (is_new) {
      std::unordered_set<const WrittenNode*> all;
      collect(whole, all);
      found->second = std::move(all);
    }
    return found->second.count(&part) != 0;
  }
  static void collect(const WrittenNode& node, std::unordered_set<const WrittenNode*>& all) {
    if (!all.insert(&node).second) return;
    for (const WrittenPointer& part : node.parts) collect(*part, all);
  }

  std::string printed(const WrittenNode& node) {
    const auto known = defined_.find(&node);
    if (known != defined_.end()) return known->second;
    return written(node);
  }
  std::string part(const WrittenNode& node, std::size_t k) { return printed(*node.parts.at(k)); }

  std::string infix(const WrittenNode& node, const char* operation) {
    return fmt::format("({} {} {})", part(node, 0), operation, part(node, 1));
  }

  std::string sum(const WrittenNode& node, const char* function) {
    const WrittenNode& place = *node.parts.at(1);
    const std::string name = fmt::format("k'{}", ++names_);
    const std::string first = part(node, 0);
    places_[place.value] = name;
    std::string text = fmt::format("({} {}", function, first);
    for (std::size_t k = 2; k < node.parts.size(); ++k) {
      text += fmt::format(" (fun {} => {})", name, region(place.value, *node.parts[k]));
    }
    return text + ")";
  }

  std::string written(const WrittenNode& node) {
    switch (node.form) {
      case Form::number:
        return digits_in_coq(node.value);
      case Form::name:
        return coq_name(node.name);
      case Form::application: {
        std::string text = "(" + coq_name(node.name);
        for (std::size_t k = 0; k < node.parts.size(); ++k) text += " " + part(node, k);
        return text + ")";
      }
      case Form::place:
        return places_.at(node.value);
      case Form::plus:
        return infix(node, "+");
      case Form::minus:
        return infix(node, "-");
      case Form::times:
        return infix(node, "*");
      case Form::quotient:
        return infix(node, "/");
      case Form::rest:
        return infix(node, "mod");
      case Form::ceiling:
        return fmt::format("(ceiling {} {})", part(node, 0), part(node, 1));
      case Form::choice:
        return fmt::format("(if {} then {} else {})", part(node, 0), part(node, 1), part(node, 2));
      case Form::logarithm:
        return fmt::format("(Z.log2_up {})", part(node, 0));
      case Form::power:
        return fmt::format("(2 ^ {})", part(node, 0));
      case Form::divisor:
        return fmt::format("(Z.gcd {} {})", part(node, 0), part(node, 1));
      case Form::over_numbers:
        return sum(node, "sum_over");
      case Form::over_powers:
        return sum(node, "sum_over_powers");
      case Form::over_chain:
        return sum(node, "sum_over_chain");
      case Form::equal:
        return infix(node, "=?");
      case Form::at_most:
        return infix(node, "<=?");
      case Form::both:
        return infix(node, "&&");
      case Form::either:
        return infix(node, "||");
      case Form::negation:
        return fmt::format("(negb {})", part(node, 0));
      case Form::implication:
        return fmt::format("(implb {} {})", part(node, 0), part(node, 1));
      case Form::of_words:
        break;
    }
    throw NoText("a comparison of machine words");
  }

  Regions regions_;
  std::unordered_map<const WrittenNode*, std::string> defined_;
  std::unordered_map<const WrittenNode*, std::unordered_set<const WrittenNode*>> parts_;
  std::map<WrittenNumber, std::string> places_;
  int names_ = 0;
};

}  // namespace

bool is_number(Form form) {
  switch (form) {
    case Form::equal:
    case Form::at_most:
    case Form::both:
    case Form::either:
    case Form::negation:
    case Form::implication:
    case Form::of_words:
      return false;
    default:
      return true;
  }
}

std::string digits_in_coq(WrittenNumber value) {
  if (value < 0) return "(-" + digits_in_coq(-value) + ")";
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

std::string in_coq(const WrittenPointer& formula) {
  const WrittenPointer whole = Unified()(formula);
  return Printer(*whole, {}).region(0, *whole);
}
std::string number_in_coq(const WrittenNode& formula, const DefinedInCoq& defined) {
  return Printer(formula, defined).number(formula);
}
std::string whole_number_in_coq(const WrittenNode& formula, const DefinedInCoq& defined) {
  return Printer(formula, defined).region(0, formula);
}
std::string statement_in_coq(const WrittenNode& formula, const DefinedInCoq& defined) {
  return Printer(formula, defined).statement(formula);
}
std::string whole_statement_in_coq(const WrittenNode& formula, const DefinedInCoq& defined) {
  return Printer(formula, defined).whole_statement(formula);
}

std::optional<WrittenNumber> constant_of(const WrittenNode& formula) {
  if (!formula.places.empty()) return std::nullopt;
  try {
    return value_of(formula, {});
  } catch (const std::exception&) {  // it has names, or no value
    return std::nullopt;
  }
}

std::string coq_name(const std::string& name) {
  std::string all = name;
  for (char& one : all) {
    if (std::isalnum(static_cast<unsigned char>(one)) == 0) one = '_';
  }
  static const std::set<std::string> words = {"as",    "at",    "cofix",  "else",   "end", "exists",
                                              "fix",   "for",   "forall", "fun",    "if",  "in",
                                              "let",   "match", "mod",    "return", "Set", "then",
                                              "using", "where", "with",   "Prop",   "Type"};
  const bool is_letter =
      std::isalpha(static_cast<unsigned char>(all.empty() ? ' ' : all.front())) != 0;
  return is_letter && words.count(all) == 0 ? all : "n_" + all;
}

}  // namespace bankproof::proofs
