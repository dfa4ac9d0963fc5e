// Finds the accesses of lines; see addresses.hpp.
#include "addresses.hpp"

#include <algorithm>

#include "../claims/warps.hpp"
#include "premises.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::size_t most_indices = 1024;

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
                     const std::vector<NamedValue>& values, const Examples& examples, Lines& lines)
    : subject_(subject), values_(values), examples_(examples), lines_(lines) {
  Formulas formulas(subject, values, About::threads);
  for (const StatedRange& range : request.ranges) {
    if (formulas.has(range.name)) {
      throw PremiseError("--for " + range.name + ": the name has a meaning already");
    }
  }
  // All formulas first: they may name axes that the kernel does not read.
  std::vector<std::vector<Index>> indices;
  indices.reserve(request.addresses.size());
  for (const StatedAddress& stated : request.addresses) {
    indices.push_back(indices_of(stated, request, formulas));
  }
  for (std::size_t k = 0; k < request.addresses.size(); ++k) add(request.addresses[k], indices[k]);
}

std::vector<Addresses::Index> Addresses::indices_of(const StatedAddress& stated,
                                                    const Request& request,
                                                    Formulas& formulas) const {
  std::vector<Index> all;
  for (const std::string& text : split(stated.formulas)) {
    std::vector<std::uint64_t> values;
    values.reserve(request.ranges.size());
    for (const StatedRange& range : request.ranges) values.push_back(range.first);
    for (bool is_next = true; is_next;) {
      std::string where;
      for (std::size_t k = 0; k < values.size(); ++k) {
        formulas.put(request.ranges[k].name, values[k]);
        where += (where.empty() ? " for " : ", ") + request.ranges[k].name + " = " +
                 std::to_string(values[k]);
      }
      const Term term = parsed(text, [&] { return formulas.value(text); });
      const auto is_same = [&](const Index& index) { return index.term == term; };
      if (std::none_of(all.begin(), all.end(), is_same)) all.push_back({text + where, term});
      if (all.size() > most_indices) {
        throw PremiseError("--for: the names have too many values; at most " +
                           std::to_string(most_indices) + " are possible");
      }
      // Counts on, the last name fastest.
      is_next = false;
      for (std::size_t k = values.size(); k-- > 0 && !is_next;) {
        is_next = values[k] != request.ranges[k].last;
        values[k] = is_next ? values[k] + 1 : request.ranges[k].first;
      }
    }
  }
  return all;
}

void Addresses::add(const StatedAddress& stated, const std::vector<Index>& indices) {
  const std::size_t number = formulas_.size();
  std::vector<Term> terms;
  for (const Index& index : indices) {
    formulas_.push_back(index.text);
    terms.push_back(index.term);
  }
  std::vector<AccessToElements> accesses;
  std::vector<bool> meant, others;  // whether they are to shared memory
  for (const Access& access : subject_.trace().accesses) {
    if (access.is_echo) continue;
    if (lines_.of(*access.instruction).line != stated.line) continue;
    const auto places = places_of(subject_.pool, subject_.inputs(), access.address);
    const bool is_meant =
        stated.array.empty() ||
        (places && std::any_of(places->begin(), places->end(), [&](const Place& place) {
           return examples_.name_of(place.object) == stated.array;
         }));
    const bool is_shared = may_be_in(ptx::Space::shared, subject_.inputs(), access, places);
    (is_meant ? meant : others).push_back(is_shared);
    if (is_meant) accesses.push_back({&access, element_bytes(access, places)});
  }
  if (accesses.empty()) refuse(stated);
  const bool are_mixed = std::any_of(others.begin(), others.end(), [&](bool is_shared) {
    return std::find(meant.begin(), meant.end(), is_shared) != meant.end();
  });
  Asked more = ask_address(subject_, accesses, terms);
  asked_.subjects += more.subjects;
  asked_.instructions.insert(more.instructions.begin(), more.instructions.end());
  for (Question& question : more.questions) {
    // The machine counts by lines: it cannot tell these accesses from others to the same memory.
    if (are_mixed) question.expected.clear();
    asked_.questions.push_back(std::move(question));
    first_of_question_.push_back(number);
  }
}

std::uint32_t Addresses::element_bytes(const Access& access,
                                       const std::optional<std::vector<Place>>& places) {
  if (!places || places->empty()) return access.element_bytes();
  const Term object = places->front().object;
  for (const auto& [where, pointer] : subject_.inputs().parameters()) {
    if (pointer != object) continue;
    for (const NamedValue& value : values_) {
      const bool is_it = value.is_pointer && value.index == std::get<0>(where) &&
                         value.offset == std::get<1>(where);
      if (is_it && value.element_bytes.value_or(0) != 0) return *value.element_bytes;
    }
  }
  const std::string name = examples_.name_of(object);
  const std::uint32_t bytes = access.element_bytes();
  const std::string assumed = "address: elements of " + name + " that line " +
                              std::to_string(lines_.of(*access.instruction).line) +
                              " accesses have " + std::to_string(bytes) +
                              (bytes == 1 ? " byte" : " bytes");
  std::vector<std::string>& all = subject_.limited;
  if (std::find(all.begin(), all.end(), assumed) == all.end()) all.push_back(assumed);
  return bytes;
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
    if (access.is_echo) continue;
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
