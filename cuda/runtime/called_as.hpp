// Messages name the function that the program called.
//
// Much of the driver API does what a function of the runtime does, under another name: cuMemcpyHtoD
// is a cudaMemcpy. Such a function calls the runtime's, and gives its own name to the messages and
// to the operations that come of the call.
#pragma once

#include <string>

namespace bankproof::cuda {

/// While it lives, what its thread says about `cuda…` is said about `name`; nothing is renamed if
/// `name` is empty.
class CalledAs {
 public:
  explicit CalledAs(std::string name);
  ~CalledAs();
  CalledAs(const CalledAs&) = delete;
  CalledAs& operator=(const CalledAs&) = delete;

  /// The name that messages of this thread have now; empty for the runtime's own.
  static const std::string& current();
  /// The text; if it begins with the name of a function of the runtime, the current name stands
  /// there.
  static std::string renamed(const std::string& text);

 private:
  std::string before_;
};

}  // namespace bankproof::cuda
