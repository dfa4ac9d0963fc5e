// What a program holds by pointers until it destroys it: streams, events and graphs. They are not
// forgotten then, so that a call which is given one that is no more can say so.
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
  /// Of a live one.
  void destroy(const T* handle) {
    const std::lock_guard lock(mutex_);
    places_.at(handle)->reset();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<std::optional<T>> made_;  // whose places no others take
  std::map<const T*, std::optional<T>*> places_;
};

}  // namespace bankproof::cuda
