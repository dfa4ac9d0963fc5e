// Reports as files: a program that runs on the machine stores its report, and `bankproof exec`
// reads it, adds it to the reports of the program's other processes, and writes it in the user's
// format.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "report.hpp"

namespace bankproof::ptx {

struct StoredReportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The report as JSON; read_stored() gives an equal report.
std::string stored(const KernelReport& report);
std::string stored(const FaultReport& fault);

/// Throws StoredReportError.
KernelReport read_stored(std::string_view text);
FaultReport read_stored_fault(std::string_view text);

/// Adds the counts and faults of another process that ran on the same machine.
void join(KernelReport& report, const KernelReport& other);

}  // namespace bankproof::ptx
