// A thread that compiles kernels while launches go on.
#pragma once

#include <functional>

namespace bankproof::ptx::compiled {

/// Does the job on the thread, after all earlier jobs. The process waits for the job that is being
/// done when it ends, and forgets the others.
void do_in_background(std::function<void()> job);

}  // namespace bankproof::ptx::compiled
