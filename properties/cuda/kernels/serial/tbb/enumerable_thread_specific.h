// Replaces oneTBB's header: the only thread has the only value.
#pragma once

#include <functional>
#include <optional>

namespace tbb {

template <class T>
class enumerable_thread_specific {
 public:
  enumerable_thread_specific() : make_([](std::optional<T>& value) { value.emplace(); }) {}
  template <class First, class... Rest>
  explicit enumerable_thread_specific(First first, Rest... rest)
      : make_([=](std::optional<T>& value) { value.emplace(first, rest...); }) {}

  T& local() {
    if (!value_) make_(value_);
    return *value_;
  }

 private:
  std::function<void(std::optional<T>&)> make_;
  std::optional<T> value_;
};

}  // namespace tbb
