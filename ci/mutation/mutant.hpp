// Which of the planted mistakes is on, and which places a test reaches. ci/mutants includes this
// file into the copies of sources that it changes; nothing else does.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace planted {

/// The number of the mistake that is on, from 1; 0: none.
inline const unsigned long active = [] {
  const char* number = std::getenv("BANKPROOF_MUTANT");
  return number == nullptr ? 0UL : std::strtoul(number, nullptr, 10);
}();

/// A byte for each mistake, in the file that the environment names: 1 where its place was run.
/// Shared with the processes that a test starts, and kept where one of them aborts.
inline unsigned char* const reached = []() -> unsigned char* {
  const char* path = std::getenv("BANKPROOF_MUTANTS_REACHED");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) std::abort();
  void* mapped = mmap(nullptr, static_cast<std::size_t>(lseek(file, 0, SEEK_END)),
                      PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) std::abort();
  close(file);
  return static_cast<unsigned char*>(mapped);
}();

inline bool at(unsigned long number) {
  if (active == number) return true;
  if (reached != nullptr) reached[number] = 1;
  return false;
}

/// Whether this mistake is on: none is while the compiler evaluates, nor on a device.
constexpr bool mutant([[maybe_unused]] unsigned long number) {
#ifdef __CUDA_ARCH__
  return false;
#else
  return __builtin_is_constant_evaluated() ? false : at(number);
#endif
}

}  // namespace planted
