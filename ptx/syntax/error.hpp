// The errors of a PTX text, and their places.
//
// The front end skips nothing. If it does not know a construct, it throws an error whose text
// begins with `unsupported: `; every other error says that the text is no PTX.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bankproof::ptx {

/// A line and a column of the PTX text; both count from 1, and columns count bytes.
///
/// All places compare as equal, so that == of modules compares only their contents.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const Place& /*a*/, const Place& /*b*/) { return true; }
};

/// Its text is one printable line: `expected ';', found '}', tile.ptx:12:5`.
class Error : public std::runtime_error {
 public:
  Error(const std::string& what, std::string_view file, Place place)
      : std::runtime_error(what + ", " + std::string(file) + ":" + std::to_string(place.line) +
                           ":" + std::to_string(place.column)),
        place_(place) {}

  Place place() const { return place_; }

 private:
  Place place_;
};

}  // namespace bankproof::ptx
