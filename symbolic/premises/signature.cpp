// Reads declarations of kernels; see signature.hpp.
#include "signature.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "../../cuda/session/elements.hpp"
#include "../../ptx/syntax/cpp_names.hpp"

namespace bankproof::symbolic {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

/// The text with blanks in place of comments.
std::string without_comments(std::string_view source) {
  std::string text(source);
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
    const bool is_line = text[at + 1] == '/';
    std::size_t end = is_line ? text.find('\n', at) : text.find("*/", at + 2);
    end = end == std::string::npos ? text.size() : end + (is_line ? 0 : 2);
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
              text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end;
  }
  return text;
}

/// The words between parentheses that begin at text[open], parted by its commas.
std::vector<std::string> parts_of(std::string_view text, std::size_t open) {
  std::vector<std::string> parts;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (depth == 0 || (depth == 1 && c == ',')) {
      std::string part = trimmed(text.substr(begin, at - begin));
      if (!part.empty()) parts.push_back(std::move(part));
      begin = at + 1;
    }
    if (depth == 0) return parts;
  }
  return {};
}

/// Sizes of the types whose names kernels use.
std::optional<std::uint32_t> bytes_of_type(std::string type) {
  for (const std::string_view word : {"const", "volatile", "__restrict__", "struct", "signed"}) {
    for (std::size_t at = 0; (at = type.find(word, at)) != std::string::npos;) {
      const bool is_word = (at == 0 || !is_letter(type[at - 1])) &&
                           (at + word.size() >= type.size() || !is_letter(type[at + word.size()]));
      if (is_word) {
        type.erase(at, word.size());
      } else {
        at += word.size();
      }
    }
  }
  type = ptx::without_blanks(type);
  struct Known {
    std::string_view name;
    std::uint32_t bytes;
  };
  constexpr std::array<Known, 26> known{{{"longlong", 8}, {"longlongint", 8}, {"long", 8},
                                         {"longint", 8},  {"size_t", 8},      {"int64_t", 8},
                                         {"double", 8},   {"ptrdiff_t", 8},   {"int", 4},
                                         {"", 4},  // unsigned
                                         {"int32_t", 4},  {"float", 4},       {"uint", 4},
                                         {"short", 2},    {"shortint", 2},    {"int16_t", 2},
                                         {"__half", 2},   {"half", 2},        {"__nv_bfloat16", 2},
                                         {"ushort", 2},   {"char", 1},        {"int8_t", 1},
                                         {"uchar", 1},    {"bool", 1},        {"__half2", 4},
                                         {"half2", 4}}};
  const bool is_unsigned = type.rfind("unsigned", 0) == 0;
  std::string base = is_unsigned ? type.substr(8) : type;
  if (base.rfind("std::", 0) == 0) base = base.substr(5);
  if (base.rfind("uint", 0) == 0 && base.find("_t") != std::string::npos) base = base.substr(1);
  if (base.empty() && !is_unsigned) return std::nullopt;
  const auto find = [&](std::string_view name) -> std::optional<std::uint32_t> {
    const auto* const found = std::find_if(known.begin(), known.end(),
                                           [&](const Known& one) { return one.name == name; });
    return found == known.end() ? std::nullopt : std::optional(found->bytes);
  };
  if (const auto bytes = find(base)) return bytes;
  // float4, uint2, …
  const char last = base.empty() ? '\0' : base.back();
  if (last >= '1' && last <= '4') {
    const auto one = find(base.substr(0, base.size() - 1));
    const auto count = static_cast<std::uint32_t>(last - '0');
    // CUDA's vectors of three have the size of three elements.
    if (one) return *one * count;
  }
  return std::nullopt;
}

