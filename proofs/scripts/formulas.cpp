// Formulas as text, and names for their parts; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "scripter.hpp"

namespace bankproof::proofs {

std::string Scripter::statement(const WrittenPointer& formula) {
  const WrittenPointer one = unified_(formula);
  name_constants(one);
  return statement_in_coq(*one, defined_);
}

void Scripter::name_constants(const WrittenPointer& node) {
  if (node->parts.empty() || defined_.parts.count(node.get()) != 0) return;
  if (!looked_at_.insert(node.get()).second) return;
  const auto value = is_number(node->form) ? constant_of(*node) : std::nullopt;
  if (!value) {
    for (const WrittenPointer& part : node->parts) name_constants(part);
    return;
  }
  looked_at_.erase(node.get());
  const std::string name = fmt::format("v{}", ++labels_);
  write(fmt::format("pose ({} := {}).", name, whole_number_in_coq(*node, defined_)));
  write(fmt::format("assert (E{} : {} = {}) by (vm_compute; reflexivity).", labels_, name,
                    digits_in_coq(*value)));
  equalities_[name] = fmt::format("E{}", labels_);
  constants_.insert(name);
  defined_.parts[node.get()] = name;
  kept_.push_back(node);
}

std::string Scripter::plain(const WrittenPointer& formula) {
  return whole_statement_in_coq(*unified_(formula), plain_with_places());
}

std::string Scripter::number(const WrittenPointer& formula) {
  const WrittenPointer one = unified_(formula);
  const auto label = defined_.parts.find(one.get());
  if (label != defined_.parts.end()) return label->second;
  name_constants(one);
  const auto constant = defined_.parts.find(one.get());
  if (constant != defined_.parts.end()) return constant->second;
  return number_in_coq(*one, defined_);
}

std::string Scripter::numbers(const std::vector<WrittenPointer>& terms) {
  std::string text;
  for (const WrittenPointer& term : terms) text += " (" + number(term) + ")";
  return text;
}

void Scripter::define(const Step& step) {
  const WrittenPointer name = unified_(step.terms.at(0));
  const WrittenPointer term = unified_(step.terms.at(1));
  write(fmt::format("pose ({} := {}).", coq_name(name->name), number(term)));
  kept_.push_back(name);
  plain_.parts[name.get()] = "(" + whole_number_in_coq(*term, plain_with_places()) + ")";
  const auto unknowns = unknowns_of(*term);
  depends_on_[name.get()] = {unknowns.begin(), unknowns.end()};
  know(step, "reflexivity");
}

DefinedInCoq Scripter::plain_with_places() const {
  DefinedInCoq all = plain_;
  all.places = defined_.places;
  return all;
}

bool Scripter::is_witness(const WrittenNode& number) const {
  if (number.form != Form::name) return false;
  for (const Frame& frame : frames_) {
    for (const WrittenNode* const own : frame.numbers) {
      if (own == &number) return false;
    }
  }
  return true;
}

void Scripter::label(const Step& step) {
  const WrittenPointer node = unified_(step.formula);
  label_of_.emplace(node.get(), &step);
  if (defined_.parts.count(node.get()) != 0) return;
  const WrittenPointer witness = unified_(step.terms.at(0));
  if (witness.get() == node.get() && node->parts.empty()) return;
  if (constant_of(*node)) return;  // named where it is needed
  std::optional<std::string> same;
  if (const auto known = witnesses_.find(step.name); known != witnesses_.end()) {
    same = known->second;
  } else if (witness.get() != node.get() && !is_witness(*witness)) {
    same = number(witness);
  }
  for (const WrittenPointer& part : node->parts) name_constants(part);
  const std::string name = fmt::format("v{}", ++labels_);
  const std::string text = number_in_coq(*node, defined_);
  write(fmt::format("pose ({} := {}).", name, text));
  text_of_value_[name] = text;
  defined_.parts[node.get()] = name;
  kept_.push_back(node);
  if (same) {
    // Coq tries the equalities of their parts first: `same` replaces all parts, which takes long.
    const auto other = text_of_value_.find(*same);
    const bool is_name = other != text_of_value_.end();
    const std::string texts = text + " " + (is_name ? other->second : *same);
    write(fmt::format(
        "assert (E{} : {} = {}) by (first [solve [{}; unfold {}{}; forget_parts; equal_parts] "
        "| unfold {}; same]).",
        labels_, name, *same, keeping({}, texts), name, is_name ? ", " + *same : "", name));
    equalities_[name] = fmt::format("E{}", labels_);
  } else {
    witnesses_.emplace(step.name, name);
  }
}

void Scripter::name_again(FactNumber fact) {
  const auto known = formula_of_.find(fact);
  if (known == formula_of_.end() || !label_again(unified_(known->second))) return;
  text_of_[fact] = statement(known->second);
  write(fmt::format("change {} in {}.", text_of_[fact], fact_name(fact)));
}

bool Scripter::label_again(const WrittenPointer& node) {
  if (defined_.parts.count(node.get()) != 0) return false;
  bool is_new = false;
  for (const WrittenPointer& part : node->parts) is_new = label_again(part) || is_new;
  const auto known = label_of_.find(node.get());
  if (known == label_of_.end() || witnesses_.count(known->second->name) == 0) return is_new;
  label(*known->second);
  return true;
}

std::string Scripter::printed_name(const WrittenNode& node) const {
  return node.form == Form::place ? defined_.places.at(node.value) : coq_name(node.name);
}

std::unordered_set<const WrittenNode*> Scripter::unknowns_of(const WrittenNode& formula) const {
  std::unordered_set<const WrittenNode*> met;
  std::unordered_set<const WrittenNode*> unknowns;
  collect(formula, met, unknowns);
  return unknowns;
}

void Scripter::collect(const WrittenNode& node, std::unordered_set<const WrittenNode*>& met,
                       std::unordered_set<const WrittenNode*>& unknowns) const {
  if (!met.insert(&node).second) return;
  if (const auto known = depends_on_.find(&node); known != depends_on_.end()) {
    for (const WrittenNode* const one : known->second) collect(*one, met, unknowns);
    return;
  }
  if (node.form == Form::name || node.form == Form::place) unknowns.insert(&node);
  for (const WrittenPointer& part : node.parts) collect(*part, met, unknowns);
}

}  // namespace bankproof::proofs
