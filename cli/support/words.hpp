// Words of messages: numbers of things, lists of names, and the name that the user probably meant.
//
// Example: there_are("DMM", {"dmm", "umm"}) is "; did you mean 'dmm'? There are dmm and umm".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../../text/typed.hpp"

namespace bankproof::cli {

/// A number of things, with a plural in s: "1 stage", "2 stages".
inline std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

/// A list in words: "a, b and c", or with another last link than " and ".
inline std::string joined(std::span<const std::string_view> words,
                          std::string_view last_link = " and ") {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 == words.size() ? last_link : ", ";
    text += words[k];
  }
  return text;
}

/// The end of a message about a word that is not a known name.
inline std::string there_are(std::string_view word, std::span<const std::string_view> known) {
  const auto meant = nearest(word, known);
  return (meant ? "; did you mean " + in_quotes(*meant) + "? There " : "; there ") +
         (known.size() == 1 ? "is " : "are ") + joined(known);
}

}  // namespace bankproof::cli