NamedParameter of_type(const std::string& type) {
  NamedParameter made;
  const std::size_t star = type.find_last_of("*[");
  made.is_pointer = star != std::string::npos;
  if (made.is_pointer) made.element_bytes = bytes_of_type(type.substr(0, star));
  const auto has = [&](std::string_view word) { return type.find(word) != std::string::npos; };
  made.is_signed = !(has("unsigned") || has("uint") || has("size_t") || has("uchar") ||
                     has("ushort") || has("bool"));
  made.has_float_elements =
      made.is_pointer && (has("float") || has("double") || has("half") || has("bfloat"));
  // An enumeration, or a name that stands for another type.
  made.has_known_sign = made.is_pointer || bytes_of_type(type).has_value();
  return made;
}

/// The place behind the template arguments that begin at text[open].
std::size_t behind_angles(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size() && text[at] != ';' && text[at] != '{'; ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) return at + 1;
  }
  return open;
}

/// The declarations of the parameters of the kernels of this name with so many parameters. There
/// are several in overloads, specializations, namespaces, and what the preprocessor leaves out.
std::vector<std::vector<std::string>> declared(const std::string& text, const std::string& plain,
                                               std::size_t count) {
  std::vector<std::vector<std::string>> all;
  for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos; at += plain.size()) {
    if (at > 0 && is_letter(text[at - 1])) continue;
    std::size_t open = at + plain.size();
    if (open < text.size() && text[open] == '<') open = behind_angles(text, open);
    while (open < text.size() && std::isspace(static_cast<unsigned char>(text[open])) != 0) ++open;
    if (open >= text.size() || text[open] != '(') continue;
    // The declaration has __global__ between the end of what is before and the name.
    const std::size_t before = text.find_last_of(";}", at);
    const std::size_t mark = text.rfind("__global__", at);
    if (mark == std::string::npos || (before != std::string::npos && mark < before)) continue;
    std::vector<std::string> parameters = parts_of(text, open);
    if (parameters.size() == count) all.push_back(std::move(parameters));
  }
  return all;
}

const std::vector<cuda::ParameterValue> no_values;

std::string name_in(std::string declaration) {
  declaration = declaration.substr(0, declaration.find('='));
  declaration = trimmed(declaration.substr(0, declaration.find('[')));
  std::size_t begin = declaration.size();
  while (begin > 0 && is_letter(declaration[begin - 1])) --begin;
  return declaration.substr(begin);
}

/// A type from a text, and the name behind it.
std::pair<std::string, std::string> type_and_name(const std::string& declaration) {
  const std::string name = name_in(declaration);
  const std::size_t at = declaration.rfind(name);
  const bool is_array = declaration.find('[', at) != std::string::npos;
  return {declaration.substr(0, at) + (is_array ? "[" : ""), name};
}

/// The declaration of the kernel, if all that may be it say the same; `differ` if they do not.
std::vector<std::string> only_declaration(const std::string& mangled, std::size_t count,
                                          std::string_view source, bool& differ) {
  const std::vector<std::vector<std::string>> all =
      declared(without_comments(source), ptx::plain_name(mangled), count);
  if (all.empty()) return {};
  const auto normal = [](const std::vector<std::string>& parameters) {
    std::vector<std::pair<std::string, std::string>> made;
    made.reserve(parameters.size());
    for (const std::string& one : parameters) made.push_back(type_and_name(one));
    return made;
  };
  differ = std::any_of(all.begin(), all.end(),
                       [&](const auto& one) { return normal(one) != normal(all.front()); });
  return differ ? std::vector<std::string>{} : all.front();
}

}  // namespace

bool has_several_declarations(const std::string& mangled, std::size_t count,
                              std::string_view source) {
  bool differ = false;
  only_declaration(mangled, count, source, differ);
  return differ;
}

