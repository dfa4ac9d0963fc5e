// The functions of NVRTC that do nothing here, and those that fail; see functions.def. Their
// arguments do not matter, so this file declares them without any, and includes no header of
// NVRTC's.
#include <fmt/format.h>

#include <cstdio>

namespace {

int refuse(const char* function, const char* why) {
  constexpr int builtin_operation_failure = 7;
  fmt::print(stderr, "bankproof: {} fails here: {}\n", function, why);
  return builtin_operation_failure;
}

}  // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): NVRTC's names.
#define implemented(name)
#define accepted(name, why) \
  int name() { return 0; }
#define refused(name, why) \
  int name() { return refuse(#name, why); }
#include "functions.def"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
