// A child process. The child gets a text as input, and this program reads the child's output, line
// by line or as a whole. Solvers and compilers run this way.
//
// There is no shell and no file on disk: the text is the child's standard input, and one pipe
// carries its standard output and standard error. The child ends when this program ends, however
// this program ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace bankproof {

class Process {
 public:
  /// Starts the program words[0] with the arguments words[1], …. Throws std::runtime_error if no
  /// process can be started. If the program itself cannot be run, start_error() reports it.
  Process(const std::vector<std::string>& words, const std::string& input);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills the child if it still runs.
  ~Process();

  /// The errno of the failed attempt to run the program, or 0.
  int start_error() const { return start_error_; }

  /// The next line of output. Returns nothing at the end of the output, or if no line comes within
  /// `most` seconds.
  std::optional<std::string> line(std::chrono::seconds most);
  /// Waits for the end of the output and returns the part that line() has not returned yet.
  std::string rest();
  /// Whether the last call of line() returned nothing because no line came in time.
  bool is_late() const { return is_late_; }

  /// Waits until the child ends: "exit code 1", "signal 11", or "" on success.
  std::string wait();

 private:
  void finish(bool kill_it);
  /// Waits for the next part of the output; false at the end of the output.
  bool read_part();

  pid_t pid_ = -1;
  int output_ = -1;
  int start_error_ = 0;
  int status_ = 0;
  bool is_late_ = false;
  std::string read_;  ///< output that was read but not yet returned
};

/// The result of a program that ran to its end.
struct Ran {
  int start_error = 0;  ///< the errno of the failed attempt to run it, or 0
  std::string problem;  ///< "exit code 1", "signal 11"; empty on success
  std::string
      output;  ///< what it wrote to standard output and standard error, in the order of writing
};

/// Runs the program words[0] with empty standard input. If words[0] is not a path, the PATH finds
/// the program. Throws std::runtime_error if no process can be started.
Ran run_to_end(const std::vector<std::string>& words);

}  // namespace bankproof
