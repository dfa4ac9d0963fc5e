// See process.hpp.
#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>

namespace bankproof::cuda {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// The two ends of a pipe, closed in the end.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends_[0]);
    close_writer();
  }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  /// Everything until no writer is left.
  std::string read_all() {
    std::string result;
    std::array<char, 4096> part{};
    for (;;) {
      const ssize_t count = read(ends_[0], part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return result;
      result.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  std::array<int, 2> ends_{};
};

/// What the child does: becomes the program, or writes why it cannot. Between fork and exec only
/// what is safe where other threads were stopped at any place.
[[noreturn]] void become(char* const* words, pid_t parent, int output, int trouble) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it ended before that
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0) {
    execvp(words[0], words);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = write(trouble, &error, sizeof error);
  _exit(127);
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : fmt::format("exit code {}", code);
}

}  // namespace

Ran run(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> pointers;
  pointers.reserve(copies.size() + 1);
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  Pipe output;
  Pipe trouble;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("cannot run " + words.front());
  if (child == 0) become(pointers.data(), parent, output.writer(), trouble.writer());
  output.close_writer();
  trouble.close_writer();
  Ran result;
  // Nothing comes if the program runs: its end of the pipe is closed then.
  if (const std::string error = trouble.read_all(); error.size() == sizeof result.start_error) {
    error.copy(reinterpret_cast<char*>(&result.start_error), error.size());
  }
  result.output = output.read_all();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.problem = ending(status);
  return result;
}

}  // namespace bankproof::cuda
