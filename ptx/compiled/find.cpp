// The plug-in lies in lib/bankproof of the folder that the program or library lies in, wherever
// that was installed to; the folders above this code's own file are searched. The plug-in is not
// looked for elsewhere: it is code that runs with all the rights of the program.
#include "find.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace bankproof::ptx::compiled {

namespace {

constexpr int most_folders = 5;  // lib/x86_64-linux-gnu/bankproof/cuda/libcudart.so.13

std::string path_of_plugin() {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&path_of_plugin), &self) == 0) return {};
  std::error_code error;
  std::filesystem::path folder = std::filesystem::canonical(self.dli_fname, error).parent_path();
  if (error) folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (int k = 0; k < most_folders && folder.has_relative_path(); ++k) {
    const std::filesystem::path path = folder / BANKPROOF_PLUGIN_FOLDER / "bankproof-llvm.so";
    if (std::filesystem::exists(path, error)) return path.string();
    folder = folder.parent_path();
  }
  return {};
}

}  // namespace

Found accepted(const Compiler* compiler, const std::string& path) {
  if (compiler == nullptr || compiler->version != interface_version ||
      compiler->op_bytes != sizeof(Op)) {
    return {nullptr, path + " is of another version of bankproof"};
  }
  return {compiler, {}};
}

Found load_compiler(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return {nullptr, why == nullptr ? path + " cannot be loaded" : why};
  }
  const auto get =
      reinterpret_cast<const Compiler* (*)(std::uint32_t)>(dlsym(library, "bankproof_compiler"));
  return accepted(get == nullptr ? nullptr : get(interface_version), path);
}

const Found& find_compiler() {
  static const Found found = [] {
    const std::string path = path_of_plugin();
    if (path.empty()) return Found{nullptr, "bankproof was built without LLVM"};
    return load_compiler(path);
  }();
  return found;
}

}  // namespace bankproof::ptx::compiled
