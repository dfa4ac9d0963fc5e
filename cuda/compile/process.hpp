// A program that is run to its end, and what it wrote.
//
// It is run without a shell: no word is read as anything but an argument. It ends when this program
// does, however that ends.
#pragma once

#include <string>
#include <vector>

namespace bankproof::cuda {

struct Ran {
  int start_error = 0;  ///< the errno of why it could not be run, or 0
  std::string problem;  ///< "exit code 1", "signal 11"; empty where all went well
  std::string
      output;  ///< what it wrote to standard output and standard error, in that order of time
};

/// Runs `words`, of which the first is the program, looked for in the PATH unless it is a path. Its
/// standard input is empty. Throws std::runtime_error where no process can be made.
Ran run(const std::vector<std::string>& words);

}  // namespace bankproof::cuda
