// Says which mutation is active, and records which places a test reaches. Only ci/mutants includes
// this file, into the copies of sources that it changes.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace planted {

/// The number of the active mutation, from 1; 0 if no mutation is active.
inline const unsigned long active = [] {
  const char* number = std::getenv("BANKPROOF_MUTANT");
  return number == nullptr ? 0UL : std::strtoul(number, nullptr, 10);
}();

/// One byte per mutation, in the file that the environment names: 1 if the mutation's place was
/// run. Processes that a test starts share the file, and the file survives if a process aborts.
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

/// Whether this mutation is active. No mutation is active during constant evaluation or on a
/// device.
constexpr bool mutant([[maybe_unused]] unsigned long number) {
#ifdef __CUDA_ARCH__
  return false;
#else
  return __builtin_is_constant_evaluated() ? false : at(number);
#endif
}

}  // namespace planted
