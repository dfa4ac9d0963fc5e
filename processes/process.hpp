// A program that is handed a text and whose output is read, line by line or as a whole: solvers and
// compilers.
//
// It is run without a shell and without a file by name: the text is its standard input, and what
// it writes to standard output and standard error comes through one pipe. It ends when this program
// does, however that ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace bankproof {

class Process {
 public:
  /// Starts `words`, of which the first is the program. Throws std::runtime_error where nothing can
  /// be started; that there is no such program is told by start_error().
  Process(const std::vector<std::string>& words, const std::string& input);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills it if it still runs.
  ~Process();

  /// The errno of what could not be run, or 0.
  int start_error() const { return start_error_; }

  /// The next line of its output; none at the end, or where none comes in time.
  std::optional<std::string> line(std::chrono::seconds most);
  /// All of its output that was not yet returned, once there is no more of it.
  std::string rest();
  /// Whether a line did not come in time.
  bool is_late() const { return is_late_; }

  /// Waits for its end: "exit code 1", "signal 11", or nothing where all went well.
  std::string wait();

 private:
  void finish(bool kill_it);
  /// Waits for the next part of the output. Whether there was one.
  bool read_part();

  pid_t pid_ = -1;
  int output_ = -1;
  int start_error_ = 0;
  int status_ = 0;
  bool is_late_ = false;
  std::string read_;  ///< and not yet returned
};

/// What a program wrote that was run to its end.
struct Ran {
  int start_error = 0;  ///< the errno of why it could not be run, or 0
  std::string problem;  ///< "exit code 1", "signal 11"; empty where all went well
  std::string
      output;  ///< what it wrote to standard output and standard error, in that order of time
};

/// Runs `words`, of which the first is the program, looked for in the PATH unless it is a path. Its
/// standard input is empty. Throws std::runtime_error where no process can be made.
Ran run_to_end(const std::vector<std::string>& words);

}  // namespace bankproof
