// See launch_spelling.hpp.
#include "launch_spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace bankproof::cuda {
namespace {

namespace fs = std::filesystem;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Goes through a text once, and joins brackets on the way.
class Joiner {
 public:
  explicit Joiner(std::string_view text) : text_(text) {}

  std::optional<std::string> join() {
    while (at_ < text_.size()) step();
    return changed_ ? std::optional(text_) : std::nullopt;
  }

 private:
  bool is_here(std::string_view what) const {
    return std::string_view(text_).substr(at_).starts_with(what);
  }

  void step() {
    const char c = text_[at_];
    if (is_here("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (is_here("/*")) {
      skip_behind("*/", 2);
    } else if (is_of_word(c)) {
      word();
    } else if (c == '"' || c == '\'') {
      literal(c);
    } else if (is_here("<<")) {
      left();
    } else if (is_here(">>") && launch_depth_ == depth_) {
      right();
    } else {
      if (c == '(') ++depth_;
      if (c == ')') --depth_;
      if (c == ';') launch_depth_ = none;
      if (!is_blank(c)) word_.clear();
      ++at_;
    }
  }

  void skip_behind(const std::string& end, std::size_t from) {
    const std::size_t found = text_.find(end, at_ + from);
    at_ = found == std::string::npos ? text_.size() : found + end.size();
  }

  /// A quote inside a word separates the digits of a number, or begins a literal such as u8"".
  void word() {
    const std::size_t begin = at_;
    const bool is_number = text_[at_] >= '0' && text_[at_] <= '9';
    while (at_ < text_.size() && (is_of_word(text_[at_]) || (is_number && text_[at_] == '\''))) {
      ++at_;
    }
    word_ = text_.substr(begin, at_ - begin);
    const bool is_raw =
        word_ == "R" || word_ == "u8R" || word_ == "LR" || word_ == "uR" || word_ == "UR";
    if (is_raw && is_here("\"")) {
      const std::size_t open = std::min(text_.find('(', at_), text_.size());
      skip_behind(")" + text_.substr(at_ + 1, open - at_ - 1) + "\"", open - at_);
    }
  }

  void literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
    word_.clear();
  }

  /// The last of the three brackets stands behind blanks in the same line, if at all.
  bool joins(char bracket) {
    const std::size_t last = text_.find_first_not_of(" \t", at_ + 2);
    if (last == std::string::npos || last == at_ + 2 || text_[last] != bracket) return false;
    const char next = last + 1 < text_.size() ? text_[last + 1] : ' ';
    if (next == bracket || next == '=') return false;
    std::swap(text_[at_ + 2], text_[last]);
    changed_ = true;
    return true;
  }

  void left() {
    const bool is_name_of_function = word_ == "operator";
    word_.clear();
    if (is_here("<<<") || (!is_name_of_function && joins('<'))) {
      launch_depth_ = depth_;
      at_ += 3;
      return;
    }
    at_ += 2;
  }

  void right() {
    if (is_here(">>>") || joins('>')) {
      launch_depth_ = none;
      at_ += 3;
      return;
    }
    at_ += 2;
  }

  static constexpr long none = -1;
  std::string text_;
  std::size_t at_ = 0;
  std::string word_;          // the word before this place, if only blanks are between
  long depth_ = 0;            // of parentheses
  long launch_depth_ = none;  // where a launch has begun
  bool changed_ = false;
};

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Skips blanks and the word, and returns the rest of the text; nullopt if another word is there.
std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// The name in a line `#include "name"`; empty in other lines.
std::string_view included_name(std::string_view line) {
  const std::optional<std::string_view> directive = behind(line, "#");
  if (!directive) return {};
  const std::optional<std::string_view> rest = behind(*directive, "include");
  if (!rest || rest->empty() || (rest->front() != '"' && rest->front() != '<')) return {};
  const std::size_t end = rest->find(rest->front() == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? std::string_view{} : rest->substr(1, end - 1);
}

/// The files that the text includes from these folders.
std::vector<fs::path> included(std::string_view text, const std::vector<fs::path>& folders) {
  std::vector<fs::path> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view name = included_name(text.substr(0, end));
    text.remove_prefix(end + 1);
    for (const fs::path& folder : folders) {
      std::error_code ignored;
      const fs::path path = folder / name;
      if (name.empty() || !fs::is_regular_file(path, ignored)) continue;
      found.push_back(fs::absolute(path, ignored).lexically_normal());
      break;
    }
  }
  return found;
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return result + "\"";
}

}  // namespace

std::optional<std::string> joined_launches(std::string_view text) { return Joiner(text).join(); }

std::vector<std::string> folders_of(const std::vector<std::string>& flags) {
  std::vector<std::string> folders;
  for (const std::string& flag : flags) {
    if (flag.starts_with("-I") && flag.size() > 2) folders.push_back(flag.substr(2));
  }
  return folders;
}

std::vector<std::string> flags_for_joined_launches(const std::string& file,
                                                   const std::vector<std::string>& folders,
                                                   const std::string& scratch) {
  std::error_code ignored;
  std::vector<fs::path> files = {fs::absolute(file, ignored).lexically_normal()};
  std::set<fs::path> seen = {files.front()};
  std::string entries;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const fs::path path = files[k];
    const std::string text = contents(path);
    std::vector<fs::path> places = {path.parent_path()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const fs::path& more : included(text, places)) {
      if (seen.insert(more).second) files.push_back(more);
    }
    const std::optional<std::string> joined = joined_launches(text);
    if (!joined) continue;
    const std::string copy = fmt::format("{}/joined-{}", scratch, k);
    std::ofstream(copy, std::ios::binary) << *joined;
    entries += fmt::format(R"({}{{"type": "file", "name": {}, "external-contents": {}}})",
                           entries.empty() ? "" : ",\n", in_quotes(path.string()), in_quotes(copy));
  }
  if (entries.empty()) return {};
  const std::string list = scratch + "/joined-launches.yaml";
  std::ofstream(list, std::ios::binary)
      << "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n"
      << entries << "]}\n";
  return {"-ivfsoverlay", list};
}

}  // namespace bankproof::cuda
