// The places in the source of an address of the program's code, by its debug information (DWARF,
// through libdw).
//
// A compiler that optimizes puts the code of a function in the place of a call of it. An address
// then has several places: the line in the innermost function, the line of the call of that one,
// and so on, until the function that has code of its own.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "host_place.hpp"

namespace bankproof::cuda {

/// The files of this process, as they are when the object is made.
class DebugLines {
 public:
  DebugLines();

  /// Innermost first. There is at least one place; it has no line without debug information.
  std::vector<HostPlace> places(std::uintptr_t address) const;

 private:
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl_;
};

}  // namespace bankproof::cuda
