// Finds the accesses of lines; see addresses.hpp.
#include "addresses.hpp"

#include <algorithm>
#include <iterator>

#include "../claims/objects.hpp"
#include "../premises/formula.hpp"
#include "premises.hpp"

namespace bankproof::symbolic {

namespace {

/// "x; y" as two texts.
std::vector<std::string> split(const std::string& formulas) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = formulas.find(';', begin);
    all.push_back(formulas.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return all;
}

}  // namespace

Addresses::Addresses(Subject& subject, const Request& request,
                     const std::vector<NamedParameter>& parameters, const Examples& examples,
                     Lines& lines)
    : subject_(subject), examples_(examples), lines_(lines) {
  Formulas formulas(subject, *request.kernel, parameters, Formulas::About::threads);
  // All formulas first: they may name axes that the kernel does not read.
  std::vector<std::vector<Term>> indices;
  for (const StatedAddress& stated : request.addresses) {
    indices.emplace_back();
    for (const std::string& text : split(stated.formulas)) {
      indices.back().push_back(parsed(text, [&] { return formulas.value(text); }));
    }
  }
  for (std::size_t k = 0; k < request.addresses.size(); ++k) {
    const std::size_t first = formulas_.size();
    std::vector<std::string> texts = split(request.addresses[k].formulas);
    formulas_.insert(formulas_.end(), std::make_move_iterator(texts.begin()),
                     std::make_move_iterator(texts.end()));
    add(request.addresses[k], first, indices[k]);
  }
}

void Addresses::add(const StatedAddress& stated, std::size_t number,
                    const std::vector<Term>& indices) {
  std::vector<const Access*> accesses;
  bool are_all = true;  // of the line
  for (const Access& access : subject_.trace().accesses) {
    if (lines_.of(*access.instruction).line != stated.line) continue;
    const auto places = places_of(subject_.pool, subject_.inputs(), access.address);
    const bool is_meant =
        stated.array.empty() ||
        (places && std::any_of(places->begin(), places->end(), [&](const Place& place) {
           return examples_.name_of(place.object) == stated.array;
         }));
    if (is_meant) {
      accesses.push_back(&access);
    } else {
      are_all = false;
    }
  }
  if (accesses.empty()) refuse(stated);
  Asked more = ask_address(subject_, accesses, indices);
  asked_.subjects += more.subjects;
  for (Question& question : more.questions) {
    // The machine counts by lines: it cannot tell these accesses from the others.
    if (!are_all) question.expected.clear();
    asked_.questions.push_back(std::move(question));
    first_of_question_.push_back(number);
  }
}

void Addresses::shown(std::size_t question, std::size_t formula) {
  used_.insert(first_of_question_.at(question) + formula);
}

std::optional<std::string> Addresses::unused() const {
  for (std::size_t k = 0; k < formulas_.size(); ++k) {
    if (used_.count(k) == 0) return formulas_[k];
  }
  return std::nullopt;
}

void Addresses::refuse(const StatedAddress& stated) const {
  std::set<std::string> known;
  for (const Access& access : subject_.trace().accesses) {
    const std::uint32_t line = lines_.of(*access.instruction).line;
    const auto places = places_of(subject_.pool, subject_.inputs(), access.address);
    if (!places) continue;
    for (const Place& place : *places) {
      known.insert(std::to_string(line) + ":" + examples_.name_of(place.object));
    }
  }
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  throw PremiseError("--address " + std::to_string(stated.line) +
                     (stated.array.empty() ? "" : ":" + stated.array) +
                     ": the line has no such access; the kernel accesses " +
                     (all.empty() ? "nothing" : all));
}

}  // namespace bankproof::symbolic
