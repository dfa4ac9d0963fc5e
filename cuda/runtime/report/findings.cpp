// See findings.hpp.
#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bankproof::cuda {

const ptx::FaultReport* HostFindings::add(ptx::FaultKind kind, const std::string& message,
                                          const HostCall& call) {
  const HostPlace place = place_of(call);
  ptx::FaultReport fault;
  fault.kind = kind;
  fault.at = {place.file, place.line};
  fault.chain = {fault.at};
  if (!place.function.empty()) fault.functions.push_back(place.function);
  fault.message = place.line != 0 ? message : fmt::format("{}, at {}", message, text_of(place));
  fault.count = 1;
  const std::lock_guard lock(mutex_);
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const ptx::FaultReport& one) {
    return one.kind == kind && one.at == fault.at && one.functions == fault.functions &&
           (place.line != 0 || one.message == fault.message);
  });
  if (same != all_.end()) {
    ++same->count;
    return nullptr;
  }
  all_.push_back(std::move(fault));
  return &all_.back();
}

}  // namespace bankproof::cuda
