// Demangled names are taken apart by their brackets.
#include "function_names.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

#include "../../../algorithms/typed.hpp"

namespace bankproof::ptx {

namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

// Where the brackets that end the text open; npos where none end it.
std::size_t opening(std::string_view text, char open, char close) {
  if (text.empty() || text.back() != close) return std::string_view::npos;
  int depth = 0;
  for (std::size_t k = text.size(); k-- > 0;) {
    // The arrow of a result's type is no bracket.
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

// How precisely a name is meant, from most to least: all of it down to the plain name.
std::vector<std::string> forms_of(const std::string& mangled) {
  const std::string all = demangled(mangled);
  const std::string name = without_result_and_parameters(all);
  const std::string bare = without_template_arguments(name);
  std::vector<std::string> forms = {
      mangled, all, name, without_namespaces(name), bare, without_namespaces(bare)};
  for (std::string& form : forms) form = without_blanks(form);
  return forms;
}

std::string list_of(const std::vector<const Function*>& functions) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t k = 0; k < functions.size() && k < most; ++k) {
    text += (k == 0 ? "" : ", ") + in_quotes(demangled(functions[k]->name), 300);
  }
  if (functions.size() > most) text += " and " + std::to_string(functions.size() - most) + " more";
  return text;
}

}  // namespace

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  // A name such as "f" would be the type float.
  return status == 0 && name.starts_with("_Z") ? std::string(text.get()) : name;
}

std::string plain_name(const std::string& mangled) {
  return without_namespaces(
      without_template_arguments(without_result_and_parameters(demangled(mangled))));
}

const Function& find_kernel(const Module& module, std::string_view name) {
  std::vector<const Function*> kernels;
  for (const Function& function : module.functions) {
    if (function.entry && function.defined) kernels.push_back(&function);
  }
  if (kernels.empty()) throw KernelNameError(module.file + " has no kernel");
  if (name.empty()) {
    if (kernels.size() == 1) return *kernels.front();
    throw KernelNameError(module.file + " has several kernels, name one: " + list_of(kernels));
  }
  const std::string wanted = without_blanks(name);
  const std::size_t forms = forms_of(kernels.front()->name).size();
  for (std::size_t form = 0; form < forms; ++form) {
    std::vector<const Function*> meant;
    for (const Function* kernel : kernels) {
      if (forms_of(kernel->name)[form] == wanted) meant.push_back(kernel);
    }
    if (meant.size() == 1) return *meant.front();
    if (meant.size() > 1) {
      throw KernelNameError("kernel " + in_quotes(name) + " is ambiguous, " + module.file +
                            " has: " + list_of(meant));
    }
  }
  std::vector<std::string> plain;
  plain.reserve(kernels.size());
  for (const Function* kernel : kernels) plain.push_back(plain_name(kernel->name));
  const std::vector<std::string_view> known(plain.begin(), plain.end());
  const auto near = nearest(name, known);
  throw KernelNameError(
      "no kernel " + in_quotes(name) + " in " + module.file +
      (near ? "; did you mean " + in_quotes(*near) + "? There are: " : "; there are: ") +
      list_of(kernels));
}

}  // namespace bankproof::ptx
