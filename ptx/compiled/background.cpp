// The thread begins with the first job. It has to end before the data of the plug-in and of LLVM
// are destroyed. LLVM makes some of its static objects while it compiles. At the end of a process
// these are destroyed before older ones, and before functions run that were registered earlier.
// Only what is local to the thread that ends the process is destroyed still earlier: so the main
// thread has an object that joins the thread. If another thread ends the process, a registered
// function does.
#include "background.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace bankproof::ptx::compiled {

namespace {

class Worker {
 public:
  void add(std::function<void()> job) {
    // A process that was forked has no threads but the one that forked it, and maybe a lock that no
    // thread will open.
    if (const pid_t owner = owner_; owner != 0 && owner != getpid()) return;
    const std::lock_guard lock(mutex_);
    if (ends_) return;
    jobs_.push_back(std::move(job));
    if (owner_ == 0) {
      owner_ = getpid();
      thread_ = std::thread([this] { run(); });
      std::atexit([] { worker().end(); });
    }
    more_.notify_one();
  }

  void end() {
    if (owner_ != getpid()) return;
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    more_.notify_one();
    if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
  }

  /// Never destroyed: the function that ends it may run after the destructors of other files.
  static Worker& worker() {
    static auto* const only = new Worker;
    return *only;
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
      if (ends_) return;
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::function<void()>> jobs_;
  std::thread thread_;
  std::atomic<pid_t> owner_ = 0;
  bool ends_ = false;
};

struct EndsWithMainThread {
  bool is_main = false;
  EndsWithMainThread() = default;
  EndsWithMainThread(const EndsWithMainThread&) = delete;
  EndsWithMainThread& operator=(const EndsWithMainThread&) = delete;
  ~EndsWithMainThread() {
    if (is_main) Worker::worker().end();
  }
};
thread_local EndsWithMainThread at_end;

// Runs when the program or library is loaded, mostly by the main thread.
[[gnu::constructor]] void remember_main_thread() { at_end.is_main = gettid() == getpid(); }

}  // namespace

void do_in_background(std::function<void()> job) { Worker::worker().add(std::move(job)); }

}  // namespace bankproof::ptx::compiled
