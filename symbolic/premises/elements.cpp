// Reads conditions on elements; see elements.hpp.
#include "elements.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <type_traits>

#include "../../proofs/formulas/parser.hpp"

namespace bankproof::symbolic {

namespace {

using formulas::BinaryOperator;
using formulas::Expression;
using formulas::ParseError;
using Use = ElementCondition::Use;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The node of this kind; nothing if the expression is another one.
template <class Kind>
std::optional<Kind> as(const Expression& e) {
  return e.visit([](const auto& node) -> std::optional<Kind> {
    if constexpr (std::is_same_v<std::decay_t<decltype(node)>, Kind>) return node;
    return std::nullopt;
  });
}

class Reader {
 public:
  Reader(const std::string& text, const std::vector<NamedValue>& values)
      : whole_(text), values_(values), names_(values) {}

  std::optional<ElementCondition> condition() {
    std::string text = whole_;
    name_elements(text, 0);
    if (uses_.empty()) return std::nullopt;
    Expression condition = parsed(text, 0);
    for (std::size_t v = 0; v < variables_.size(); ++v) require_plain_use(v);
    return ElementCondition{whole_, std::move(names_), std::move(variables_), std::move(uses_),
                            std::move(condition)};
  }

 private:
  /// Puts names of elements in their places, as long as they are: p[i] + 1 is __0_ + 1. `at` is
  /// where the text is in the whole one.
  void name_elements(std::string& text, std::size_t at) {
    for (std::size_t open = text.find('['); open != std::string::npos;
         open = text.find('[', open + 1)) {
      const std::size_t begin = begin_of_path(text, open);
      const NamedValue* const pointer = pointer_named(text.substr(begin, open - begin));
      if (pointer == nullptr) continue;
      const std::size_t close = end_of_brackets(text, open, at);
      std::string inner = text.substr(open + 1, close - open - 1);
      name_elements(inner, at + open + 1);
      add_variables(inner);
      Use use{.pointer = *pointer, .subscript = parsed(inner, at + open + 1)};
      use.plain = plain(use.subscript);
      std::string name = "__" + std::to_string(uses_.size());
      name.resize(std::max(name.size(), close + 1 - begin), '_');
      names_.put(name, {}, text.substr(begin, close + 1 - begin));
      use.slot = names_.slot(name);
      uses_.push_back(std::move(use));
      text.replace(begin, close + 1 - begin, name);
      open = begin;
    }
  }

  /// Where a path such as `plans.rows[1].s` begins, in front of a bracket.
  static std::size_t begin_of_path(const std::string& text, std::size_t open) {
    std::size_t begin = open;
    while (begin > 0) {
      const char c = text[begin - 1];
      const bool is_number_in_brackets = c == ']' || (c == '[' && is_digit(text[begin]));
      if (!is_of_word(c) && c != '.' && !is_number_in_brackets) break;
      --begin;
    }
    return begin;
  }

  const NamedValue* pointer_named(const std::string& path) const {
    const auto found = std::find_if(values_.begin(), values_.end(), [&](const NamedValue& one) {
      return one.bytes == 8 && (one.is_pointer || !one.is_member) && !one.is_float &&
             (one.name == path || one.numbered == path);
    });
    return found == values_.end() ? nullptr : &*found;
  }

  std::size_t end_of_brackets(const std::string& text, std::size_t open, std::size_t at) const {
    int depth = 0;
    for (std::size_t end = open; end < text.size(); ++end) {
      if (text[end] == '[') ++depth;
      if (text[end] == ']' && --depth == 0) return end;
    }
    throw ParseError(whole_, at + text.size(), "expected ']'");
  }

  /// Names that are no parameters.
  void add_variables(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_of_word(text[end])) ++end;
      const std::string word = text.substr(at, end - at);
      const bool has_member = end < text.size() && text[end] == '.';
      const bool is_member = at > 0 && text[at - 1] == '.';
      if (!word.empty() && !is_digit(word[0]) && !has_member && !is_member && !names_.has(word)) {
        names_.put(word, {});
        variables_.push_back(names_.slot(word));
      }
      at = std::max(end, at + 1);
    }
  }

  Expression parsed(const std::string& text, std::size_t at) const {
    try {
      return names_.parsed(text);
    } catch (const ParseError& error) {
      throw ParseError(whole_, at + error.at(), error.what());
    }
  }

  std::optional<std::size_t> variable(const Expression& e) const {
    const auto name = as<formulas::Name>(e);
    if (!name) return std::nullopt;
    const auto found = std::find(variables_.begin(), variables_.end(), name->slot);
    if (found == variables_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - variables_.begin());
  }

  /// i, i + 1, 1 + i, i - 1.
  std::optional<Use::Plain> plain(const Expression& e) const {
    if (const auto alone = variable(e)) return Use::Plain{*alone, 0};
    const auto sum = as<formulas::Binary>(e);
    if (!sum) return std::nullopt;
    const bool is_sum = sum->operation == BinaryOperator::add;
    if (!is_sum && sum->operation != BinaryOperator::subtract) return std::nullopt;
    const auto left = as<formulas::Number>(sum->left);
    const auto right = as<formulas::Number>(sum->right);
    if (const auto known = variable(sum->left); known && right) {
      return Use::Plain{*known, is_sum ? right->value : -std::int64_t{right->value}};
    }
    if (const auto known = variable(sum->right); known && left && is_sum) {
      return Use::Plain{*known, left->value};
    }
    return std::nullopt;
  }

  /// Loaded elements say what a variable is only if it stands alone somewhere.
  void require_plain_use(std::size_t variable) const {
    const auto is_plain = [&](const Use& use) {
      return use.plain && use.plain->variable == variable;
    };
    if (std::any_of(uses_.begin(), uses_.end(), is_plain)) return;
    const std::string& name = names_.meaning(variables_[variable]).name;
    throw ParseError(whole_, whole_.find(name),
                     "the variable " + name + " has to be the subscript of some array, as in p[" +
                         name + "] or p[" + name + " + 1]");
  }

  const std::string& whole_;
  const std::vector<NamedValue>& values_;
  Names names_;
  std::vector<std::size_t> variables_;
  std::vector<Use> uses_;
};

}  // namespace

std::optional<ElementCondition> element_condition(const std::string& text,
                                                  const std::vector<NamedValue>& values) {
  return Reader(text, values).condition();
}

}  // namespace bankproof::symbolic
