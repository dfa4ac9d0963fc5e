// Options whose values are numbers.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "../../text/typed.hpp"
#include "errors.hpp"

namespace bankproof::cli {

/// The value of an option, at least 1; empty if the option is not given. Throws UsageError.
inline std::optional<std::uint64_t> positive_number(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const DecimalNumber number = parse_decimal(text);
  if (number.out_of_range) {
    throw UsageError(fmt::format("{} {}: does not fit 64 bits", option, in_quotes(text)));
  }
  if (!number.value || *number.value == 0) {
    throw UsageError(
        fmt::format("{} {}: expected a number of at least 1", option, in_quotes(text)));
  }
  return number.value;
}

}  // namespace bankproof::cli
