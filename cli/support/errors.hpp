// The exceptions that end a command early, and the exit codes.
//
// A command throws; only main catches, prints `bankproof: ` and one line, and exits. More lines may
// follow: a pointer to the wrong place in an argument, or a compiler's messages.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace bankproof::cli {

inline constexpr int exit_clean = 0;    // clean, proved, equal
inline constexpr int exit_finding = 1;  // a limit exceeded, a refutation, a difference, a fault
inline constexpr int exit_usage = 2;    // the command line, or a specification in it
inline constexpr int exit_input = 3;    // unreadable, malformed or unsupported; nothing checked

/// One line, perhaps with more lines below it.
class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  CommandError(const std::string& line, std::string below)
      : std::runtime_error(line), below_(std::move(below)) {}

  /// Further lines, which are printable and shown as they are.
  const std::string& below() const { return below_; }

 private:
  std::string below_;
};

/// The command line is wrong: exit 2.
class UsageError : public CommandError {
 public:
  using CommandError::CommandError;
};

/// An input, an output or a tool is not usable: exit 3.
class InputError : public CommandError {
 public:
  using CommandError::CommandError;
};

/// The reader of standard output has closed it (`| head -1`). The program exits with 3 and without
/// a message, as other programs would die of SIGPIPE without a message. The exit code is not 0,
/// since nobody saw all of the output.
class ReaderGone : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace bankproof::cli
