// Conditions on what arrays hold, for all of their elements:
//
//   offsets[i] <= offsets[i + 1]
//   i == j || p[i] != p[j]          no two elements are the same
//
// A name in brackets that is no parameter is a variable: the condition holds for each value for
// which there are the elements that it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../proofs/formulas/expression.hpp"
#include "names.hpp"

namespace bankproof::symbolic {

struct ElementCondition {
  /// An element that the condition names.
  struct Use {
    NamedValue pointer;
    formulas::Expression subscript;
    std::size_t slot = 0;  // of the element's name in expressions
    /// The subscript is a variable, by its place in `variables`, plus a number.
    struct Plain {
      std::size_t variable = 0;
      std::int64_t plus = 0;
    };
    std::optional<Plain> plain{};
  };
  std::string text;
  Names names;
  std::vector<std::size_t> variables{};  // slots
  std::vector<Use> uses{};               // those in the subscripts of others come before them
  formulas::Expression condition;
};

/// Nothing if the text has no subscript of a pointer. Throws formulas::ParseError.
std::optional<ElementCondition> element_condition(const std::string& text,
                                                  const std::vector<NamedValue>& values);

}  // namespace bankproof::symbolic