std::vector<NamedParameter> signature_of(const std::string& mangled, std::size_t count,
                                         std::string_view source,
                                         const std::vector<cuda::ParameterType>& types) {
  std::vector<NamedParameter> all(count);
  const std::string full = ptx::demangled(mangled);
  bool differ = false;
  const std::vector<std::string> in_source = only_declaration(mangled, count, source, differ);
  if (const std::size_t end = full.rfind(')'); full != mangled && end != std::string::npos) {
    // The parentheses at the end.
    std::size_t open = end;
    for (int depth = 0;; --open) {
      if (full[open] == ')') ++depth;
      if (full[open] == '(' && --depth == 0) break;
      if (open == 0) break;
    }
    const std::vector<std::string> texts = parts_of(full, open);
    for (std::size_t k = 0; k < std::min(count, texts.size()); ++k) all[k] = of_type(texts[k]);
  } else if (in_source.size() == count) {
    for (std::size_t k = 0; k < count; ++k) all[k] = of_type(type_and_name(in_source[k]).first);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (types.size() == count) {
      all[k].name = types[k].name;
    } else if (in_source.size() == count) {
      all[k].name = name_in(in_source[k]);
    }
    if (all[k].name.empty()) all[k].name = "arg" + std::to_string(k);
  }
  return all;
}

std::vector<NamedValue> values_of(const ptx::Function& kernel,
                                  const std::vector<NamedParameter>& parameters,
                                  const std::vector<cuda::ParameterType>& types) {
  std::vector<NamedValue> all;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const NamedParameter& one = parameters[k];
    const ptx::Variable& variable = kernel.parameters.at(k);
    const std::uint64_t bytes = ptx::bytes_of(variable.type);
    const std::string numbered = "arg" + std::to_string(k);
    const bool is_known = types.size() == parameters.size() && !types[k].values.empty();
    if (variable.dimensions.empty() && (!is_known || types[k].bytes != bytes)) {
      all.push_back({.name = one.name,
                     .numbered = numbered,
                     .index = k,
                     .bytes = bytes <= 8 ? static_cast<std::uint32_t>(bytes) : 0,
                     .is_pointer = one.is_pointer,
                     .is_signed = one.is_signed,
                     .has_known_sign = one.has_known_sign,
                     .is_float = variable.type.starts_with('f'),
                     .element_bytes = one.element_bytes,
                     .has_float_elements = one.has_float_elements});
      continue;
    }
    const bool is_single = variable.dimensions.empty();
    const bool fits =
        is_single || (is_known && types[k].bytes == bytes * variable.dimensions.front());
    if (!fits) all.push_back({.name = one.name, .numbered = numbered, .index = k});
    for (const cuda::ParameterValue& value : fits ? types[k].values : no_values) {
      const std::string path = value.name.substr(types[k].name.size());
      all.push_back({.name = one.name + path,
                     .numbered = numbered + path,
                     .index = k,
                     .offset = value.offset,
                     .bytes = value.bytes <= 8 ? value.bytes : 0,
                     .is_member = !is_single,
                     .is_pointer = value.is_pointer,
                     .is_signed = value.is_signed,
                     .has_known_sign = value.has_known_sign,
                     .is_float = value.is_float,
                     .element_bytes = value.element_bytes,
                     .has_float_elements = value.has_float_elements});
    }
  }
  return all;
}

BufferSize buffer_size(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {.element_bytes = std::nullopt, .count = text};
  const std::string type = text.substr(0, colon);
  const std::string count = text.substr(colon + 1);
  for (const cuda::ElementType& known : cuda::element_types()) {
    if (known.name != type) continue;
    return {.element_bytes = known.bytes,
            .count = count,
            .has_type = true,
            .has_signed_elements = known.kind == cuda::NumberKind::signed_integer,
            .has_float_elements = known.kind == cuda::NumberKind::floating};
  }
  const bool is_number =
      !type.empty() && type.size() < 6 && std::all_of(type.begin(), type.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
      });
  if (!is_number) return {.element_bytes = std::nullopt, .count = text};
  return {.element_bytes = static_cast<std::uint32_t>(std::stoul(type)), .count = count};
}

}  // namespace bankproof::symbolic
