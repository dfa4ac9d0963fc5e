// See compile.hpp.
//
// A name expression such as `scan<float>` makes the compiler instantiate the template: a function
// of the host that takes the address of scan<float> is added to the end of the source. The name in
// the PTX is then the one whose C++ name is that of the expression.
#include "compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "../../ptx/report/function_names.hpp"
#include "../../ptx/syntax/parser.hpp"
#include "../compile/compile.hpp"
#include "options.hpp"

namespace bankproof::cuda::nvrtc {

namespace {

namespace fs = std::filesystem;

/// A temporary folder for the source and its headers.
class SourceFolder {
 public:
  SourceFolder() {
    std::string pattern = (fs::temp_directory_path() / "bankproof-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error(
          "no temporary folder can be made: set TMPDIR to one that can be "
          "written");
    }
    path_ = pattern;
  }
  SourceFolder(const SourceFolder&) = delete;
  SourceFolder& operator=(const SourceFolder&) = delete;
  ~SourceFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = path_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw std::runtime_error(name + " cannot be written to a temporary folder");
    return path.string();
  }
  std::string path() const { return path_.string(); }

  /// The text, with names of files as the program gave them.
  std::string with_own_names(std::string text) const {
    const std::string prefix = path() + "/";
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
      text.erase(at, prefix.size());
    }
    return text;
  }

 private:
  fs::path path_;
};

/// The headers for clang, which are installed beside this library.
std::string headers_of_library() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&headers_of_library), &info) == 0) return "";
  const fs::path folder = fs::path(info.dli_fname).parent_path() / "include";
  std::error_code ignored;
  return fs::is_regular_file(folder / "cuda_runtime.h", ignored) ? folder.string() : "";
}

std::string text_for(const Source& source, bool is_device_default) {
  std::string text = source.text;
  if (is_device_default) {
    text = "#pragma clang force_cuda_host_device begin\n#line 1\n" + text +
           "\n#pragma clang force_cuda_host_device end\n";
  }
  for (std::size_t k = 0; k < source.expressions.size(); ++k) {
    text += fmt::format(
        "\nnamespace {{ const void* bankproof_name_{}() {{ return (const void*)({}); "
        "}} }}",
        k, source.expressions[k]);
  }
  return text + "\n";
}

/// The name in the PTX of a kernel or a variable; empty if there is none.
std::string lowered(const ptx::Module& module, std::string expression) {
  expression.erase(0, expression.find_first_not_of(" &"));
  try {
    return ptx::find_kernel(module, expression).name;
  } catch (const ptx::KernelNameError&) {
  }
  try {
    return ptx::find_variable(module, expression).name;
  } catch (const ptx::KernelNameError&) {
  }
  return "";
}

Compiler compiler_for(bool is_device_default) {
  const char* const wanted = std::getenv("BANKPROOF_CUDA_COMPILER");
  if (is_device_default) return choose_compiler("clang");
  return choose_compiler(wanted == nullptr ? "" : wanted);
}

/// NVRTC looks for headers in the folder of the source, which a name has even if no such file
/// exists; a relative name begins where the program runs. An option turns this off.
std::vector<std::string> folder_of_name(const std::string& name,
                                        const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "-no-source-include" || word == "--no-source-include") return {};
  }
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return {};
  return {"-I" + (here / fs::path(name).parent_path()).string()};
}

Compiled compile_in(const SourceFolder& folder, const Source& source,
                    const std::vector<std::string>& words) {
  Compiled result;
  const bool is_device_default = translate(words, CompilerKind::clang).is_device_default;
  const Compiler compiler = compiler_for(is_device_default);
  const Translated options = translate(words, compiler.kind);
  if (!options.unknown.empty()) {
    result.is_option_unknown = true;
    result.log = fmt::format("{} is no option of NVRTC, or lacks its value\n", options.unknown);
    return result;
  }
  for (const auto& [name, text] : source.headers) folder.write(name, text);
  CompileOptions how{
      .compiler = {}, .flags = {"-I" + folder.path()}, .headers = headers_of_library()};
  if (std::getenv("BANKPROOF_CUDA_HEADERS") != nullptr) how.headers.clear();
  how.flags.insert(how.flags.end(), options.flags.begin(), options.flags.end());
  for (std::string& flag : folder_of_name(source.name, words)) {
    how.flags.push_back(std::move(flag));
  }
  const PtxText ptx =
      compile(folder.write(source.name, text_for(source, is_device_default)), how, compiler);
  result.ptx = folder.with_own_names(ptx.text);
  result.log = folder.with_own_names(ptx.messages);
  const ptx::Module module = ptx::parse(result.ptx, source.name);
  for (const std::string& expression : source.expressions) {
    if (const std::string name = lowered(module, expression); !name.empty()) {
      result.names[expression] = name;
    }
  }
  return result;
}

}  // namespace

Compiled compile_source(const Source& source, const std::vector<std::string>& options) {
  Compiled failed;
  try {
    const SourceFolder folder;
    try {
      return compile_in(folder, source, options);
    } catch (const CompileError& error) {
      failed.log = folder.with_own_names(error.messages() + error.what() + "\n");
    }
  } catch (const std::exception& error) {
    failed.log = std::string(error.what()) + "\n";
  }
  return failed;
}

bool is_inner_name(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || path.is_absolute() || !path.has_filename()) return false;
  for (const fs::path& part : path) {
    if (part == "..") return false;
  }
  return true;
}

}  // namespace bankproof::cuda::nvrtc
