// In place of oneTBB's: one thread has no tasks of others to keep away.
#pragma once

namespace tbb::this_task_arena {

template <class Body>
void isolate(const Body& body) {
  body();
}

}  // namespace tbb::this_task_arena
