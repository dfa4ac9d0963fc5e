// Takes demangled names apart at their brackets.
#include "cpp_names.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string_view>

namespace bankproof::ptx {

namespace {

// The position of the bracket that belongs to the closing bracket at the end of the text; npos if
// the text does not end with a closing bracket.
std::size_t opening(std::string_view text, char open, char close) {
  if (text.empty() || text.back() != close) return std::string_view::npos;
  int depth = 0;
  for (std::size_t k = text.size(); k-- > 0;) {
    // The arrow before a result type is no bracket.
    const bool arrow = text[k] == '>' && k > 0 && text[k - 1] == '-';
    if (text[k] == close && !arrow) ++depth;
    if (text[k] == open && --depth == 0) return k;
  }
  return std::string_view::npos;
}

// "void ns::scan<int, 256>(int*) [clone .1]" as "ns::scan<int, 256>".
std::string without_result_and_parameters(std::string text) {
  if (const std::size_t clone = text.find(" [clone"); clone != std::string::npos)
    text.resize(clone);
  if (const std::size_t open = opening(text, '(', ')'); open != std::string::npos)
    text.resize(open);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '<' || text[k] == '(') ++depth;
    if (text[k] == '>' || text[k] == ')') --depth;
    if (text[k] == ' ' && depth == 0) begin = k + 1;
  }
  return text.substr(begin);
}

std::string without_template_arguments(std::string text) {
  if (const std::size_t open = opening(text, '<', '>'); open != std::string::npos)
    text.resize(open);
  return text;
}

std::string without_namespaces(const std::string& text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '<' || text[k] == '(') ++depth;
    if (text[k] == '>' || text[k] == ')') --depth;
    if (text[k] == ':' && depth == 0) begin = k + 1;
  }
  return text.substr(begin);
}

// The name as code in its own file writes it: "ns::k" for "ns::(anonymous namespace)::k".
std::string without_anonymous_namespaces(std::string text) {
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = text.find(anonymous, at)) != std::string::npos;) {
    text.erase(at, anonymous.size());
  }
  return text;
}

// "scan<int, 256u, 8ul>" as "scan<int, 256, 8>": the template already fixes the type of a number.
std::string without_suffixes_of_numbers(const std::string& text) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::string_view in_words =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  std::string result;
  for (std::size_t word = 0; word < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(in_words, word), text.size());
    const std::size_t suffix = std::min(text.find_first_not_of(digits, word), end);
    const bool is_number = suffix > word && text.find_first_not_of("ul", suffix) >= end;
    result.append(text, word, (is_number ? suffix : end) - word);
    if (end < text.size()) result += text[end];
    word = end + 1;
  }
  return result;
}

// Removes what nvcc -rdc=true puts in front of a static name, "__nv_static_8__0f3a_a_cu_" for a
// file with the 8 characters "_0f3a_a_cu" (and they are counted).
std::string without_file_prefix(const std::string& name) {
  constexpr std::string_view prefix = "__nv_static_";
  if (!name.starts_with(prefix)) return name;
  std::size_t at = prefix.size();
  std::size_t length = 0;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9' && length < name.size(); ++at) {
    length = 10 * length + static_cast<std::size_t>(name[at] - '0');
  }
  const std::size_t begin = at + 1 + length + 1;  // between underscores
  return length > 0 && begin < name.size() && name[at] == '_' ? name.substr(begin) : name;
}

// Removes the suffix that clang appends to a static variable that the host also uses,
// "__static__0f3a…", and that link() appends to names that two modules have, "__intern__2".
std::string without_file_suffix(const std::string& name) {
  for (const char* const suffix : {"__static__", "__intern__"}) {
    const std::size_t at = name.find(suffix);
    if (at != std::string::npos && at > 0) return name.substr(0, at);
  }
  return name;
}

}  // namespace

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

std::string demangled(const std::string& mangled) {
  std::string name = without_file_prefix(mangled);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(without_file_suffix(name).c_str(), nullptr, nullptr, &status),
      &std::free);
  // A name such as "f" would demangle to the type float.
  if (status != 0 || !name.starts_with("_Z")) return name;
  std::string result = text.get();
  // nvcc adds this namespace to names with internal linkage.
  constexpr std::string_view added = "_INTERNAL_";
  if (result.starts_with(added) && result.find("::") != std::string::npos) {
    result.erase(0, result.find("::") + 2);
  }
  return result;
}

std::string plain_name(const std::string& mangled) {
  return without_namespaces(
      without_template_arguments(without_result_and_parameters(demangled(mangled))));
}

std::vector<std::string> forms_of(const std::string& mangled) {
  const std::string all = demangled(mangled);
  const std::string name = without_result_and_parameters(all);
  const std::string bare = without_template_arguments(name);
  std::vector<std::string> forms = {mangled,
                                    all,
                                    name,
                                    without_anonymous_namespaces(name),
                                    without_namespaces(name),
                                    without_suffixes_of_numbers(name),
                                    without_suffixes_of_numbers(without_anonymous_namespaces(name)),
                                    without_suffixes_of_numbers(without_namespaces(name)),
                                    bare,
                                    without_anonymous_namespaces(bare),
                                    without_namespaces(bare)};
  for (std::string& form : forms) form = without_blanks(form);
  return forms;
}

}  // namespace bankproof::ptx
