// See plan.hpp: the steps of a plan are run one after the other.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "../../cuda/compile/compile.hpp"
#include "../support/errors.hpp"
#include "../support/output.hpp"
#include "../support/shown.hpp"
#include "plan.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace bankproof::cli::nvcc {

int run_program_here(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  // Signals that this program ignores would stay ignored.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, words.front().c_str(), nullptr, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw InputError(shown(words.front()) + " cannot be started: " + std::strerror(error));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void run(const Plan& plan, bool show, bool dry) {
  for (const Step& step : plan.steps) {
    if (show && !step.words.empty()) {
      write_all(STDERR_FILENO, "#$ " + cuda::quoted_for_shell(step.words) + "\n");
    }
    if (dry) continue;
    if (step.instead) {
      step.instead();
    } else if (const int code = run_program_here(step.words); code != 0) {
      throw InputError(shown(step.words.front()) + " ended with code " + std::to_string(code));
    }
  }
}

}  // namespace bankproof::cli::nvcc
