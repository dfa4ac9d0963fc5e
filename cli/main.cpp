// The program: finds the command, and turns whatever goes wrong into one line and an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "reference/reference.hpp"
#include "shown.hpp"
#include "version.hpp"

namespace bankproof::cli {
namespace {

/// A write to a closed pipe, and one past the limit on file sizes, shall fail rather than kill. A
/// standard descriptor that is closed is taken by something that fails as well, so that no file
/// opened later ends up in its place.
void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int access = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;  // the useless one
    if (open("/dev/null", access) != descriptor) std::_Exit(exit_input);
  }
}

/// Where standard error is gone, the exit code has to do.
int complain(std::string_view line, int exit_code, const std::string& below = "") {
  write_all(STDERR_FILENO, "bankproof: " + shown(line) + "\n" + below);
  return exit_code;
}

int run(int argc, char** argv) {
  CLI::App app("Tells whether permutations conflict on GPU memory machines.", "bankproof");
  app.set_version_flag("--version", "bankproof " + std::string(version()));
  app.footer(
      "Exit codes: 0 clean or proved, 1 a finding or refuted, 2 command line, 3 input or tool, or "
      "unknown.");
  int exit_code = exit_clean;
  add_commands(app, exit_code);
  app.require_subcommand(0, 1);  // that one is missing is said below
  app.parse_complete_callback([&app] { refuse_empty_values(app); });  // before any command runs
  if (argc < 2) {
    write_all(STDERR_FILENO, app.help());
    return exit_usage;
  }
  try {
    const auto arguments = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
    if (const auto text = reference(app, arguments)) {
      write_output("", *text);
      return exit_clean;
    }
    require_known_command(app, arguments);
    std::vector<std::string> words = words_of(arguments);
    std::ranges::reverse(words);  // as parse() wants them
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
}  // namespace bankproof::cli

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  prepare_process();
  try {
    return run(argc, argv);
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
