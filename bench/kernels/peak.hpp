// The peak memory of the process.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>

namespace bench {

/// Measures from its construction on; works only on Linux.
class Peak {
 public:
  Peak() {
    malloc_trim(0);
    before_ = status("VmRSS:");
    std::ofstream("/proc/self/clear_refs") << "5";  // proc(5): resets VmHWM
  }
  /// The peak since the construction, less the memory at the construction.
  std::size_t bytes() const { return status("VmHWM:") - before_; }

 private:
  static std::size_t status(const std::string& field) {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;) {
      std::size_t kilobytes = 0;
      if (word == field && file >> kilobytes) return kilobytes * 1024;
    }
    throw std::runtime_error("/proc/self/status has no " + field);
  }
  std::size_t before_ = 0;
};

}  // namespace bench
