// Reads formulas; see names.hpp.
#include "names.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "../../proofs/formulas/parser.hpp"

namespace bankproof::symbolic {

namespace {

/// Where a number in brackets ends that begins at text[at]: `[2]`. Else `at`.
std::size_t end_of_index(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  return end > at + 1 && end < text.size() && text[end] == ']' ? end + 1 : at;
}

/// Members as names: gridDim.x is gridDim_x, and a.sizes[1] is a_sizes_1_. Positions stay the same.
std::string as_names(std::string text) {
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (!is_of_word(text[at - 1])) continue;
    const bool is_word = std::isdigit(static_cast<unsigned char>(text[at + 1])) == 0;
    if (text[at] == '.' && is_of_word(text[at + 1]) && is_word) text[at] = '_';
    if (text[at] != '[') continue;
    const std::size_t end = end_of_index(text, at);
    if (end == at) continue;
    text[at] = text[end - 1] = '_';
  }
  return text;
}

}  // namespace

Names::Names(const std::vector<NamedValue>& values, About about) {
  for (const NamedValue& value : values) {
    if (!value.is_number()) continue;
    add(value.name, {.value = value});
    if (value.numbered != value.name) add(value.numbered, {.value = value});
  }
  for (const char axis : {'x', 'y', 'z'}) {
    add(std::string("blockDim.") + axis, {.special = std::string("%ntid.") + axis});
    add(std::string("gridDim.") + axis, {.special = std::string("%nctaid.") + axis});
    if (about == About::launches) continue;
    add(std::string("threadIdx.") + axis, {.special = std::string("%tid.") + axis});
    add(std::string("blockIdx.") + axis, {.special = std::string("%ctaid.") + axis});
  }
}

void Names::add(const std::string& name, const Meaning& meaning) {
  const std::string written = as_names(name);
  const auto known = std::find(written_.begin(), written_.end(), written);
  // A parameter `a_n` beside a member `a.n`: nobody may name either, but by arg0.
  if (known != written_.end()) {
    *known += " ";
    return;
  }
  written_.push_back(written);
  meanings_.push_back(meaning);
  meanings_.back().name = name;
}

bool Names::has(const std::string& name) const {
  return std::find(written_.begin(), written_.end(), name) != written_.end();
}

std::size_t Names::slot(const std::string& name) const {
  const auto found = std::find(written_.begin(), written_.end(), name);
  if (found == written_.end()) throw std::out_of_range(name);
  return static_cast<std::size_t>(found - written_.begin());
}

void Names::put(const std::string& name, Term term, const std::string& typed) {
  const auto slot = static_cast<std::size_t>(std::find(written_.begin(), written_.end(), name) -
                                             written_.begin());
  if (slot == written_.size()) {
    written_.push_back(name);
    meanings_.emplace_back();
  }
  meanings_[slot] = {.name = typed.empty() ? name : typed, .term = term};
}

formulas::Expression Names::parsed(const std::string& text) const {
  try {
    return formulas::parse(as_names(text), {written_, {}, true});
  } catch (const formulas::ParseError& error) {
    throw formulas::ParseError(text, error.at(), as_typed(error.what(), text));
  }
}

/// The message with the names as the user knows them.
std::string Names::as_typed(const std::string& message, const std::string& text) const {
  // Not all names of a large structure.
  constexpr std::string_view all = "; there are ";
  constexpr std::size_t most = 16;
  if (const std::size_t at = message.find(all); at != std::string::npos) {
    std::string some;
    std::size_t count = 0;
    for (const Meaning& one : meanings_) {
      const bool is_other_name =
          one.value && one.value->numbered == one.name && one.name != one.value->name;
      if (is_other_name || ++count > most) continue;
      some += (some.empty() ? "" : ", ") + one.name;
    }
    if (count > most) some += ", …";
    return as_typed(message.substr(0, at), text) + std::string(all) + some;
  }
  const std::string names = as_names(text);
  std::string made;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at;
    while (end < message.size() && is_of_word(message[end])) ++end;
    const std::string word = message.substr(at, std::max<std::size_t>(end - at, 1));
    const auto known = std::find(written_.begin(), written_.end(), word);
    const std::size_t in_text = names.find(word);
    if (known != written_.end()) {
      made += meanings_[static_cast<std::size_t>(known - written_.begin())].name;
    } else {
      made += in_text != std::string::npos && end > at ? text.substr(in_text, word.size()) : word;
    }
    at += word.size();
  }
  return made;
}

}  // namespace bankproof::symbolic
