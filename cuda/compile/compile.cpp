// See compile.hpp.
#include "compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <system_error>

#include "../../processes/process.hpp"
#include "launch_spelling.hpp"

namespace bankproof::cuda {
namespace {

namespace fs = std::filesystem;

/// A temporary folder, removed with its contents by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "bankproof-XXXXXX").string();
    if (error) {
      throw CompileError(
          "there is no folder for temporary files: set TMPDIR to one that can be written");
    }
    if (mkdtemp(path_.data()) == nullptr) {
      throw CompileError(fmt::format("cannot make a folder {}: {}", path_,
                                     std::generic_category().message(errno)));
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Whether a flag begins with one of these texts. The caller adds an option only if no flag sets
/// it, since nvcc accepts some options only once.
bool has_flag(const std::vector<std::string>& flags,
              std::initializer_list<std::string_view> beginnings) {
  return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return flag.starts_with(beginning); });
  });
}

std::string read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The word, quoted for a shell.
std::string quoted(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// A hint for the user, derived from the compiler's messages; may be empty.
std::string advice(const Compiler& compiler, const std::string& messages) {
  const auto says = [&](const char* part) { return messages.find(part) != std::string::npos; };
  if (compiler.kind == CompilerKind::clang && says("reference to __global__ function")) {
    return "; clang does not compile kernels that launch kernels: build the program with nvcc and "
           "-rdc=true, and run it by bankproof exec";
  }
  if (compiler.kind == CompilerKind::nvcc && says("requires separate compilation mode")) {
    return "; for kernels that launch kernels, add the compiler's option -rdc=true";
  }
  if (compiler.kind == CompilerKind::clang && says("file not found") &&
      (says("'thrust/") || says("'cub/") || says("'cuda/"))) {
    return "; Thrust, CUB and libcu++ come with CUDA's toolkit, or as the packages libthrust-dev, "
           "libcub-dev and libcu++-dev; bankproof nvcc also takes their folder by --cccl";
  }
  if (compiler.kind == CompilerKind::clang &&
      (says("file not found") || says("undeclared identifier") || says("no matching function") ||
       says("reference to __host__ function") || says("unknown type name"))) {
    return "; if CUDA declares what is missing but bankproof's headers for clang do not, install "
           "nvcc, or move that code out of the kernel's file";
  }
  return "";
}

}  // namespace

