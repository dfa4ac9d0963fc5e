// The host's modes of floating-point arithmetic are not those of a kernel.
#pragma once

#include <cfenv>

namespace bankproof::ptx {

/// While it exists, the thread rounds to nearest, keeps subnormal numbers and traps at no
/// exception. Programs change these modes for their own code: by <cfenv>, or as `-ffast-math` does.
class DefaultFloats {
 public:
  DefaultFloats() {
    std::fegetenv(&kept_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloats() { std::fesetenv(&kept_); }
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  std::fenv_t kept_{};
};

}  // namespace bankproof::ptx
