// The command line of `nvcc`; nvcc/ makes a plan of it and runs the plan.
#include "nvcc.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "../cuda/compile/compile.hpp"
#include "nvcc/options.hpp"
#include "nvcc/phase.hpp"
#include "nvcc/plan.hpp"
#include "nvcc/tools.hpp"
#include "support/arguments.hpp"
#include "support/errors.hpp"
#include "support/output.hpp"
#include "support/shown.hpp"

namespace bankproof::cli {
namespace {

namespace fs = std::filesystem;

/// A folder for files that live as long as the run.
class Scratch {
 public:
  Scratch() {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "bankproof-nvcc-XXXXXX").string();
    if (error || mkdtemp(path_.data()) == nullptr) {
      throw InputError(
          "there is no folder for temporary files: set TMPDIR to one that can be written");
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The value of a variable, which is then unset, so that nvcc does not read it again.
std::string taken(const char* name) {
  const char* const value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  unsetenv(name);
  return text;
}

/// The variables that nvcc -v shows; CMake reads TOP, PATH, INCLUDES, LIBRARIES and, where a
/// project names none, the architecture.
std::string variables(const nvcc::Tools& tools) {
  const char* const path = std::getenv("PATH");
  return fmt::format(
      "#$ _CUDART_=cudart\n"
      "#$ TOP={0}\n"
      "#$ NVVMIR_LIBRARY_DIR={0}/nvvm/libdevice\n"
      "#$ PATH={1}\n"
      "#$ INCLUDES=-I{2}\n"
      "#$ LIBRARIES={3}\n"
      "#$ ARCHITECTURE=-arch compute_80\n",
      tools.toolkit.string(), path == nullptr ? "" : path, tools.includes,
      cuda::quoted_for_shell(tools.library_flags()));
}

std::string help() {
  std::string text =
      "bankproof nvcc [OPTIONS] FILE...\n\n"
      "Compiles and links CUDA programs as nvcc does, for the reference machine. The options of "
      "nvcc:\n\n";
  for (const nvcc::Option& option : nvcc::all_options()) {
    text += fmt::format("  {:<60} {}", spelt(option), nvcc::meaning(option));
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

/// What --list-gpu-code and --list-gpu-arch print.
std::string listed(const char* prefix) {
  std::string text;
  for (const int number : {50, 52, 60, 61, 70, 75, 80, 86, 89, 90}) {
    text += fmt::format("{}_{}\n", prefix, number);
  }
  return text;
}

/// Checks that take no time, before compilers run.
void require_files(const nvcc::CommandLine& line) {
  for (const std::string& path : line.inputs()) {
    if (std::error_code ignored; !fs::exists(path, ignored)) {
      throw InputError("there is no file " + shown(path));
    }
  }
  const std::string output = line.last("output-file");
  if (!output.empty() && output != "-") require_writable(output);
}

void tell(const nvcc::Plan& plan) {
  std::string text;
  for (const std::string& option : plan.without_meaning) {
    text += (text.empty() ? "without a meaning here: " : ", ") + shown(option);
  }
  for (const std::string& note : plan.notes) text += (text.empty() ? "" : "; ") + shown(note);
  if (!text.empty()) write_all(STDERR_FILENO, "bankproof nvcc: " + text + "\n");
}

}  // namespace

void add_nvcc(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "nvcc");
  command->prefix_command();
  // A name with one dash has one letter for the shells; other brief names are in the text.
  for (const nvcc::Option& option : nvcc::all_options()) {
    if (option.name == "help") continue;
    const std::string brief(option.brief);
    const bool has_letter = brief.size() == 1;
    std::string text(nvcc::meaning(option));
    if (!has_letter && option.brief != option.name) {
      text = "-" + brief + (text.empty() ? "" : "; ") + text;
    }
    const std::string names = "--" + std::string(option.name) + (has_letter ? ",-" + brief : "");
    if (option.takes == nvcc::Takes::nothing) {
      command->add_flag(names, text);
    } else {
      command->add_option(names, text)->type_name("VALUE");
    }
  }
  command->callback([&exit_code] { exit_code = exit_usage; });
}

int run_nvcc(std::span<char* const> arguments) {
  const nvcc::CommandLine line =
      nvcc::parse(arguments, taken("NVCC_PREPEND_FLAGS"), taken("NVCC_APPEND_FLAGS"));
  if (line.has("help")) {
    write_output("", help());
    return exit_clean;
  }
  // A compiler that this program asks for its version may be this program under another name.
  constexpr const char* inside = "BANKPROOF_NVCC_ASKS";
  if (line.has("version") && std::getenv(inside) != nullptr) {
    write_output("", "bankproof stands in for nvcc\n");
    return exit_clean;
  }
  setenv(inside, "1", 1);
  if (line.has("list-gpu-code") || line.has("list-gpu-arch")) {
    write_output("", listed(line.has("list-gpu-code") ? "sm" : "compute"));
    return exit_clean;
  }
  const nvcc::Tools tools = nvcc::find_tools(line);
  if (line.has("version")) {
    write_output("", version_text(tools));
    return exit_clean;
  }
  const bool dry = line.has("dryrun");
  const bool show = dry || line.has("verbose");
  if (show) write_all(STDERR_FILENO, variables(tools));
  nvcc::require_inputs(line);
  const Scratch scratch;
  const nvcc::Plan plan = nvcc::plan_for(line, tools, scratch.path());
  tell(plan);
  if (!dry) {
    require_files(line);
    if (nvcc::keeps(line) && !line.last("keep-dir").empty()) {
      std::error_code ignored;
      fs::create_directories(line.last("keep-dir"), ignored);
    }
  }
  nvcc::run(plan, show, dry);
  unsetenv(inside);
  if (plan.program.empty() || dry) return exit_clean;
  return nvcc::run_program_here(plan.program);
}

}  // namespace bankproof::cli
