// Reads the sections, and writes them as ELF; see debug_sections.hpp.
#include "debug_sections.hpp"

#include <elf.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace bankproof::cuda {

namespace {

constexpr std::array<std::string_view, 3> names{".debug_info", ".debug_abbrev", ".debug_str"};

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// A section's words: `.b8`, numbers, labels, and the signs between them.
std::vector<std::string_view> words_of(std::string_view body) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < body.size();) {
    const auto is_sign = [&](std::size_t k) {
      return body[k] == ',' || body[k] == ':' || body[k] == '+' || body[k] == '-';
    };
    std::size_t end = at + 1;
    if (!is_blank(body[at]) && !is_sign(at)) {
      while (end < body.size() && !is_blank(body[end]) && !is_sign(end)) ++end;
    }
    if (!is_blank(body[at])) words.push_back(body.substr(at, end - at));
    at = end;
  }
  return words;
}

/// What stands between the braces of a section; nothing if the text has no such section.
std::optional<std::string_view> body_of(std::string_view ptx, std::string_view name) {
  constexpr std::string_view keyword = ".section";
  for (std::size_t at = 0; (at = ptx.find(keyword, at)) != std::string_view::npos;) {
    at += keyword.size();
    while (at < ptx.size() && is_blank(ptx[at])) ++at;
    if (ptx.substr(at, name.size()) != name) continue;
    at += name.size();
    while (at < ptx.size() && is_blank(ptx[at])) ++at;
    if (at >= ptx.size() || ptx[at] != '{') continue;
    const std::size_t end = ptx.find('}', at);
    if (end == std::string_view::npos) return std::nullopt;
    return ptx.substr(at + 1, end - at - 1);
  }
  return std::nullopt;
}

std::uint64_t number_of(std::string_view word) {
  const bool is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  if (is_hexadecimal) word.remove_prefix(2);
  std::uint64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number, is_hexadecimal ? 16 : 10);
  return number;
}

using Labels = std::map<std::string_view, std::uint64_t>;

/// The bytes of a section. Adds the labels in it to `defined`, and finds those of others in
/// `known`.
std::string bytes_of(std::string_view body, const Labels& known, Labels& defined) {
  std::string bytes;
  const std::vector<std::string_view> words = words_of(body);
  std::size_t width = 1;
  std::optional<std::uint64_t> value;
  char sign = '+';
  const auto write = [&] {
    for (std::size_t k = 0; value && k < width; ++k) {
      bytes += static_cast<char>(k < 8 ? *value >> (8 * k) : 0);
    }
    value.reset();
    sign = '+';
  };
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string_view word = words[k];
    if (k + 1 < words.size() && words[k + 1] == ":") {
      write();
      defined[word] = bytes.size();
      ++k;
    } else if (word == ",") {
      write();
    } else if (word == "+" || word == "-") {
      sign = word.front();
    } else if (word == ".b8" || word == ".b16" || word == ".b32" || word == ".b64") {
      write();
      width = number_of(word.substr(2)) / 8;
    } else {
      const bool is_number = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
      const auto label = known.find(word);
      const std::uint64_t one = is_number              ? number_of(word)
                                : label == known.end() ? 0
                                                       : label->second;
      value = sign == '+' ? value.value_or(0) + one : value.value_or(0) - one;
      sign = '+';
    }
  }
  write();
  return bytes;
}

template <typename Record>
void append(std::string& bytes, const Record& record) {
  bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
}

}  // namespace

std::string elf_of_debug_sections(std::string_view ptx) {
  if (!body_of(ptx, names[0])) return {};
  std::array<std::string, names.size()> contents;
  Labels strings;
  // The strings come first: the other sections have their labels.
  for (std::size_t k = names.size(); k-- > 0;) {
    Labels other;
    if (const auto body = body_of(ptx, names[k])) {
      contents[k] = bytes_of(*body, strings, k == 2 ? strings : other);
    }
  }

  // The sections' contents, the names of the sections, and their headers.
  std::string file(sizeof(Elf64_Ehdr), '\0');
  std::string section_names(1, '\0');
  std::vector<Elf64_Shdr> headers(1);
  const auto add = [&](std::string_view name, Elf64_Word type, const std::string& content) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(section_names.size());
    header.sh_type = type;
    header.sh_offset = file.size();
    header.sh_size = content.size();
    header.sh_addralign = 1;
    headers.push_back(header);
    file += content;
    section_names += std::string(name) + '\0';
  };
  for (std::size_t k = 0; k < names.size(); ++k) add(names[k], SHT_PROGBITS, contents[k]);
  section_names += std::string(".shstrtab") + '\0';
  const std::string all_names = section_names;
  headers.push_back({.sh_name = static_cast<Elf64_Word>(all_names.size() - 10),
                     .sh_type = SHT_STRTAB,
                     .sh_flags = 0,
                     .sh_addr = 0,
                     .sh_offset = file.size(),
                     .sh_size = all_names.size(),
                     .sh_link = 0,
                     .sh_info = 0,
                     .sh_addralign = 1,
                     .sh_entsize = 0});
  file += all_names;
  file.resize((file.size() + 7) / 8 * 8);

  Elf64_Ehdr head{};
  constexpr std::array<unsigned char, 7> identity{0x7f,       'E',         'L',       'F',
                                                  ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
  for (std::size_t k = 0; k < identity.size(); ++k) head.e_ident[k] = identity[k];
  head.e_type = ET_REL;
  head.e_machine = EM_CUDA;
  head.e_version = EV_CURRENT;
  head.e_shoff = file.size();
  head.e_ehsize = sizeof(Elf64_Ehdr);
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = static_cast<Elf64_Half>(headers.size());
  head.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  for (const Elf64_Shdr& header : headers) append(file, header);
  std::string head_bytes;
  append(head_bytes, head);
  file.replace(0, head_bytes.size(), head_bytes);
  return file;
}

}  // namespace bankproof::cuda
