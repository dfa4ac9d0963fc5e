// The functions that the parts of the printer share.
#pragma once

#include <cstdint>
#include <string>

#include "syntax.hpp"

namespace bankproof::ptx {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// text(element) of all elements of a range, with commas between them.
template <class Range, class Text>
std::string joined(const Range& range, Text text) {
  std::string result;
  for (const auto& element : range) {
    if (!result.empty()) result += ", ";
    result += text(element);
  }
  return result;
}

/// A number as an operand or initial value.
std::string text_of_number(const Immediate& immediate);
/// +4, +-4, or nothing for 0.
std::string text_of_offset(std::int64_t offset);

}  // namespace bankproof::ptx
