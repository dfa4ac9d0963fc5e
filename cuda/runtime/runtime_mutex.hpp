// The lock of the runtime: calls of the program's threads happen one after the other.
//
// A function of the host that a stream calls may wait for a lock of the program, which a thread
// holds while it calls CUDA. So the runtime gives its lock away while such a function runs, however
// often the thread has taken it.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace bankproof::cuda {

/// A thread may take it several times.
class RuntimeMutex {
 public:
  void lock() {
    if (owner_ != std::this_thread::get_id()) {
      mutex_.lock();
      owner_ = std::this_thread::get_id();
    }
    ++times_;
  }
  void unlock() {
    if (--times_ != 0) return;
    owner_ = std::thread::id();
    mutex_.unlock();
  }

  /// While it lives, the thread, which has the lock, does not have it.
  class Away {
   public:
    explicit Away(RuntimeMutex& mutex) : mutex_(mutex), times_(mutex.times_) {
      mutex_.times_ = 1;
      mutex_.unlock();
    }
    ~Away() {
      mutex_.lock();
      mutex_.times_ = times_;
    }
    Away(const Away&) = delete;
    Away& operator=(const Away&) = delete;

   private:
    RuntimeMutex& mutex_;
    unsigned times_;
  };

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_ = std::thread::id();
  unsigned times_ = 0;  // of the owner
};

}  // namespace bankproof::cuda
