// Counts the requests of threads to each array, by name (THS table 4.1).
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "../observer.hpp"

namespace bankproof {

class ArrayCounts : public Observer {
 public:
  struct Requests {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    bool operator==(const Requests&) const = default;
  };

  void accessed(const AccessEvent& event) override {
    Requests& requests = of_[event.array().name()];
    (event.is_write() ? requests.writes : requests.reads) +=
        static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
  }

  /// The number of requests since the last call, for each array with at least one request.
  std::map<std::string, Requests> take() { return std::exchange(of_, {}); }

 private:
  std::map<std::string, Requests> of_;
};

}  // namespace bankproof
