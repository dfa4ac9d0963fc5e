// Finds the declaration that a name means; compares the most precise form of each name first.
#include "function_names.hpp"

#include <cstddef>
#include <utility>

#include "../../text/typed.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::string_view left_out = "...";

// Whether the text matches the pattern, in which each "..." stands for any text.
bool is_like(std::string_view text, std::string_view pattern) {
  for (std::size_t gap = pattern.find(left_out); gap != std::string_view::npos;
       gap = pattern.find(left_out)) {
    if (!text.starts_with(pattern.substr(0, gap))) return false;
    text.remove_prefix(gap);
    pattern.remove_prefix(gap + left_out.size());
    // Matches each part of the pattern at its first occurrence, which leaves the most text for the
    // later parts.
    const std::size_t next_gap = pattern.find(left_out);
    if (next_gap == std::string_view::npos) return text.ends_with(pattern);
    const std::size_t part = text.find(pattern.substr(0, next_gap));
    if (part == std::string_view::npos) return false;
    text.remove_prefix(part);
  }
  return text == pattern;
}

template <class Declaration>
std::string list_of(const std::vector<const Declaration*>& declarations) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t k = 0; k < declarations.size() && k < most; ++k) {
    text += (k == 0 ? "" : ", ") + in_quotes(demangled(declarations[k]->name), 300);
  }
  if (declarations.size() > most) {
    text += " and " + std::to_string(declarations.size() - most) + " more";
  }
  return text;
}

/// Finds the declaration that the name means. Messages call the declarations `kind`.
template <class Declaration>
const Declaration& meant(const std::vector<const Declaration*>& all, const std::string& kind,
                         std::string_view name, const std::string& file) {
  // Programs pass the mangled name of the PTX at each launch, so this case comes first.
  for (const Declaration* one : all) {
    if (one->name == name) return *one;
  }
  // Each compiler mangles names with internal linkage in its own way. So a mangled name also means
  // a declaration that only has the same name in C++.
  std::vector<std::string> wanted = {without_blanks(name)};
  if (name.starts_with("_Z")) wanted.push_back(without_blanks(demangled(std::string(name))));
  std::vector<std::vector<std::string>> forms;
  forms.reserve(all.size());
  for (const Declaration* one : all) forms.push_back(forms_of(one->name));
  for (const std::string& pattern : wanted) {
    for (std::size_t form = 0; form < forms_of("").size(); ++form) {
      std::vector<const Declaration*> found;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (is_like(forms[k][form], pattern)) found.push_back(all[k]);
      }
      if (found.size() == 1) return *found.front();
      if (found.size() > 1) {
        throw KernelNameError(kind + " " + in_quotes(name) + " is ambiguous, " + file +
                              " has: " + list_of(found));
      }
    }
  }
  std::vector<std::string> plain;
  plain.reserve(all.size());
  for (const Declaration* one : all) plain.push_back(plain_name(one->name));
  const std::vector<std::string_view> known(plain.begin(), plain.end());
  const auto near = nearest(name, known);
  throw KernelNameError(
      "no " + kind + " " + in_quotes(name) + " in " + file +
      (near ? "; did you mean " + in_quotes(*near) + "? There are: " : "; there are: ") +
      list_of(all));
}

}  // namespace

const Function& find_kernel(const Module& module, std::string_view name, const std::string& file) {
  const std::string& shown = file.empty() ? module.file : file;
  std::vector<const Function*> kernels;
  for (const Function& function : module.functions) {
    if (function.entry && function.defined) kernels.push_back(&function);
  }
  if (kernels.empty()) throw KernelNameError(shown + " has no kernel");
  if (!name.empty()) return meant(kernels, "kernel", name, shown);
  if (kernels.size() == 1) return *kernels.front();
  throw KernelNameError(shown + " has several kernels, name one: " + list_of(kernels));
}

const Variable& find_variable(const Module& module, std::string_view name,
                              const std::string& file) {
  const std::string& shown = file.empty() ? module.file : file;
  std::vector<const Variable*> variables;
  for (const Variable& variable : module.variables) {
    const bool of_host = variable.space == Space::global || variable.space == Space::constant;
    // The compiler names string literals itself.
    const bool has_name =
        variable.name.find('$') == std::string::npos && !variable.name.starts_with("__unnamed_");
    if (of_host && has_name && variable.linkage != Linkage::external) {
      variables.push_back(&variable);
    }
  }
  if (variables.empty()) {
    throw KernelNameError(module.file + " has no variable " + in_quotes(name) +
                          ", and no variables in __device__ or __constant__ memory at all; "
                          "compilers drop variables that no kernel uses");
  }
  return meant(variables, "variable", name, shown);
}

}  // namespace bankproof::ptx
