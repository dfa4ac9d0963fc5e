// See program.hpp.
#include "program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/reference.hpp"
#include "support/arguments.hpp"
#include "support/commands.hpp"
#include "support/errors.hpp"
#include "support/output.hpp"
#include "support/shown.hpp"
#include "support/version.hpp"

namespace bankproof::cli {
namespace {

/// Makes a write to a closed pipe, or past the limit on file sizes, fail instead of killing the
/// process. Opens closed standard descriptors on /dev/null so that their use fails too, and so that
/// no file opened later takes their numbers.
void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int access = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;  // any use fails
    if (open("/dev/null", access) != descriptor) std::_Exit(exit_input);
  }
}

/// If standard error is closed, only the exit code reports the failure.
int complain(std::string_view line, int exit_code, const std::string& below = "") {
  write_all(STDERR_FILENO, "bankproof: " + shown(line) + "\n" + below);
  return exit_code;
}

/// The command that the user asks for: the first argument that is not an option; empty if there is
/// none.
std::string_view asked_for(std::span<char* const> arguments) {
  if (arguments.size() > 2 && arguments[0] == std::string_view("--reference")) return arguments[2];
  const auto found = std::ranges::find_if(
      arguments, [](std::string_view argument) { return !argument.starts_with('-'); });
  return found == arguments.end() ? std::string_view() : *found;
}

bool holds(std::span<const HeldCommand> held, std::string_view name) {
  return std::ranges::find(held, name, &HeldCommand::name) != held.end();
}

/// Replaces this process with the program of a command. It finds that program relative to its own
/// path, so both can be installed anywhere.
[[noreturn]] void become(std::string_view command, std::span<char* const> arguments) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program =
      (self.parent_path() / BANKPROOF_COMMANDS / ("bankproof-" + std::string(command)))
          .lexically_normal()
          .string();
  std::vector<char*> words(arguments.begin(), arguments.end());
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  if (errno == ENOENT) {
    throw InputError("the command needs the program " + program +
                     ", which is not installed; the same command with ./bankproof in the source "
                     "tree builds it");
  }
  throw InputError(program + " cannot be run: " + std::strerror(errno));
}

/// The program of a command. Proofs of kernels have a program of their own: they need the engine,
/// which users who only prove theorems need not build.
std::string program_of(std::string_view command, std::span<char* const> words) {
  const bool of_kernel = std::ranges::any_of(words, [](std::string_view word) {
    return word == "--kernel" || word.starts_with("--kernel=");
  });
  return std::string(command) + (command == "prove" && of_kernel ? "-kernel" : "");
}

int parse(std::span<char* const> arguments, std::span<const HeldCommand> held) {
  CLI::App app("Tells whether permutations conflict on GPU memory machines.", "bankproof");
  app.set_version_flag("--version", "bankproof " + std::string(version()));
  app.footer(
      "Exit codes: 0 clean or proved, 1 a finding or refuted, 2 command line, 3 input or tool, or "
      "unknown.");
  int exit_code = exit_clean;
  for (const Command& command : commands) {
    const auto found = std::ranges::find(held, command.name, &HeldCommand::name);
    if (found != held.end()) {
      found->add(app, exit_code);
    } else {
      app.add_subcommand(std::string(command.name), std::string(command.does));
    }
  }
  app.require_subcommand(0, 1);  // a missing command is reported below
  app.parse_complete_callback([&app] { refuse_empty_values(app); });  // before any command runs
  if (arguments.empty()) {
    write_all(STDERR_FILENO, app.help());
    return exit_usage;
  }
  try {
    if (const auto text = reference(app, arguments)) {
      write_output("", *text);
      return exit_clean;
    }
    require_known_command(app, arguments);
    std::vector<std::string> words = words_of(arguments);
    std::ranges::reverse(words);  // parse() wants the last word first
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream output;
    std::ostringstream ignored;
    if (app.exit(error, output, ignored) == 0) {  // --help and --version
      write_output("", output.str());
      return exit_clean;
    }
    refuse_unknown_options(app);
    const std::string message = error.what();
    const std::size_t excess = message.find(": At Most 1 required");
    if (excess == std::string::npos) throw UsageError(message);
    throw UsageError(message.substr(0, excess) + " is given more than once");
  }
  if (app.get_subcommands().empty()) {
    throw UsageError("a command is missing; 'bankproof --help' lists them");
  }
  return exit_code;
}

}  // namespace

int run_apart(std::span<char* const> arguments,
              const std::function<int(std::span<char* const>)>& run) {
  prepare_process();
  try {
    return run(arguments);
  } catch (const UsageError& error) {
    return complain(error.what(), exit_usage, error.below());
  } catch (const ReaderGone&) {
    return exit_input;
  } catch (const InputError& error) {
    return complain(error.what(), exit_input, error.below());
  } catch (const std::bad_alloc&) {
    return complain("out of memory", exit_input);
  } catch (const std::length_error&) {
    return complain("out of memory", exit_input);
  } catch (const std::exception& error) {
    return complain(std::string("internal error: ") + error.what(), exit_input);
  }
}

int run_program(std::span<char* const> arguments, std::span<const HeldCommand> held) {
  return run_apart(arguments, [held](std::span<char* const> all) {
    const auto words = all.subspan(std::min<std::size_t>(1, all.size()));
    const std::string_view command = asked_for(words);
    if (!what_does(command).empty() && !holds(held, command)) {
      become(program_of(command, words), all);
    }
    return parse(words, held);
  });
}

}  // namespace bankproof::cli
