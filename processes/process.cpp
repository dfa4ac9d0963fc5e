// See process.hpp.
#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace bankproof {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// A descriptor that the destructor closes. The descriptor's number is never 0, 1 or 2. This
/// program may have been started without these three, and the child replaces them.
class Descriptor {
 public:
  Descriptor(int descriptor, const std::string& what) : descriptor_(descriptor) {
    if (descriptor < 0) fail(what);
    if (descriptor > STDERR_FILENO) return;
    descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    if (descriptor_ < 0) fail("cannot copy a descriptor");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;

  static Pipe open() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
    return {{ends[0], ""}, {ends[1], ""}};
  }
};

/// Writes the text and rewinds the file.
void fill(const Descriptor& file, const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = write(file.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write a file in memory");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  if (lseek(file.get(), 0, SEEK_SET) != 0) fail("cannot read a file in memory");
}

/// The child's part: becomes the program, or writes the errno to `trouble`. At the fork, other
/// threads may have held locks. So between fork and exec the child makes only calls that are safe
/// nevertheless.
[[noreturn]] void become(char* const* words, pid_t parent, int input, int output, int trouble) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent ended before prctl
  if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0) {
    execvp(words[0], words);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = write(trouble, &error, sizeof error);
  _exit(127);
}

/// The thread that starts all programs. The kernel kills a program when the thread that started it
/// ends (PR_SET_PDEATHSIG), so this thread lives until this program ends.
class Starter {
 public:
  static Starter& the_only() {
    // Never destroyed: its thread uses it until the program ends.
    static auto* const starter = new Starter;  // NOLINT(cppcoreguidelines-owning-memory)
    return *starter;
  }

  /// Calls `fork` on the starter's thread and returns its result.
  pid_t start(const std::function<pid_t()>& fork) {
    std::packaged_task<pid_t()> task(fork);
    std::future<pid_t> result = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push(std::move(task));
    }
    ready_.notify_one();
    return result.get();
  }

 private:
  Starter() {
    std::thread([this] { run(); }).detach();
  }

  [[noreturn]] void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<pid_t()> task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::packaged_task<pid_t()>> tasks_;
};

/// As read(), but retries after a signal.
ssize_t read_some(int descriptor, void* to, std::size_t most) {
  ssize_t count = 0;
  do {
    count = read(descriptor, to, most);
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const std::string& input) {
  std::vector<std::string> copies = words;
  std::vector<char*> pointers;
  pointers.reserve(copies.size() + 1);
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const Descriptor file(memfd_create("bankproof", MFD_CLOEXEC), "cannot make a file in memory");
  fill(file, input);
  Pipe output = Pipe::open();
  Pipe trouble = Pipe::open();
  const pid_t parent = getpid();
  pid_ = Starter::the_only().start([&] {
    // Not fork(): fork() first calls Z3's handler. The handler ends and frees the timer threads of
    // Z3's solvers, while other threads of this program use and create solvers.
    const pid_t pid = _Fork();
    if (pid == 0) {
      become(pointers.data(), parent, file.get(), output.write.get(), trouble.write.get());
    }
    return pid < 0 ? -errno : pid;
  });
  if (pid_ < 0) {
    errno = -std::exchange(pid_, -1);
    fail("cannot run " + words.front());
  }
  close(trouble.write.release());
  // If the program runs, exec has closed its end of this pipe, and the read returns 0.
  if (read_some(trouble.read.get(), &start_error_, sizeof start_error_) <= 0) start_error_ = 0;
  output_ = output.read.release();
}

Process::~Process() { finish(true); }

void Process::finish(bool kill_it) {
  if (output_ >= 0) close(output_);
  output_ = -1;
  if (pid_ < 0) return;
  if (kill_it) kill(pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

bool Process::read_part() {
  std::array<char, 4096> part{};
  const ssize_t count = read_some(output_, part.data(), part.size());
  if (count <= 0) return false;
  read_.append(part.data(), static_cast<std::size_t>(count));
  return true;
}

std::string Process::rest() {
  while (read_part()) {
  }
  return std::exchange(read_, "");
}

std::optional<std::string> Process::line(std::chrono::seconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  std::size_t end = 0;
  while ((end = read_.find('\n')) == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd ready{output_, POLLIN, 0};
    const int polled = poll(&ready, 1, std::max<int>(0, static_cast<int>(left.count())));
    if (polled < 0 && errno == EINTR) continue;
    is_late_ = polled == 0;
    if (polled <= 0) return std::nullopt;
    if (!read_part()) {
      if (read_.empty()) return std::nullopt;
      return std::exchange(read_, "");
    }
  }
  std::string result = read_.substr(0, end);
  read_.erase(0, end + 1);
  return result;
}

std::string Process::wait() {
  finish(is_late_);
  if (WIFSIGNALED(status_)) return fmt::format("signal {}", WTERMSIG(status_));
  const int code = WEXITSTATUS(status_);
  return code == 0 ? "" : fmt::format("exit code {}", code);
}

Ran run_to_end(const std::vector<std::string>& words) {
  Process process(words, "");
  Ran result;
  result.start_error = process.start_error();
  result.output = process.rest();
  result.problem = process.wait();
  return result;
}

}  // namespace bankproof
