// Compiles; see loading.hpp.
#include "loading.hpp"

#include <algorithm>
#include <vector>

#include "../support/errors.hpp"
#include "../support/shown.hpp"

namespace bankproof::cli {

cuda::KernelFile load_kernel_file(const std::string& path, const TypedCompiler& compiler) {
  return load_kernel_text(path, compiler, false).file;
}

cuda::KernelText load_kernel_text(const std::string& path, const TypedCompiler& compiler,
                                  bool debug) {
  try {
    cuda::KernelText text = cuda::load_kernel_text(
        path,
        {.compiler = compiler.name, .flags = compiler.words(), .headers = {}, .debug = debug});
    const std::vector<ptx::Function>& functions = text.file.module.functions;
    if (std::none_of(functions.begin(), functions.end(), [](const ptx::Function& function) {
          return function.entry && function.defined;
        })) {
      throw InputError(shown(path) +
                       " contains no kernel; it needs a __global__ function, and a template must "
                       "be instantiated");
    }
    return text;
  } catch (const ptx::Error& error) {
    throw InputError(error.what());
  } catch (const cuda::CompileError& error) {
    throw InputError(error.what(), shown_lines(error.messages()));
  }
}

}  // namespace bankproof::cli
