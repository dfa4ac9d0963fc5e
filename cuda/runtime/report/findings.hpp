// Findings about a program's calls of CUDA: each with the place of the call, told once for each
// kind and place, with the number of cases.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/report/report.hpp"
#include "host_place.hpp"

namespace bankproof::cuda {

class HostFindings {
 public:
  /// `message` is one line without a place. Returns the finding if it is a new one, else null.
  const ptx::FaultReport* add(ptx::FaultKind kind, const std::string& message,
                              const HostCall& call);

  const std::vector<ptx::FaultReport>& all() const { return all_; }
  std::vector<ptx::FaultReport> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(all_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<ptx::FaultReport> all_;
};

}  // namespace bankproof::cuda
