// The names in formulas about a kernel, and what they mean.
#pragma once

#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "../../proofs/formulas/expression.hpp"
#include "../terms/pool.hpp"
#include "signature.hpp"

namespace bankproof::symbolic {

/// Whether names have this character.
inline bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// What formulas are about: a launch, or also a thread of it.
enum class About : std::uint8_t { launches, threads };

class Names {
 public:
  /// A special register, a value that the launch passes, or a term.
  struct Meaning {
    std::string name{};     // as a user types it
    std::string special{};  // %ntid.x
    std::optional<NamedValue> value{};
    Term term{};
  };

  explicit Names(const std::vector<NamedValue>& values, About about = About::launches);

  bool has(const std::string& name) const;
  /// From now on, the name means this term. `typed` is what a user types for it, if that is not the
  /// name.
  void put(const std::string& name, Term term, const std::string& typed = "");
  /// The place of the name among the meanings; std::out_of_range if there is none.
  std::size_t slot(const std::string& name) const;
  const Meaning& meaning(std::size_t slot) const { return meanings_.at(slot); }

  /// Throws formulas::ParseError: the text is no formula, or has another name.
  formulas::Expression parsed(const std::string& text) const;

 private:
  void add(const std::string& name, const Meaning& meaning);
  std::string as_typed(const std::string& message, const std::string& text) const;

  std::vector<std::string> written_;
  std::vector<Meaning> meanings_;
};

}  // namespace bankproof::symbolic