std::vector<std::string> command_words(const std::string& file, const CompileOptions& options,
                                       const Compiler& compiler) {
  std::vector<std::string> words = {compiler.program};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  if (compiler.kind == CompilerKind::nvcc) {
    add({"-x", "cu", "-ptx", options.debug ? "-G" : "-lineinfo"});
    if (!has_flag(options.flags, {"-arch", "--gpu-arch", "-gencode", "--generate-code"})) {
      add({"-arch=compute_80"});
    }
  } else {
    const std::string headers = options.headers.empty() ? headers_for_clang() : options.headers;
    // The folder of these headers precedes all other folders, so that a user's -I with a toolkit
    // cannot replace any of the headers.
    add({"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-I" + headers, "-include",
         headers + "/cuda_runtime.h"});
    // The version of the toolkit that clang finds decides which PTX clang writes and how it
    // launches kernels; without a toolkit, clang assumes an old CUDA. To get the same output
    // everywhere, --cuda-path names a folder that is no toolkit, and -target-sdk-version fixes the
    // version to the newest that clang 14 knows.
    add({"--cuda-path=" + headers, "-Xclang", "-target-sdk-version=11.5"});
    // Without -sink-common-insts=false, clang would merge equal instructions of two branches into
    // one instruction that belongs to no line.
    add({"-Xclang", "-target-feature", "-Xclang", "+ptx75", "-mllvm", "-sink-common-insts=false",
         "-S"});
    add({options.debug ? "-g" : "-gline-tables-only", "-O2"});
    if (options.debug) add({"--cuda-noopt-device-debug"});
    // A variable that only one lane has set may be handed to a function: lanes without a value hand
    // over any. For clang that is undefined, and it would leave out the test of the lane.
    add({"-Xclang",
         compiler.version < 15 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis"});
    // nvcc also allows variadic functions: CUB declares some, and no device code calls them.
    add({"-Xclang", "-fcuda-allow-variadic-functions"});
    // Old code has "text"NAME, which is an error for clang and none for nvcc.
    add({"-Wno-reserved-user-defined-literal"});
    // nvcc only warns of a number in braces that may not fit.
    add({"-Wno-c++11-narrowing"});
    if (!has_flag(options.flags, {"--cuda-gpu-arch", "--offload-arch"})) {
      add({"--cuda-gpu-arch=sm_80"});
    }
  }
  if (!has_flag(options.flags, {"-std", "--std"})) add({"-std=c++17"});
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  words.push_back(file.starts_with('-') ? "./" + file : file);  // otherwise the word is an option
  return words;
}

std::string quoted_for_shell(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : " ") + quoted(word);
  return result;
}

std::string headers_for_clang() {
  std::vector<fs::path> folders;
  if (const char* const chosen = std::getenv("BANKPROOF_CUDA_HEADERS"); chosen != nullptr) {
    folders.emplace_back(chosen);
  } else {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    // The running program is bin/bankproof or, one folder deeper,
    // libexec/bankproof/bankproof-kernel.
    const fs::path folder = program.parent_path().parent_path();
    folders = {folder / "share/bankproof/cuda", folder.parent_path() / "share/bankproof/cuda",
               BANKPROOF_CUDA_HEADERS};
  }
  for (const fs::path& folder : folders) {
    if (std::error_code ignored; fs::is_regular_file(folder / "cuda_runtime.h", ignored)) {
      return folder.string();
    }
  }
  std::string names;
  for (const fs::path& folder : folders) names += (names.empty() ? "" : " or ") + folder.string();
  throw CompileError(fmt::format(
      "bankproof's CUDA headers for clang are not in {}: install bankproof whole, or set "
      "BANKPROOF_CUDA_HEADERS to their folder",
      names));
}

PtxText compile(const std::string& file, const CompileOptions& options) {
  if (std::error_code ignored; !fs::is_regular_file(file, ignored)) {
    throw CompileError(fmt::format("there is no file {}", file));
  }
  return compile(file, options, choose_compiler(options.compiler));
}

PtxText compile(const std::string& file, const CompileOptions& options, const Compiler& compiler) {
  if (!std::ifstream(file).good() || fs::is_directory(file)) {
    throw CompileError(fmt::format("cannot read {}", file));
  }
  const TemporaryFolder folder;
  const std::string output = folder.file("kernel.ptx");
  std::vector<std::string> words = command_words(file, options, compiler);
  const std::string command = quoted_for_shell(words);
  if (compiler.kind == CompilerKind::clang && !has_flag(options.flags, {"-ivfsoverlay"})) {
    const std::vector<std::string> joined =
        flags_for_joined_launches(file, folders_of(options.flags), folder.file("."));
    words.insert(words.end() - 1, joined.begin(), joined.end());
  }
  words.insert(words.end(), {"-o", output});
  const Ran ran = run_to_end(words);
  if (ran.start_error != 0) {
    throw CompileError(fmt::format("cannot run {}: {}", compiler.program,
                                   std::generic_category().message(ran.start_error)));
  }
  if (!ran.problem.empty()) {
    throw CompileError(
        fmt::format("{} cannot compile {} ({}){}; it was run as: {}", compiler.program, file,
                    ran.problem, advice(compiler, ran.output), command),
        ran.output);
  }
  PtxText result;
  result.text = read(output);
  if (result.text.empty()) {
    throw CompileError(
        fmt::format("{} made no PTX of {}; it was run as: {}", compiler.program, file, command),
        ran.output);
  }
  result.file = file;
  result.command = command;
  result.messages = ran.output;
  return result;
}

}  // namespace bankproof::cuda
