// Replaces oneTBB's header: with one thread, isolation from other tasks needs no work.
#pragma once

namespace tbb::this_task_arena {

template <class Body>
void isolate(const Body& body) {
  body();
}

}  // namespace tbb::this_task_arena
