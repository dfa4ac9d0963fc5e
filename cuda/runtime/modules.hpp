// The device code that a program embeds: PTX text (clang, through bankproof nvcc) or a fat binary
// (nvcc). A module is read and parsed when its first kernel or variable is used, since programs
// embed much that they never launch.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../fatbin/wrapper.hpp"
#include "../session/session.hpp"

namespace bankproof::cuda {

/// The program has machine code alone, or PTX for later chips alone.
struct NoPtxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class EmbeddedModule {
 public:
  /// The wrapper is what the compiler registers; it lives as long as the program.
  explicit EmbeddedModule(const FatBinaryWrapper& wrapper) : wrapper_(&wrapper) {}
  /// A module that has been read.
  explicit EmbeddedModule(SharedKernelFile file) : wrapper_(nullptr), file_(std::move(file)) {}

  /// Reads the module if nobody has read it before. Throws NoPtxError, FatBinaryError and
  /// ptx::Error.
  const SharedKernelFile& file();
  /// The file if somebody has read it, else null.
  const SharedKernelFile& file_if_read() const { return file_; }
  void set_file(SharedKernelFile file) { file_ = std::move(file); }

 private:
  const FatBinaryWrapper* wrapper_;
  SharedKernelFile file_;
};

/// Reads an image that a program loads: PTX text that ends with a zero byte, a fat binary, or the
/// wrapper of one. Throws NoPtxError, FatBinaryError and ptx::Error; `name` is the text's name in
/// them.
SharedKernelFile read_image(const void* image, const std::string& name);

/// Adds the device runtime if one of the modules calls it, and links what there is.
ptx::Module linked(std::vector<ptx::Module> modules);

struct EmbeddedName {
  EmbeddedModule* module = nullptr;
  std::string name;            // the name in the PTX
  const void* stub = nullptr;  // the host's function, if it is a kernel of the program's own
};

}  // namespace bankproof::cuda
