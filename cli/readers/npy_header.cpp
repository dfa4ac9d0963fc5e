// A recursive-descent parser for the few forms of Python literals that a header can have.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "../../text/typed.hpp"
#include "../support/errors.hpp"
#include "npy.hpp"

namespace bankproof::cli {
namespace {

class HeaderParser {
 public:
  /// Drops the blanks and the newline that pad every header.
  explicit HeaderParser(std::string_view text)
      : text_(text.substr(0, text.find_last_not_of(" \n") + 1)) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        set(descr_, descr(), key);
      } else if (key == "fortran_order") {
        set(fortran_order_, boolean(), key);
      } else if (key == "shape") {
        set(shape_, shape(), key);
      } else {
        fail("has an unknown key " + in_quotes(key));
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (at_ != text_.size()) fail("goes on after its dictionary");
    if (!descr_) fail("has no 'descr'");
    if (!fortran_order_) fail("has no 'fortran_order'");
    if (!shape_) fail("has no 'shape'");
    return {*std::move(descr_), *fortran_order_, *std::move(shape_)};
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError("its .npy header " + why);
  }

  [[noreturn]] void fail_here(const std::string& expected) const {
    fail("has " + (at_ < text_.size() ? in_quotes(text_.substr(at_), 16) : "its end") +
         " at byte " + std::to_string(at_) + " where " + expected + " belongs");
  }

  template <class T>
  void set(std::optional<T>& member, T value, const std::string& key) const {
    if (member) fail("has two values for " + in_quotes(key));
    member = std::move(value);
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool accept(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail_here(in_quotes({&c, 1}));
  }

  /// A string without escapes: no header needs them.
  std::string string() {
    skip_spaces();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail_here("a string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail_here("a whole string");
    std::string content(text_.substr(at_ + 1, end - at_ - 1));
    if (content.find('\\') != std::string::npos) fail_here("a string without escapes");
    at_ = end + 1;
    return content;
  }

  /// A string, or the list of a structured dtype, whose contents do not matter.
  std::string descr() {
    if (!accept('[')) return string();
    const std::size_t begin = at_ - 1;
    for (int depth = 1; depth > 0;) {
      if (accept('[')) {
        ++depth;
      } else if (accept(']')) {
        --depth;
      } else if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
        string();
      } else if (at_ < text_.size()) {
        ++at_;
      } else {
        fail_here("']'");
      }
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail_here("True or False");
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> sizes;
    bool comma = true;
    expect('(');
    while (!accept(')')) {
      if (!comma) fail_here("',' or ')'");
      sizes.push_back(number());
      comma = accept(',');
      // To Python, (5) is a number in parentheses, not a tuple.
      if (!comma && sizes.size() == 1) fail_here("','");
    }
    return sizes;
  }

  std::uint64_t number() {
    skip_spaces();
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    const DecimalNumber number = parse_decimal(text_.substr(at_, end - at_));
    if (number.out_of_range) fail("has a shape that does not fit 64 bits");
    if (!number.value) fail_here("a size");
    at_ = end;
    return *number.value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

}  // namespace bankproof::cli
