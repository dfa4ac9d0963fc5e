// Observers that look for faults. They either stop the launch at the first fault or record it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "../fault.hpp"
#include "../observer.hpp"

namespace bankproof {

/// Stop the launch with a Fault, or record it and go on.
enum class OnFinding : std::uint8_t { fault, record };

/// An observer with findings.
class Finder : public Observer {
 public:
  explicit Finder(OnFinding on_finding) : on_finding_(on_finding) {}

  /// The recorded faults, in the order of the accesses; empty unless OnFinding::record.
  const std::vector<Fault>& found() const { return found_; }

 protected:
  void report(Fault fault) {
    if (on_finding_ == OnFinding::fault) throw std::move(fault);
    found_.push_back(std::move(fault));
  }

 private:
  OnFinding on_finding_;
  std::vector<Fault> found_;
};

}  // namespace bankproof
