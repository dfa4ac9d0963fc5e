// Streams, events and graphs: a program holds a pointer to each object until it destroys the
// object. Destroyed handles are remembered, so that a call with a destroyed handle can report it.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace bankproof::cuda {

template <class T>
class Handles {
 public:
  template <class... Parts>
  T* make(Parts&&... parts) {
    const std::lock_guard lock(mutex_);
    std::optional<T>& place = made_.emplace_back();
    place.emplace(std::forward<Parts>(parts)...);
    places_[&*place] = &place;
    return &*place;
  }
  bool is_live(const T* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(handle);
    return found != places_.end() && found->second->has_value();
  }
  /// The handle has to be live.
  void destroy(const T* handle) {
    const std::lock_guard lock(mutex_);
    places_.at(handle)->reset();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<std::optional<T>> made_;  // places are never reused
  std::map<const T*, std::optional<T>*> places_;
};

}  // namespace bankproof::cuda
