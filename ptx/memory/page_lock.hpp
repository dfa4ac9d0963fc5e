// The lock of a page of global memory. A host thread holds the lock while it performs an access of
// lanes to the page. Host threads seldom wait for the lock, and putting a thread to sleep would
// cost more than the wait.
#pragma once

#include <atomic>
#include <thread>

namespace bankproof::ptx {

class PageLock {
 public:
  void lock() {
    while (held_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { held_.clear(std::memory_order_release); }

 private:
  std::atomic_flag held_;
};

}  // namespace bankproof::ptx
