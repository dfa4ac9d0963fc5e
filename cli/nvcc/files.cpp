// See files.hpp.
#include "files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "../support/errors.hpp"
#include "../support/shown.hpp"

namespace bankproof::cli::nvcc {
namespace {

/// The prerequisites of a make rule that a compiler has written.
std::string prerequisites(const std::string& rule) {
  const std::size_t colon = rule.find(": ");
  const std::size_t end = rule.find_last_not_of(" \n");
  return colon == std::string::npos ? "" : rule.substr(colon + 1, end - colon);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string in_cxx(const std::string& assembly) {
  return "asm(R\"assembly(.pushsection .text\n" + assembly + "\n.popsection)assembly\");\n";
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw InputError(shown(path) + " cannot be written");
}

void merge_rules(const std::string& file, const std::string& other) {
  std::string text = read_file(file);
  std::size_t end = text.find('\n');
  while (end != std::string::npos && end > 0 && text[end - 1] == '\\')
    end = text.find('\n', end + 1);
  text.insert(std::min(end, text.size()), " \\\n" + prerequisites(read_file(other)));
  write_file(file, text);
}

}  // namespace bankproof::cli::nvcc
